/* Regions in which a task waits for others: barriers, taskwaits, taskgroups. */
#include "ompt/notify.h"

/* Of a thread that waits in a region of that kind. */
static ompt_state_t wait_state(ompt_sync_region_t kind) {
    static const uint16_t states[] = {
        [ompt_sync_region_barrier] = ompt_state_wait_barrier_implementation,
        [ompt_sync_region_barrier_implicit] = ompt_state_wait_barrier_implementation,
        [ompt_sync_region_barrier_explicit] = ompt_state_wait_barrier_explicit,
        [ompt_sync_region_barrier_implementation] = ompt_state_wait_barrier_implementation,
        [ompt_sync_region_taskwait] = ompt_state_wait_taskwait,
        [ompt_sync_region_taskgroup] = ompt_state_wait_taskgroup,
        [ompt_sync_region_reduction] = ompt_state_work_reduction,
        [ompt_sync_region_barrier_implicit_workshare] = ompt_state_wait_barrier_implicit_workshare,
        [ompt_sync_region_barrier_implicit_parallel] = ompt_state_wait_barrier_implicit_parallel,
        [ompt_sync_region_barrier_teams] = ompt_state_wait_barrier_teams,
    };
    return (ompt_state_t)states[kind];
}

static bool ends_region(const struct bomp_tool_sync *sync) {
    return sync->kind == ompt_sync_region_barrier_implicit_parallel;
}

/* At the end of a region or a league, the program's code has entered the runtime already. */
static bool enters(const struct bomp_tool_sync *sync) {
    return !ends_region(sync) && sync->kind != ompt_sync_region_barrier_teams;
}

static void enter(struct bomp_tool_task *task, const struct bomp_tool_sync *sync) {
    if (sync->frame)
        ompt_enter_frame(task, sync->frame, ompt_frame_framepointer);
    else
        ompt_enter_noted(task);
}

/* Its code ends with the region, if that has a function; else it goes on. */
static void leave_body(struct bomp_member *self) {
    ompt_work_over(self);
    if (self->team->body.fn)
        self->tool.task.frame.exit_frame.ptr = NULL;
}

/* For our own tools the primary thread's barrier at a region's end is where the others' is. */
static const void *entry_of(const struct bomp_member *self, const struct bomp_tool_sync *sync) {
    const void *entry = ends_region(sync) && self->num == 0 ? ompt_region(self)->entry : NULL;
    return entry ? entry : sync->code;
}

/* A wait for nothing is for some clients alone. */
static inline uint32_t clients_of(const struct bomp_tool_sync *sync) {
    return bz_unlikely(sync->empty) ? ompt_that_see_all() : ompt_attached();
}

#define NOTIFY(event, endpoint)                                                                              \
    OMPT_NOTIFY_SOME(clients_of(sync), event, sync_region, sync->kind, endpoint, OMPT_WORD(region),          \
                     OMPT_WORD(task), OMPT_PLACE(sync->code, entry_of(self, sync)))

static void begin(struct bomp_member *self, struct bomp_tool_sync *sync) {
    struct bomp_tool_task *task = ompt_current(self);
    struct bomp_tool_region *region = ompt_region(self);
    if (clients_of(sync) == 0)
        return;
    if (ends_region(sync))
        leave_body(self);
    if (enters(sync))
        enter(task, sync);
    sync->code = ompt_site(self, sync->code);
    if (!sync->open)
        NOTIFY(sync_region, ompt_scope_begin);
    sync->state = ompt_enter_state(wait_state(sync->kind));
    NOTIFY(sync_region_wait, ompt_scope_begin);
}

static void end(struct bomp_member *self, struct bomp_tool_sync *sync) {
    struct bomp_tool_task *task = ompt_current(self);
    struct bomp_tool_region *region = enters(sync) ? ompt_region(self) : NULL; /* at its end it is over */
    if (clients_of(sync) == 0)
        return;
    NOTIFY(sync_region_wait, ompt_scope_end);
    (void)ompt_enter_state((ompt_state_t)sync->state);
    NOTIFY(sync_region, ompt_scope_end);
    if (enters(sync))
        ompt_enter_frame(task, NULL, 0);
    if (ends_region(sync))
        ompt_implicit_end(self);
}

static void group_begin(struct bomp_member *self, const void *code) {
    OMPT_NOTIFY_CURRENT(self, code, sync_region, sync_region, ompt_sync_region_taskgroup, ompt_scope_begin,
                        OMPT_WORD(region), OMPT_WORD(task), site);
}

/* The construct's taskgroup begins around the construct: its own begin is not reported then. */
static void group_begin_once(struct bomp_member *self, const void *code) {
    if (!self->tool.group)
        group_begin(self, code);
    self->tool.group = false;
}

const struct bomp_sync_hooks ompt_sync_hooks = {begin, end, group_begin_once};

/* ---- for entry points (bomp_tool.h) ---- */

void bomp_tool_construct_group(void) {
    struct bomp_member *self = bomp_self();
    self->tool.group = bomp_is_observed(self);
    if (self->tool.group)
        group_begin(self, bomp_entered.code);
}
