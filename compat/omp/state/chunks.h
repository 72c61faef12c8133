/* The range that a member takes the chunks of a dynamic loop from (loop/range.h). */
#ifndef BOMP_STATE_CHUNKS_H
#define BOMP_STATE_CHUNKS_H

#include <stdint.h>

#include "runtime.h"

/* One member's, all zero when the loop begins. */
struct bomp_range {
    /* The chunks that its member may take from the front and others from the back. Zero: nobody has looked at it, it
     * holds that member's first part. Changed by its member and by thieves. */
    BZ_ALIGN_LINE struct bz_a64 word;
    struct bz_a32 parts; /* of the member's parts but the first, those that were begun; changed by the same */
};

/* Chunks that a member has taken from the shared count. Owner only. */
struct bomp_chunk_batch {
    uint64_t next, end; /* [next, end) are not begun */
    uint64_t began_ns;  /* when it took the batch, later by what it waited for its turn; 0: not measured */
    uint32_t taken;     /* chunks in the last batch */
};

#endif
