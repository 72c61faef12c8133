/* The chunks of a dynamic loop: those in a member's chunk buffer (loop/chunk_buffer.h), how many it takes at a time
 * (loop/chunk_batch.h), and the range that it takes them from (loop/range.h). */
#ifndef BOMP_STATE_CHUNKS_H
#define BOMP_STATE_CHUNKS_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime.h"

/* Chunks [next, end); an end of 0: none. `next` is written by its owner, `end` by its owner, and by thieves who take the
 * rest; negative while one is at it. */
struct bomp_chunk_buffer {
    struct bz_ai64 next, end;
};

/* Owner only. */
struct bomp_chunk_batch {
    struct bomp_chunk_buffer *buffer; /* where the rest of its batch is: in its range, or in `own` */
    struct bomp_chunk_buffer own;     /* what nobody may steal */
    uint64_t seen; /* of a shared count: all chunks before this one were taken when it last looked */
    /* When the batch was taken, later by what it waited for its turn; 0: its time is not wanted. */
    uint64_t began_ns;
    uint32_t size;       /* chunks to take next, if enough are left */
    uint32_t taken;      /* in the last batch */
    uint32_t most;       /* at a time, in this loop */
    uint32_t chunk_ns;   /* a batch of several may take this long for each chunk */
    uint32_t unmeasured; /* batches until the clock is read again */
    bool quick;          /* chunks in the buffer may be handed out without a further look */
    bool disputed;       /* no more batches (chunk_buffer.h) */
};

/* One member's, all zero when the loop begins. */
struct bomp_range {
    /* The chunks that its member may take from the front and others from the back. Zero: nobody has looked at it, it
     * holds that member's first part. Changed by its member and by thieves. */
    BZ_ALIGN_LINE struct bz_a64 word;
    struct bz_a32 parts; /* of the member's parts but the first, those that were begun; changed by the same */
    struct bomp_chunk_buffer buffer; /* what its member has taken from the front and not begun */
};

#endif
