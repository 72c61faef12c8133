/* Inquiry functions of tools. Each answers about the calling thread without a lock, so that tools may call it in signal
 * handlers. */
#include <string.h>

#include "omp/api/omp_decl.h"
#include "omp/icv/icv.h"
#include "ompt/blitz-tools.h"
#include "ompt/notify.h"
#include "ompt/ompt.h"

/* ---- the thread ---- */

ompt_data_t *ompt_thread_data(unsigned client) {
    struct ompt_thread *self = ompt_thread_own;
    return ompt_thread_begun() ? OMPT_WORD(self) : NULL;
}

static int get_state(ompt_wait_id_t *wait_id) {
    const struct ompt_thread *self = ompt_thread_own;
    if (wait_id)
        *wait_id = self ? bz_load_relaxed(&self->wait_id) : 0; /* relaxed, both: its own */
    return self ? (int)bz_load_relaxed(&self->state)
                : ompt_state_work_serial; /* of a thread that OpenMP does not know */
}

static uint64_t get_unique_id(void) {
    static struct bz_a64 last;
    return bz_fetch_add_relaxed(&last, 1) + 1; /* relaxed: the number alone counts */
}

static int get_proc_id(void) {
    return ompt_thread_begun() ? (int)bz_os_cpu() : -1;
}

/* ---- regions and tasks around it ---- */

/* The member that opened the enclosing region, or from where an isolated body came; NULL: none. */
static struct bomp_member *outer_of(const struct bomp_member *member) {
    if (member->team->outer)
        return member->team->outer;
    if (member->team->initial->league && !member->team->thread_team)
        return member->team->initial->league->outer;
    struct bz_worker *worker = bz_worker_isolated_from(member->worker);
    return worker ? bz_worker_context(worker) : NULL;
}

int ompt_parallel_info(unsigned client, int level, ompt_data_t **data, int *size) {
    struct bomp_member *member = bomp_self_if_any();
    bool outside = false;
    for (; member && level > 0; level--) {
        outside = member->tool.inner && !outside;
        member = outside ? member : outer_of(member);
    }
    if (!member || level < 0)
        return 0;
    struct bomp_tool_region *region = outside ? ompt_region_of(member->team) : ompt_region(member);
    if (data)
        *data = OMPT_WORD(region);
    if (size)
        *size = (int)member->team->size;
    return 2;
}

/* A task, and the member of its region whose task it is, or is below. */
struct place {
    struct bomp_member *member;
    struct bomp_task *task;
    bool outside; /* its initial task, not that of the region within (struct bomp_tool_inner) */
};

/* Of an explicit one it is the task in whose place it began, below which its frames are; if it has a stack of its own,
 * the one that has created it. */
static struct bomp_task *below(struct bomp_task *task, struct bomp_task *parent) {
    struct bomp_task *outer = task->flags & BOMP_TASK_TOOL ? ompt_task_of(task)->outer : NULL;
    outer = outer ? outer : parent;
    return bomp_task_has_moved(outer) ? outer->moved : outer;
}

static struct place up(struct place at) {
    struct bomp_task *parent = bz_load_relaxed(&at.task->parent); /* relaxed: constant since its creation */
    if (parent)
        return (struct place){at.member, below(at.task, parent), false};
    if (at.member->tool.inner && !at.outside)
        return (struct place){at.member, at.task, true};
    struct bomp_member *outer = outer_of(at.member);
    return (struct place){outer, outer ? outer->current : NULL, false};
}

static int thread_of(struct place at) {
    if (!bz_load_relaxed(&at.task->parent)) /* relaxed: as above */
        return (int)bz_container_of(at.task, struct bomp_member, implicit)->num;
    return (int)at.member->num;
}

int ompt_task_info(unsigned client, int level, int *flags, ompt_data_t **task_data, ompt_frame_t **frame,
                   ompt_data_t **parallel_data, int *thread_num) {
    struct place at = {bomp_self_if_any(), NULL, false};
    at.task = at.member ? at.member->current : NULL;
    for (; at.task && level > 0; level--)
        at = up(at);
    if (!at.task || level < 0)
        return 0;
    if (!(at.task->flags & BOMP_TASK_TOOL))
        return 1;
    struct bomp_tool_task *task = at.outside ? &at.member->tool.task : ompt_task_of(at.task);
    struct bomp_tool_region *region = at.outside ? ompt_region_of(at.member->team) : ompt_region(at.member);
    if (flags)
        *flags = task->flags;
    if (task_data)
        *task_data = OMPT_WORD(task);
    if (frame)
        *frame = &task->frame;
    if (parallel_data)
        *parallel_data = OMPT_WORD(region);
    if (thread_num)
        *thread_num = thread_of(at);
    return 2;
}

/* The memory of a task is not known: blocks are shared with the runtime's own data. */
static int get_task_memory(void **address, size_t *size, int block) {
    (void)block;
    *address = NULL;
    *size = 0;
    return 0;
}

/* ---- names ---- */

struct name {
    int value;
    const char *text;
};

/* After an unknown value, such as ompt_state_undefined, the first one; else the next one. 0: no more. */
static int next_name(const struct name *names, size_t count, int current, int *value, const char **text) {
    size_t next = 0;
    for (size_t i = 0; i < count; i++)
        if (names[i].value == current)
            next = i + 1;
    if (next == count)
        return 0;
    *value = names[next].value;
    *text = names[next].text;
    return 1;
}

