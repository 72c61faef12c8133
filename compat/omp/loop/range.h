/* Ranges of chunks, from which nonmonotonic dynamic loops are dealt out: each member has one, and takes from those of others
 * when its own is empty. The protocol is in range.c. */
#ifndef BOMP_RANGE_H
#define BOMP_RANGE_H

#include <stdbool.h>

#include "runtime.h"

struct bomp_member;

/* One member's, all zero when the loop begins. */
struct bomp_range {
    /* The chunks that its member takes from the front and thieves from the back. Zero: still the member's first part.
     * Changed by the member and by thieves. */
    BZ_ALIGN_LINE struct bz_a64 word;
    struct bz_a32
        parts; /* the member's parts that were begun, without the first; raised by the member and by thieves */
};

/* Begins a loop that is dealt out by ranges. */
void bomp_range_begin(struct bomp_member *self);

/* The member's next chunk, in a team of several, of less than 2^32 chunks. False: there are no more for it. */
bool bomp_range_take(struct bomp_member *self, uint64_t *chunk);

/* Only the caller can reach it. */
static inline void bomp_range_clear(struct bomp_range *range) {
    bz_store_relaxed(&range->word, 0); /* relaxed, as the next: published with the construct */
    bz_store_relaxed(&range->parts, 0);
}

#endif
