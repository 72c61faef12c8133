#include "omp/tool/sync.h"

#include "omp/tool/region.h"

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

/* With the barrier at its end a parallel region is over, or a league. */
static struct bomp_tool_region *region_at(struct bomp_member *self, ompt_sync_region_t kind,
                                          ompt_scope_endpoint_t endpoint) {
    bool is_last =
        kind == ompt_sync_region_barrier_implicit_parallel || kind == ompt_sync_region_barrier_teams;
    return is_last && endpoint == ompt_scope_end ? NULL : bomp_tool_region(self);
}

/* Of a task, in a region or NULL. */
BZ_COLD static void region_for_all(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                                   struct bomp_tool_region *region, struct bomp_tool_task *task,
                                   const void *code) {
    BOMP_TELL(sync_region, sync_region, kind, endpoint, BOMP_WORD(region), BOMP_WORD(task), code);
}

BZ_COLD static void wait_for_all(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                                 struct bomp_tool_region *region, struct bomp_tool_task *task,
                                 const void *code) {
    BOMP_TELL(sync_region_wait, sync_region, kind, endpoint, BOMP_WORD(region), BOMP_WORD(task), code);
}

BZ_INLINE void tell_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                           struct bomp_tool_region *region, struct bomp_tool_task *task, const void *code) {
    if (!BOMP_TELL_ALONE(sync_region, sync_region, kind, endpoint, BOMP_WORD(region), BOMP_WORD(task), code))
        region_for_all(kind, endpoint, region, task, code);
}

BZ_INLINE void tell_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                         struct bomp_tool_region *region, struct bomp_tool_task *task, const void *code) {
    if (!BOMP_TELL_ALONE(sync_region_wait, sync_region, kind, endpoint, BOMP_WORD(region), BOMP_WORD(task),
                         code))
        wait_for_all(kind, endpoint, region, task, code);
}

void bomp_tell_sync_region(struct bomp_member *self, ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                           const void *code) {
    tell_region(kind, endpoint, region_at(self, kind, endpoint), bomp_tool_current(self),
                bomp_tool_code(self, code));
}

void bomp_tell_sync_wait(struct bomp_member *self, ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                         const void *code) {
    tell_wait(kind, endpoint, region_at(self, kind, endpoint), bomp_tool_current(self),
              bomp_tool_code(self, code));
}

static BZ_COLD void begin_for_all(struct bomp_tool_sync *sync, struct bomp_tool_region *region,
                                  struct bomp_tool_task *task) {
    region_for_all(sync->kind, ompt_scope_begin, region, task, sync->code);
    sync->state = bomp_tool_state(wait_state(sync->kind));
    wait_for_all(sync->kind, ompt_scope_begin, region, task, sync->code);
}

static BZ_COLD void end_for_all(const struct bomp_tool_sync *sync, struct bomp_tool_region *region,
                                struct bomp_tool_task *task) {
    wait_for_all(sync->kind, ompt_scope_end, region, task, sync->code);
    bomp_tool_state((ompt_state_t)sync->state);
    region_for_all(sync->kind, ompt_scope_end, region, task, sync->code);
}

void bomp_tell_sync_begin(struct bomp_member *self, struct bomp_tool_sync *sync) {
    struct bomp_tool_task *task = bomp_tool_current(self);
    struct bomp_tool_region *region = bomp_tool_region(self);
    const unsigned client = 0;
    if (sync->frame)
        bomp_tool_enter_frame(task, sync->frame, ompt_frame_framepointer);
    sync->code = bomp_tool_code(self, sync->code);
    if (bz_unlikely(bz_load_relaxed(&bomp_tool_table.count) > 1)) { /* relaxed: as calls */
        begin_for_all(sync, region, task);
        return;
    }
    BOMP_TELL_ONE(sync_region, sync_region,
                  call_(sync->kind, ompt_scope_begin, BOMP_WORD(region), BOMP_WORD(task), sync->code));
    sync->state = bomp_tool_state(wait_state(sync->kind));
    BOMP_TELL_ONE(sync_region_wait, sync_region,
                  call_(sync->kind, ompt_scope_begin, BOMP_WORD(region), BOMP_WORD(task), sync->code));
}

void bomp_tell_sync_end(struct bomp_member *self, const struct bomp_tool_sync *sync) {
    struct bomp_tool_task *task = bomp_tool_current(self);
    struct bomp_tool_region *region = region_at(self, sync->kind, ompt_scope_end);
    const unsigned client = 0;
    if (bz_unlikely(bz_load_relaxed(&bomp_tool_table.count) > 1)) { /* relaxed: as calls */
        end_for_all(sync, region, task);
    } else {
        BOMP_TELL_ONE(sync_region_wait, sync_region,
                      call_(sync->kind, ompt_scope_end, BOMP_WORD(region), BOMP_WORD(task), sync->code));
        bomp_tool_state((ompt_state_t)sync->state);
        BOMP_TELL_ONE(sync_region, sync_region,
                      call_(sync->kind, ompt_scope_end, BOMP_WORD(region), BOMP_WORD(task), sync->code));
    }
    if (sync->frame)
        bomp_tool_enter_frame(task, NULL, 0);
}

BZ_INLINE void tell_empty_wait(unsigned client, struct bomp_tool_region *region, struct bomp_tool_task *task,
                               const void *code) {
    const ompt_sync_region_t kind = ompt_sync_region_taskwait;
    BOMP_TELL_ONE(sync_region, sync_region,
                  call_(kind, ompt_scope_begin, BOMP_WORD(region), BOMP_WORD(task), code));
    uint32_t before = bomp_tool_state(ompt_state_wait_taskwait);
    BOMP_TELL_ONE(sync_region_wait, sync_region,
                  call_(kind, ompt_scope_begin, BOMP_WORD(region), BOMP_WORD(task), code));
    BOMP_TELL_ONE(sync_region_wait, sync_region,
                  call_(kind, ompt_scope_end, BOMP_WORD(region), BOMP_WORD(task), code));
    bomp_tool_state((ompt_state_t)before);
    BOMP_TELL_ONE(sync_region, sync_region,
                  call_(kind, ompt_scope_end, BOMP_WORD(region), BOMP_WORD(task), code));
}

void bomp_tell_empty_wait(uint32_t clients, struct bomp_member *self, struct bomp_tool_task *task,
                          const void *code) {
    struct bomp_tool_region *region = bomp_tool_region(self);
    const void *from = bomp_tool_code(self, code);
    if (bz_likely(clients == 1))
        tell_empty_wait(0, region, task, from);
    else
        for (; clients; clients &= clients - 1)
            tell_empty_wait((unsigned)__builtin_ctz(clients), region, task, from);
}
