/* How many chunks a member takes at a time. A chunk of a dynamic loop may cost less than to take it from where others take
 * theirs, so a member takes several at once, a *chunk batch*, and hands them out to itself one by one. The price is that
 * others cannot have them:
 *
 *   time    a batch grows only while the last one took well less than BZ_CHUNK_BATCH_NS, and shrinks at once when one
 *           took longer. It begins with one chunk in each loop. The clock is read once for a batch, and for few of those
 *           that cost much
 *   share   it is at most a small part of what is left for each member, so at the end of a loop it is one chunk again; a
 *           loop of few chunks reads no clock at all
 *   theft   in nonmonotonic loops what is left of a batch can be stolen (chunk_buffer.h)
 *
 * In monotonic loops nobody else may have it: whoever took a later chunk must not get an earlier one. When chunks that cost
 * nothing are followed by some that cost much, the rest of one batch waits behind the first of these. It is at most
 * BZ_CHUNK_BATCH_MONOTONIC chunks, and at most a part of what is left, a quarter of what a guided loop would hand out.
 *
 * In ordered loops a batch is one chunk to the others: its turn is passed on at its end. So batches run one after the other,
 * and pay where a chunk costs less than it takes to pass the turn on: BZ_TURN_NS, or some microseconds where threads
 * outnumber the CPUs. What a member waits for its turn is not counted. And what it has found is passed on with the turn:
 * with many members each has few batches. */
#ifndef BOMP_CHUNK_BATCH_H
#define BOMP_CHUNK_BATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "omp/base/tuning.h"
#include "omp/loop/chunk_buffer.h"
#include "omp/state/chunks.h"

/* For a loop. No batch is to have more than `most` chunks; theft: the buffer that others may steal from, or NULL. */
static inline void bomp_chunk_batch_begin(struct bomp_chunk_batch *batch, struct bomp_chunk_buffer *theft,
                                          uint32_t most, uint32_t chunk_ns) {
    batch->buffer = theft ? theft : &batch->own;
    batch->seen = batch->began_ns = 0;
    batch->size = batch->unmeasured = 1;
    batch->most = most;
    batch->chunk_ns = chunk_ns;
    batch->disputed = false;
}

/* No loop, or one that ends before its chunks do. */
static inline void bomp_chunk_batch_drop(struct bomp_chunk_batch *batch) {
    batch->size = 0;
    batch->quick = false;
    bomp_chunk_buffer_clear(&batch->own);
}

/* The time of the last batch says how large the next one may be. */
void bomp_chunk_batch_measure(struct bomp_chunk_batch *batch);

/* How many chunks to take now, at least 1, where `share` are this member's part of what is left. */
static inline uint32_t bomp_chunk_batch_size(struct bomp_chunk_batch *batch, uint64_t share) {
    if (share < 2 || batch->most < 2 || batch->disputed)
        return 1;
    if (share < BOMP_CHUNK_BATCH_LEAST)
        batch->began_ns = 0;
    else if (batch->unmeasured > 0)
        batch->unmeasured--;
    else
        bomp_chunk_batch_measure(batch);
    return batch->taken = batch->size < share ? batch->size : (uint32_t)share;
}

/* Others of the team have found that this many chunks may be taken. */
static inline void bomp_chunk_batch_learn(struct bomp_chunk_batch *batch, uint32_t size) {
    if (size > 0)
        batch->size = size;
}

/* The member did something else than running its chunks. */
static inline void bomp_chunk_batch_interrupt(struct bomp_chunk_batch *batch) {
    batch->began_ns = 0;
}

#endif
