/* Worksharing constructs, reductions, masked constructs, and what cancels them. */
#include "omp/icv/schedule.h"
#include "ompt/notify.h"

/* ---- constructs ---- */

/* AUTO deals out halves: its chunks shrink as well. */
static ompt_work_t kind_of_loop(uint32_t schedule) {
    static const ompt_work_t kinds[] = {[BOMP_LOOP_RUNTIME] = ompt_work_loop_other,
                                        [BOMP_LOOP_STATIC] = ompt_work_loop_static,
                                        [BOMP_LOOP_DYNAMIC] = ompt_work_loop_dynamic,
                                        [BOMP_LOOP_GUIDED] = ompt_work_loop_guided,
                                        [BOMP_LOOP_AUTO] = ompt_work_loop_guided};
    uint32_t kind = schedule & BOMP_LOOP_KIND;
    return kind <= BOMP_LOOP_AUTO ? kinds[kind] : ompt_work_loop_other;
}

static void report(struct bomp_member *self, const struct bomp_tool_work *work,
                   ompt_scope_endpoint_t endpoint, const void *code) {
    OMPT_NOTIFY_CURRENT(self, code, work, work, work->kind, endpoint, OMPT_WORD(region), OMPT_WORD(task),
                        work->count, site);
}

static void end(struct bomp_member *self, struct bomp_tool_work *work, const void *code) {
    struct bomp_tool_work what = *work;
    work->kind = (ompt_work_t)0;
    if (what.kind)
        report(self, &what, ompt_scope_end, code ? code : what.code);
}

static void block_end(struct bomp_member *self, const void *code) {
    end(self, &self->tool.block, code);
}

static void begin(struct bomp_member *self, struct bomp_tool_work *work, struct bomp_tool_work what) {
    block_end(self, what.code);
    *work = what;
    report(self, work, ompt_scope_begin, what.code);
}

/* Where the entry point noted, or the region that the loop was installed for. */
static void begin_loop(struct bomp_member *self, ompt_work_t kind, uint64_t count) {
    const void *code = bomp_code_or(ompt_region_of(self->team)->entry);
    begin(self, &self->tool.loop, (struct bomp_tool_work){kind, count, code});
}

static void loop_begin(struct bomp_member *self, uint32_t schedule, uint64_t count) {
    begin_loop(self, schedule == BOMP_TOOL_SECTIONS ? ompt_work_sections : kind_of_loop(schedule), count);
}

static void loop_end(struct bomp_member *self, const void *code) {
    end(self, &self->tool.loop, code);
}

static void begin_block(struct bomp_member *self, ompt_work_t kind, const void *code) {
    begin(self, &self->tool.block, (struct bomp_tool_work){kind, 1, code});
}

/* A thread that does not execute it is through at once. */
static void single_begin(struct bomp_member *self, bool executes, const void *code) {
    begin_block(self, executes ? ompt_work_single_executor : ompt_work_single_other, code);
    if (!executes)
        block_end(self, code);
}

static void taskloop(struct bomp_member *self, bool begins, uint64_t count, const void *code) {
    const struct bomp_tool_work work = {ompt_work_taskloop, count, code};
    report(self, &work, begins ? ompt_scope_begin : ompt_scope_end, code);
}

void ompt_work_over(struct bomp_member *self) {
    loop_end(self, NULL);
    block_end(self, NULL);
}

/* ---- their parts ---- */

static void dispatch(struct bomp_member *self, ompt_dispatch_t kind, ompt_data_t instance) {
    OMPT_NOTIFY_CURRENT(self, NULL, dispatch, dispatch, OMPT_WORD(region), OMPT_WORD(task), kind, instance);
}

static void begin_chunk(struct bomp_member *self, ompt_dispatch_t kind, uint64_t first, uint64_t iterations) {
    ompt_dispatch_chunk_t chunk = {.start = first, .iterations = iterations};
    dispatch(self, kind, (ompt_data_t){.ptr = &chunk});
}

static void chunk(struct bomp_member *self, uint64_t first, uint64_t iterations) {
    begin_chunk(self, ompt_dispatch_ws_loop_chunk, first, iterations);
}

