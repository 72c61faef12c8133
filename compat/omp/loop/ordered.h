/* Ordered loops. A member passes the turn on after the ordered regions of all iterations of its chunk, or when it takes its
 * next chunk. Chunks are handed out in increasing order, one at a time. */
#ifndef BOMP_ORDERED_H
#define BOMP_ORDERED_H

#include "omp/icv/schedule.h"
#include "omp/loop/workshare.h"
#include "omp/team/team_data.h"

/* Waits for the member's turn and passes it on. */
void bomp_ordered_pass_slow(struct bomp_member *self);

/* After the member's chunk, if it has one. */
static inline void bomp_ordered_pass(struct bomp_member *self) {
    if (bz_unlikely(self->ws->pending != 0))
        bomp_ordered_pass_slow(self);
}

/* The member has taken a chunk, which is not empty. */
static inline void bomp_ordered_chunk(struct bomp_member *self, struct bomp_part part) {
    if (self->ws->loop.schedule & BOMP_LOOP_ORDERED && self->team->size > 1) {
        self->ws->first = part.first;
        self->ws->last = part.last;
        self->ws->pending = part.last - part.first;
    }
}

#endif
