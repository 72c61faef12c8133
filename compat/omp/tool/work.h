/* Worksharing: what the current task of a member does of it. Called where tools are told alone. */
#ifndef BOMP_TOOL_WORK_H
#define BOMP_TOOL_WORK_H

#include "omp/tool/tool.h"

/* `count`: iterations, sections; else 1. `code`: where the program is; NULL: not known. */
void bomp_tell_work(struct bomp_member *self, ompt_work_t kind, ompt_scope_endpoint_t endpoint,
                    uint64_t count, const void *code);

/* It begins a chunk of iterations; a section, of which the program's code is at `code`. */
void bomp_tell_chunk(struct bomp_member *self, ompt_dispatch_t kind, uint64_t first, uint64_t iterations);
void bomp_tell_section(struct bomp_member *self, const void *code);

void bomp_tell_masked(struct bomp_member *self, ompt_scope_endpoint_t endpoint, const void *code);
void bomp_tell_reduction(struct bomp_member *self, ompt_scope_endpoint_t endpoint, const void *code);

/* Cancelling, ompt_cancel_flag_t. */
void bomp_tell_cancel(struct bomp_tool_task *task, int flags, const void *code);

/* What it depends on: of a task, or of an iteration of a doacross loop. */
void bomp_tell_dependences(struct bomp_tool_task *task, const ompt_dependence_t *items, size_t count);

#endif
