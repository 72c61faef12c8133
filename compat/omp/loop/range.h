/* Ranges of chunks for nonmonotonic dynamic loops (range.c). */
#ifndef BOMP_RANGE_H
#define BOMP_RANGE_H

#include <stdbool.h>

#include "runtime.h"

struct bomp_member;

/* One member's, all zero when the loop begins. */
struct bomp_range {
    /* Its member takes from the front, thieves from the back; changed by both. Zero: still the member's first part. */
    BZ_ALIGN_LINE struct bz_a64 word;
    struct bz_a32 parts; /* begun ones, without the first; raised by the member and by thieves */
    /* 1, in the first range of a group: no member of the group had chunks. Written and read by members that take chunks. */
    struct bz_a32 group_empty;
};

/* Begins a loop that is dealt out by ranges. */
void bomp_range_begin(struct bomp_member *self);

/* The member's next chunk, of less than 2^32. False: no more. */
bool bomp_range_take(struct bomp_member *self, uint64_t *chunk);

/* Only the caller can reach it. */
static inline void bomp_range_clear(struct bomp_range *range) {
    bz_store_relaxed(&range->word, 0); /* relaxed, as the next: published with the construct */
    bz_store_relaxed(&range->parts, 0);
    bz_store_relaxed(&range->group_empty, 0);
}

#endif
