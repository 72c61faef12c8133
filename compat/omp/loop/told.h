/* What tools are told of the worksharing constructs that a member is in. Called where they are told alone. */
#ifndef BOMP_LOOP_TOLD_H
#define BOMP_LOOP_TOLD_H

#include "omp/state/member.h"
#include "omp/tool/thread.h"
#include "omp/tool/work.h"

/* Of a schedule that is resolved (schedule.h). */
ompt_work_t bomp_told_loop_kind(uint32_t schedule);

/* The member begins a loop or sections construct, where the entry point said, or the region that they were installed for;
 * ends it, if one has begun. `code` NULL: where it has begun. */
void bomp_told_loop_begin(struct bomp_member *self, ompt_work_t kind, uint64_t count);
void bomp_told_loop_end(struct bomp_member *self, const void *code);

/* The same of a single or a scope construct, whose end code of GCC does not tell: it ends at the next construct or barrier
 * then. */
void bomp_told_block_begin(struct bomp_member *self, ompt_work_t kind, const void *code);
void bomp_told_block_end(struct bomp_member *self, const void *code);

/* It has merged its part of a reduction, or leaves that to others: if it has begun to. */
void bomp_told_merged(struct bomp_member *self, const void *site);

/* The region ends: so does what has begun in it. */
void bomp_told_over(struct bomp_member *self);

#endif
