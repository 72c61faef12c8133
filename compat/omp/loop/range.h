/* Ranges of chunks, from which nonmonotonic dynamic loops are dealt out: every member has one, and takes
 * from those of others when its own is empty. The protocol is in range.c. */
#ifndef BOMP_RANGE_H
#define BOMP_RANGE_H

#include <stdbool.h>

#include "runtime.h"

struct bomp_member;

/* One member's, all zero when the loop begins. */
struct bomp_range {
    /* The chunks that its member may take from the front and others from the back. Zero: nobody has looked at it, it
     * holds that member's first part. Changed by its member and by thieves. */
    BZ_ALIGN_LINE struct bz_a64 word;
    struct bz_a32 parts; /* of the member's parts but the first, those that were begun; changed by the same */
};

/* Of a loop that the member is to get its chunks of from here on. */
void bomp_range_begin(struct bomp_member *self);

/* In a team of several, with less than 2^32 chunks. The member's next chunk; false: there are
 * no more for it. */
bool bomp_range_take(struct bomp_member *self, uint64_t *chunk);

/* Only the caller can reach it. */
static inline void bomp_range_clear(struct bomp_range *range) {
    bz_store_relaxed(&range->word, 0); /* relaxed, as the next: published with the construct */
    bz_store_relaxed(&range->parts, 0);
}

#endif
