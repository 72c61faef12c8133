/* Target regions: the host runs them as initial threads (initial.h) with control variables as the environment says. */
#include "omp/team/target.h"

#include "omp/base/offload.h"
#include "omp/bomp.h"
#include "omp/icv/icv.h"
#include "omp/state/team.h"
#include "omp/team/caller.h"
#include "omp/team/initial.h"
#include "omp/tool/target.h"

/* What a program has set since the environment was read, and 1; 0: nothing. Any thread. */
static struct bz_a32 offload_set;

enum bomp_offload bomp_target_offload(void) {
    uint32_t set = bz_load_relaxed(&offload_set); /* relaxed: the number alone counts */
    return (enum bomp_offload)(set ? set - 1 : bomp_global()->offload);
}

void bomp_set_target_offload(uint32_t offload) {
    bz_store_relaxed(&offload_set, offload + 1); /* relaxed: as its load */
}

int bomp_devices(void) {
    int (*count)(void) = (int (*)(void))bomp_offload_function("omp_get_num_devices");
    return count ? count() : 0;
}

static void require_offload(int device) {
    if (bomp_target_offload() == BOMP_OFFLOAD_MANDATORY)
        bz_fatal("OMP_TARGET_OFFLOAD=mandatory: there is no device %d", device);
}

bool bomp_device_is_host(int device) {
    if (device == BOMP_DEVICE_DEFAULT)
        device = bomp_icv()->default_device;
    int devices = bomp_devices();
    if (device > devices)
        require_offload(device);
    return device == devices || device == BOMP_DEVICE_INITIAL;
}

bool bomp_device_exists(int device) {
    return (device >= 0 && device < bomp_devices()) || bomp_device_is_host(device);
}

void bomp_target_device(int device) {
    if (device == BOMP_DEVICE_DEFAULT)
        device = bomp_icv()->default_device;
    if (device == BOMP_DEVICE_INVALID)
        bz_fatal("a construct for the device omp_invalid_device, which there is none");
    if (device != BOMP_DEVICE_INITIAL && device != bomp_devices())
        require_offload(device);
}

/* Where a tool is told. */
BZ_COLD static void run_told(struct bomp_member *self, void (*fn)(void *), void *data,
                             const struct bomp_initial_spec *spec) {
    struct bomp_tool_target target;
    const unsigned deferred = ompt_task_target, flags = (unsigned)bomp_tool_current(self)->flags;
    bool nowait = (flags & (ompt_task_target | (unsigned)ompt_task_undeferred)) == deferred;
    bomp_tell_target_begin(self, &target, nowait ? ompt_target_nowait : ompt_target);
    bomp_tell_target_submit(&target, ompt_scope_begin);
    bomp_run_initial(fn, data, spec);
    bomp_tell_target_submit(&target, ompt_scope_end);
    bomp_tell_target_end(bomp_self(), &target);
}

void bomp_tool_target_data(enum bomp_target_data kind, bool nowait) {
    static const ompt_target_t kinds[][2] = {
        [BOMP_TARGET_ENTER_DATA] = {ompt_target_enter_data, ompt_target_enter_data_nowait},
        [BOMP_TARGET_EXIT_DATA] = {ompt_target_exit_data, ompt_target_exit_data_nowait},
        [BOMP_TARGET_UPDATE] = {ompt_target_update, ompt_target_update_nowait},
    };
    struct bomp_member *self = bomp_self();
    struct bomp_tool_target target;
    if (!bomp_tool_is_told(self))
        return;
    bomp_tell_target_begin(self, &target, kinds[kind][nowait]);
    bomp_tell_target_end(self, &target);
}

void bomp_target_run(void (*fn)(void *), void *data, unsigned thread_limit) {
    struct bomp_member *self = bomp_self();
    struct bomp_initial_spec spec = {
        .icv = bomp_icv_initial(),
        .allocator = bomp_global()->allocator,
        .thread_limit = thread_limit > INT_MAX ? UINT_MAX : thread_limit,
        .num_teams = 1,
        .all_places = true,
    };
    if (bz_unlikely(bomp_tool_is_told(self)))
        run_told(self, fn, data, &spec);
    else
        bomp_run_initial(fn, data, &spec);
}

bool bomp_pause(void) {
    struct bomp_member *self = bomp_self_if_any();
    if (!self)
        return true;
    if (self->team->level > 0)
        return false;
    bz_team_drop(self->worker);
    bz_thread_cache_dismiss(false);
    return true;
}
