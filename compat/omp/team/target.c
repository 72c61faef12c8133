/* Target regions: the host runs them as initial threads (initial.h) with the control variables of the environment. */
#include "omp/team/target.h"

#include "omp/bomp.h"
#include "omp/icv/icv.h"
#include "omp/team/caller.h"
#include "omp/team/initial.h"
#include "omp/team/team_data.h"
#include "omp/tool/hooks.h"

/* The value that a program has set, plus 1; 0: the environment's counts. Any thread. */
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

static int resolve(int device) {
    return device == BOMP_DEVICE_DEFAULT ? bomp_icv()->default_device : device;
}

bool bomp_device_names_host(int device) {
    device = resolve(device);
    return device == BOMP_DEVICE_INITIAL || device == bomp_devices();
}

/* Neither is it the host: fatal where that must not be. */
static bool names_other(int device) {
    device = resolve(device);
    if (device >= 0 && device < bomp_devices())
        return true;
    if (bomp_target_offload() == BOMP_OFFLOAD_MANDATORY)
        bz_fatal("OMP_TARGET_OFFLOAD is set to MANDATORY, but %s",
                 bomp_devices() == 0 ? "only the host device is available" : "the device does not exist");
    if (device == BOMP_DEVICE_INVALID)
        bz_fatal("omp_invalid_device encountered: it names no device");
    return false;
}

bool bomp_device_is_host(int device) {
    return bomp_device_names_host(device) || (names_other(device), false);
}

bool bomp_device_exists(int device) {
    return bomp_device_names_host(device) || names_other(device);
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
    const bool observed = bomp_is_observed(self);
    struct bomp_tool_target target;
    if (bz_unlikely(observed))
        bomp_hooks->target->begin(self, &target);
    bomp_run_initial(fn, data, &spec);
    if (bz_unlikely(observed))
        bomp_hooks->target->end(bomp_self(), &target);
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