static void section(struct bomp_member *self, const void *code) {
    dispatch(self, ompt_dispatch_section, (ompt_data_t){.ptr = (void *)(uintptr_t)code});
}

/* Of the first dimensions, as many as fit. */
static void iteration(struct bomp_member *self, const uint64_t *index, ompt_dependence_type_t type) {
    ompt_dependence_t items[16];
    const unsigned most = sizeof items / sizeof *items;
    unsigned dimensions = self->tool.dimensions < most ? self->tool.dimensions : most;
    for (unsigned i = 0; i < dimensions; i++)
        items[i] = (ompt_dependence_t){{.value = index[i]}, type};
    if (dimensions > 0)
        OMPT_NOTIFY_CURRENT(self, NULL, dependences, dependences, OMPT_WORD(task), items, (int)dimensions);
}

/* ---- reductions ---- */

static void report_reduction(struct bomp_member *self, ompt_scope_endpoint_t endpoint, const void *code) {
    OMPT_NOTIFY_CURRENT(self, NULL, reduction, sync_region, ompt_sync_region_reduction, endpoint,
                        OMPT_WORD(region), OMPT_WORD(task), code);
}

static void merged(struct bomp_member *self, const void *site) {
    const void *code = bomp_code_or(site);
    if (!self->tool.reduces)
        return;
    self->tool.reduces = false;
    report_reduction(self, ompt_scope_end, code);
    (void)ompt_enter_state(ompt_state_work_parallel);
}

static void cancel(struct bomp_member *self, int flags, const void *code) {
    OMPT_NOTIFY_CURRENT(self, code, cancel, cancel, OMPT_WORD(task), flags, site);
}

const struct bomp_work_hooks ompt_work_hooks = {
    .loop_begin = loop_begin,
    .loop_end = loop_end,
    .single_begin = single_begin,
    .block_end = block_end,
    .chunk = chunk,
    .section = section,
    .taskloop = taskloop,
    .merged = merged,
    .cancel = cancel,
    .iteration = iteration,
};

/* ---- for entry points (bomp_tool.h) ---- */

void bomp_tool_static(enum bomp_static_kind kind, uint64_t count, uint64_t first, uint64_t iterations) {
    static const ompt_work_t kinds[] = {
        [BOMP_STATIC_LOOP] = ompt_work_loop_static,
        [BOMP_STATIC_SECTIONS] = ompt_work_sections,
        [BOMP_STATIC_DISTRIBUTE] = ompt_work_distribute,
    };
    struct bomp_member *self = bomp_self();
    begin_loop(self, kinds[kind], count);
    if (kind == BOMP_STATIC_SECTIONS)
        for (uint64_t i = 0; i < iterations; i++)
            section(self, self->tool.loop.code);
    else if (iterations > 0)
        begin_chunk(self,
                    kind == BOMP_STATIC_DISTRIBUTE ? ompt_dispatch_distribute_chunk
                                                   : ompt_dispatch_ws_loop_chunk,
                    first, iterations);
}

void bomp_tool_loop_end(void) {
    loop_end(bomp_self(), bomp_take_code());
}

void bomp_tool_masked(bool begins) {
    struct bomp_member *self = bomp_self();
    const void *code = bomp_take_code();
    OMPT_NOTIFY_CURRENT(self, code, masked, masked, begins ? ompt_scope_begin : ompt_scope_end,
                        OMPT_WORD(region), OMPT_WORD(task), site);
}

void bomp_tool_scope(bool begins) {
    struct bomp_member *self = bomp_self();
    const void *code = bomp_take_code();
    if (begins)
        begin_block(self, ompt_work_scope, code);
    else
        block_end(self, code);
}

void bomp_masked_end(void) {
    BOMP_NOTIFY_HERE(bomp_tool_masked(false));
}

void bomp_scope_end(void) {
    BOMP_NOTIFY_HERE(bomp_tool_scope(false));
}

void bomp_tool_reduction(bool begins) {
    struct bomp_member *self = bomp_self();
    if (!begins) {
        merged(self, NULL);
        return;
    }
    self->tool.reduces = true;
    report_reduction(self, ompt_scope_begin, bomp_take_code());
    (void)ompt_enter_state(ompt_state_work_reduction);
}
