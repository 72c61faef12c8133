/* Shares of a team's static loops by capacity (affinity/capacity.h): a member on a CPU that does twice the work in a time
 * gets twice the iterations. The shares are fixed when a region is opened: OpenMP promises that in one region equal loops
 * are dealt out equally. Loops with few iterations for each member are cut evenly: there are programs in which iteration i
 * is for thread i. */
#ifndef BOMP_SPLIT_H
#define BOMP_SPLIT_H

#include <stdint.h>

#include "omp/base/tuning.h"
#include "omp/state/schedule.h"

/* In its team, set before a region starts, constant in it. */
struct bomp_split {
    const uint32_t *sums; /* of the capacities of the members before each, and of all; NULL: they are alike */
    uint32_t *kept;       /* memory for that; its primary thread only, as `room` */
    unsigned room;        /* numbers */
};

/* The member's share of `count` iterations where the sums say so. */
struct bomp_part bomp_split_part(const uint32_t *sums, uint64_t count, unsigned num, unsigned size);
/* Whose that is which iteration `index` is in. */
unsigned bomp_split_owner_of(const uint32_t *sums, uint64_t count, uint64_t index, unsigned size);

static inline bool bomp_split_is_even(const struct bomp_split *split, const struct bomp_loop *loop,
                                      unsigned size) {
    return bz_likely(!split->sums) || !(loop->schedule & BOMP_LOOP_BY_CAPACITY) ||
           loop->count < (uint64_t)BOMP_SPLIT_LEAST * size;
}

/* The share of member num of a team of that size in a static loop without chunks. */
static inline struct bomp_part bomp_split_share(const struct bomp_split *split, const struct bomp_loop *loop,
                                                unsigned num, unsigned size) {
    return bomp_split_is_even(split, loop, size) ? bomp_schedule_share(loop->count, num, size)
                                                 : bomp_split_part(split->sums, loop->count, num, size);
}

/* Who runs iteration `index` of a static loop. */
static inline unsigned bomp_split_owner(const struct bomp_split *split, const struct bomp_loop *loop,
                                        uint64_t index, unsigned size) {
    if (loop->chunk != 0)
        return bomp_schedule_turn(loop->chunk, index, size);
    return bomp_split_is_even(split, loop, size) ? bomp_schedule_sharer(loop->count, index, size)
                                                 : bomp_split_owner_of(split->sums, loop->count, index, size);
}

#endif