#define NAME(state)                                                                                          \
    { state, #state }

static int enumerate_states(int current, int *next, const char **name) {
    static const struct name states[] = {
        NAME(ompt_state_work_serial),
        NAME(ompt_state_work_parallel),
        NAME(ompt_state_work_reduction),
        NAME(ompt_state_wait_barrier_implicit_parallel),
        NAME(ompt_state_wait_barrier_implicit_workshare),
        NAME(ompt_state_wait_barrier_explicit),
        NAME(ompt_state_wait_barrier_implementation),
        NAME(ompt_state_wait_barrier_teams),
        NAME(ompt_state_wait_taskwait),
        NAME(ompt_state_wait_taskgroup),
        NAME(ompt_state_wait_mutex),
        NAME(ompt_state_wait_lock),
        NAME(ompt_state_wait_critical),
        NAME(ompt_state_wait_atomic),
        NAME(ompt_state_wait_ordered),
        NAME(ompt_state_idle),
        NAME(ompt_state_overhead),
    };
    return next_name(states, sizeof states / sizeof *states, current, next, name);
}

/* Locks, critical constructs and what else excludes: `impl` of what is reported of them. */
static int enumerate_mutex_impls(int current, int *next, const char **name) {
    static const struct name impls[] = {{0, "ompt_mutex_impl_none"},
                                        {OMPT_MUTEX_PARKING, BLITZ_MUTEX_IMPL_PARKING},
                                        {OMPT_MUTEX_POSITION, BLITZ_MUTEX_IMPL_POSITION}};
    return next_name(impls, sizeof impls / sizeof *impls, current, next, name);
}

/* ---- places ---- */

/* Unlike functions of OpenMP, these do not make the calling thread known to OpenMP. */

static int get_num_places(void) {
    return (int)bomp_global()->places.count;
}

static void leave_places(void) {
    const uint64_t *cpus = bz_cpus_kept();
    if (cpus)
        bz_cpus_take(cpus);
}

/* With less room than they take nothing is written. */
static int get_place_proc_ids(int place, int size, int *ids) {
    const struct bomp_places *places = &bomp_global()->places;
    if (place < 0 || (unsigned)place >= places->count)
        return 0;
    const uint64_t *cpus = bomp_place(places, (unsigned)place);
    int count = (int)bomp_place_list_cpus(cpus, places->words, NULL);
    if (ids && count <= size)
        (void)bomp_place_list_cpus(cpus, places->words, ids);
    return count;
}

/* Nor is it bound; so the thread's own places are those that it is bound to when it is. */
static struct bomp_place_assignment assignment(void) {
    const struct bomp_member *self = ompt_thread_begun() ? bomp_self_if_any() : NULL;
    return self ? self->assignment : (struct bomp_place_assignment){0};
}

static int get_place_num(void) {
    struct bomp_place_assignment own = assignment();
    return own.count > 0 && bz_is_pinned(bomp_place(&bomp_global()->places, own.place)) ? (int)own.place : -1;
}

static int get_partition_place_nums(int size, int *places) {
    struct bomp_place_assignment own = assignment();
    for (unsigned i = 0; places && (int)own.count <= size && i < own.count; i++)
        places[i] = (int)(own.first + i);
    return (int)own.count;
}

/* ---- devices: only the host ---- */

static int get_target_info(uint64_t *device, ompt_id_t *target, ompt_id_t *operation) {
    (void)device, (void)target, (void)operation;
    return 0;
}

static const struct ompt_entry *find(const struct ompt_entry *entries, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(entries[i].name, name) == 0)
            return &entries[i];
    return NULL;
}

ompt_interface_fn_t ompt_look_up(const struct ompt_entry *own, size_t count, const char *name) {
    static const struct ompt_entry shared[] = {
        {"ompt_enumerate_states", (ompt_interface_fn_t)enumerate_states},
        {"ompt_enumerate_mutex_impls", (ompt_interface_fn_t)enumerate_mutex_impls},
        {"ompt_get_state", (ompt_interface_fn_t)get_state},
        {"ompt_get_unique_id", (ompt_interface_fn_t)get_unique_id},
        {"ompt_get_proc_id", (ompt_interface_fn_t)get_proc_id},
        {"ompt_get_num_procs", (ompt_interface_fn_t)bz_budget_cpus},
        {"blitz_leave_places", (ompt_interface_fn_t)leave_places},
        {"blitz_get_num_cpus", (ompt_interface_fn_t)bz_topology_default_workers},
        {"ompt_get_num_places", (ompt_interface_fn_t)get_num_places},
        {"ompt_get_place_proc_ids", (ompt_interface_fn_t)get_place_proc_ids},
        {"ompt_get_place_num", (ompt_interface_fn_t)get_place_num},
        {"ompt_get_partition_place_nums", (ompt_interface_fn_t)get_partition_place_nums},
        {"ompt_get_task_memory", (ompt_interface_fn_t)get_task_memory},
        {"ompt_get_target_info", (ompt_interface_fn_t)get_target_info},
        {"ompt_get_num_devices", (ompt_interface_fn_t)bomp_devices},
    };
    const struct ompt_entry *entry = find(own, count, name);
    entry = entry ? entry : find(shared, sizeof shared / sizeof *shared, name);
    return entry ? entry->function : NULL;
}
