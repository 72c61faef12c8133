/* Chunk batches: chunks that a member takes at once from the shared count of a monotonic or ordered loop, since a chunk may
 * cost less than the transfer of the count's line. The member runs all of them.
 *
 *   time    a loop begins with batches of one chunk; they grow only while they take well below BZ_CHUNK_BATCH_NS
 *   share   a batch is at most BZ_CHUNK_BATCH_MOST chunks, and a small part of each member's share of the rest
 *
 * In an ordered loop the turn passes after a batch. Members share the size that they found. */
#ifndef BOMP_CHUNK_BATCH_H
#define BOMP_CHUNK_BATCH_H

#include <stdbool.h>
#include <stdint.h>

struct bomp_member;

/* Chunks that a member has taken from the shared count. Owner only. */
struct bomp_chunk_batch {
    uint64_t next, end; /* [next, end) are not begun */
    uint64_t began_ns;  /* when it took the batch, plus waits for its turn; 0: not measured */
    uint32_t taken;     /* chunks in the last batch */
};

/* Whether the member has chunks that it has not begun. */
static inline bool bomp_chunk_batch_holds(const struct bomp_chunk_batch *batch) {
    return batch->next < batch->end;
}

/* At the start of a loop, and at an early end. */
static inline void bomp_chunk_batch_drop(struct bomp_chunk_batch *batch) {
    *batch = (struct bomp_chunk_batch){0};
}

/* The member's next chunk. False: no more. */
bool bomp_chunk_batch_take(struct bomp_member *self, uint64_t *chunk);

#endif
