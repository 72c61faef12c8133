#include "omp/tool/work.h"

#include "omp/tool/thread.h"

BZ_COLD static void work_for_all(ompt_work_t kind, ompt_scope_endpoint_t endpoint,
                                 struct bomp_tool_region *region, struct bomp_tool_task *task, uint64_t count,
                                 const void *code) {
    BOMP_TELL(work, work, kind, endpoint, BOMP_WORD(region), BOMP_WORD(task), count, code);
}

void bomp_tell_work(struct bomp_member *self, ompt_work_t kind, ompt_scope_endpoint_t endpoint,
                    uint64_t count, const void *code) {
    if (!bomp_tool_is_told(self))
        return;
    struct bomp_tool_task *task = bomp_tool_current(self);
    struct bomp_tool_region *region = bomp_tool_region(self);
    code = bomp_tool_code(self, code);
    if (!BOMP_TELL_ALONE(work, work, kind, endpoint, BOMP_WORD(region), BOMP_WORD(task), count, code))
        work_for_all(kind, endpoint, region, task, count, code);
}

static void dispatch(struct bomp_member *self, ompt_dispatch_t kind, ompt_data_t instance) {
    if (!bomp_tool_is_told(self))
        return;
    struct bomp_tool_task *task = bomp_tool_current(self);
    struct bomp_tool_region *region = bomp_tool_region(self);
    BOMP_TELL(dispatch, dispatch, BOMP_WORD(region), BOMP_WORD(task), kind, instance);
}

void bomp_tell_chunk(struct bomp_member *self, ompt_dispatch_t kind, uint64_t first, uint64_t iterations) {
    ompt_dispatch_chunk_t chunk = {.start = first, .iterations = iterations};
    dispatch(self, kind, (ompt_data_t){.ptr = &chunk});
}

void bomp_tell_section(struct bomp_member *self, const void *code) {
    dispatch(self, ompt_dispatch_section, (ompt_data_t){.ptr = (void *)(uintptr_t)code});
}

BZ_COLD static void masked_for_all(ompt_scope_endpoint_t endpoint, struct bomp_tool_region *region,
                                   struct bomp_tool_task *task, const void *code) {
    BOMP_TELL(masked, masked, endpoint, BOMP_WORD(region), BOMP_WORD(task), code);
}

void bomp_tell_masked(struct bomp_member *self, ompt_scope_endpoint_t endpoint, const void *code) {
    if (!bomp_tool_is_told(self))
        return;
    struct bomp_tool_task *task = bomp_tool_current(self);
    struct bomp_tool_region *region = bomp_tool_region(self);
    code = bomp_tool_code(self, code);
    if (!BOMP_TELL_ALONE(masked, masked, endpoint, BOMP_WORD(region), BOMP_WORD(task), code))
        masked_for_all(endpoint, region, task, code);
}

void bomp_tell_reduction(struct bomp_member *self, ompt_scope_endpoint_t endpoint, const void *code) {
    if (!bomp_tool_is_told(self))
        return;
    struct bomp_tool_task *task = bomp_tool_current(self);
    struct bomp_tool_region *region = bomp_tool_region(self);
    BOMP_TELL(reduction, sync_region, ompt_sync_region_reduction, endpoint, BOMP_WORD(region),
              BOMP_WORD(task), code);
}

void bomp_tell_cancel(struct bomp_tool_task *task, int flags, const void *code) {
    BOMP_TELL(cancel, cancel, BOMP_WORD(task), flags, code);
}

void bomp_tell_dependences(struct bomp_tool_task *task, const ompt_dependence_t *items, size_t count) {
    BOMP_TELL(dependences, dependences, BOMP_WORD(task), items, (int)count);
}
