#include "omp/loop/told.h"

#include "omp/bomp.h"
#include "omp/state/team.h"
#include "omp/tool/mutex.h"
#include "omp/tool/sync.h"

ompt_work_t bomp_told_loop_kind(uint32_t schedule) {
    switch (schedule & BOMP_LOOP_KIND) {
    case BOMP_LOOP_STATIC:
        return ompt_work_loop_static;
    case BOMP_LOOP_DYNAMIC:
        return ompt_work_loop_dynamic;
    case BOMP_LOOP_GUIDED:
    case BOMP_LOOP_AUTO: /* as libomp tells it */
        return ompt_work_loop_guided;
    default:
        return ompt_work_loop_other;
    }
}

static void begin(struct bomp_member *self, struct bomp_told_work *work, struct bomp_told_work what) {
    *work = what;
    bomp_tell_work(self, work->kind, ompt_scope_begin, work->count, work->code);
}

static void end(struct bomp_member *self, struct bomp_told_work *work, const void *code) {
    struct bomp_told_work what = *work;
    if (!what.kind)
        return;
    work->kind = (ompt_work_t)0;
    bomp_tell_work(self, what.kind, ompt_scope_end, what.count, code ? code : what.code);
}

void bomp_told_loop_begin(struct bomp_member *self, ompt_work_t kind, uint64_t count) {
    const void *code = bomp_tool_take_code();
    bomp_told_block_end(self, code);
    begin(self, &self->told.loop,
          (struct bomp_told_work){kind, count, code ? code : bomp_tool_region_of(self->team)->entry});
}

void bomp_told_loop_end(struct bomp_member *self, const void *code) {
    end(self, &self->told.loop, code);
}

void bomp_told_block_begin(struct bomp_member *self, ompt_work_t kind, const void *code) {
    bomp_told_block_end(self, code);
    begin(self, &self->told.block, (struct bomp_told_work){kind, 1, code});
}

void bomp_told_block_end(struct bomp_member *self, const void *code) {
    end(self, &self->told.block, code);
}

void bomp_told_merged(struct bomp_member *self, const void *site) {
    const void *code = bomp_tool_take_code();
    if (!self->told.reduces)
        return;
    self->told.reduces = false;
    bomp_tell_reduction(self, ompt_scope_end, code ? code : site);
    bomp_tool_state(ompt_state_work_parallel);
}

void bomp_told_over(struct bomp_member *self) {
    bomp_told_loop_end(self, NULL);
    bomp_told_block_end(self, NULL);
}

/* ---- for entry points (bomp_tool.h) ---- */

static ompt_work_t work_of(enum bomp_static_kind kind) {
    return kind == BOMP_STATIC_SECTIONS     ? ompt_work_sections
           : kind == BOMP_STATIC_DISTRIBUTE ? ompt_work_distribute
                                            : ompt_work_loop_static;
}

void bomp_tool_static(enum bomp_static_kind kind, uint64_t count, uint64_t first, uint64_t iterations) {
    struct bomp_member *self = bomp_self();
    bomp_told_loop_begin(self, work_of(kind), count);
    if (kind == BOMP_STATIC_SECTIONS)
        for (uint64_t i = 0; i < iterations; i++)
            bomp_tell_section(self, self->told.loop.code);
    else if (iterations > 0)
        bomp_tell_chunk(self,
                        kind == BOMP_STATIC_DISTRIBUTE ? ompt_dispatch_distribute_chunk
                                                       : ompt_dispatch_ws_loop_chunk,
                        first, iterations);
}

void bomp_tool_static_end(void) {
    bomp_told_loop_end(bomp_self(), bomp_tool_take_code());
}

static ompt_scope_endpoint_t endpoint_of(bool begins) {
    return begins ? ompt_scope_begin : ompt_scope_end;
}

void bomp_tool_masked(bool begins) {
    bomp_tell_masked(bomp_self(), endpoint_of(begins), bomp_tool_take_code());
}

void bomp_tool_scope(bool begins) {
    const void *code = bomp_tool_take_code();
    if (begins)
        bomp_told_block_begin(bomp_self(), ompt_work_scope, code);
    else
        bomp_told_block_end(bomp_self(), code);
}

void bomp_tool_reduction(bool begins) {
    struct bomp_member *self = bomp_self();
    if (!begins) {
        bomp_told_merged(self, NULL);
        return;
    }
    self->told.reduces = true;
    bomp_tell_reduction(self, ompt_scope_begin, bomp_tool_take_code());
    bomp_tool_state(ompt_state_work_reduction);
}

void bomp_tool_construct_group(void) {
    struct bomp_member *self = bomp_self();
    self->told.group = bomp_tool_is_told(self);
    if (self->told.group)
        bomp_tell_sync_region(self, ompt_sync_region_taskgroup, ompt_scope_begin, bomp_entered.code);
}

void bomp_tool_hint(unsigned hint) {
    bomp_tool_thread()->hint = hint;
}

void bomp_tool_error(bool fatal, const char *message, size_t length) {
    (void)bomp_self(); /* tools are there from here on */
    bomp_tell_error(fatal ? ompt_fatal : ompt_warning, message, length, bomp_tool_take_code());
}
