/* How a member takes chunks from the count that a team shares in a monotonic or ordered loop. A chunk may cost less than
 * the transfer of the count's line, so a member takes several at once, a *chunk batch*, and runs them one by one. No other
 * member may have them: a thread that took a later chunk must not get an earlier one.
 *
 *   time    batches start with one chunk in each loop, and grow only while they take well less than BZ_CHUNK_BATCH_NS
 *   share   a batch is at most BZ_CHUNK_BATCH_MOST chunks, and a small part of what is left for each member
 *
 * In ordered loops a batch is one chunk to the others: its owner passes the turn on at its end. So batches run one after the
 * other, and pay where a chunk costs less than it takes to pass the turn on. The wait for the turn is not counted.
 *
 * The members share what they learn of the size. */
#ifndef BOMP_CHUNK_BATCH_H
#define BOMP_CHUNK_BATCH_H

#include <stdbool.h>
#include <stdint.h>

struct bomp_member;

/* Chunks that a member has taken from the shared count. Owner only. */
struct bomp_chunk_batch {
    uint64_t next, end; /* [next, end) are not begun */
    uint64_t began_ns;  /* when it took the batch, later by what it waited for its turn; 0: not measured */
    uint32_t taken;     /* chunks in the last batch */
};

/* Whether the member has chunks that it has not begun. */
static inline bool bomp_chunk_batch_holds(const struct bomp_chunk_batch *batch) {
    return batch->next < batch->end;
}

/* At the start of a loop, and where one ends before its chunks do. */
static inline void bomp_chunk_batch_drop(struct bomp_chunk_batch *batch) {
    *batch = (struct bomp_chunk_batch){0};
}

/* The member's next chunk. False: there are no more. */
bool bomp_chunk_batch_take(struct bomp_member *self, uint64_t *chunk);

#endif
