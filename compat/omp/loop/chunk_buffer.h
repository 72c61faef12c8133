/* A chunk buffer: chunks of a loop that a member has taken several at a time (chunk_batch.h) and hands out to itself one
 * by one, for a store and a load each. Only a chunk that runs is out of the reach of thieves: in some programs an
 * iteration waits for others, and one may take long where those before it did not. The protocol is in chunk_buffer.c. */
#ifndef BOMP_CHUNK_BUFFER_H
#define BOMP_CHUNK_BUFFER_H

#include <stdbool.h>
#include <stdint.h>

#include "omp/state/chunks.h"
#include "runtime.h"

/* Its owner, when it is empty: chunks [first, last). */
static inline void bomp_chunk_buffer_open(struct bomp_chunk_buffer *buffer, uint64_t first, uint64_t last) {
    bz_store_relaxed(&buffer->next, (int64_t)first); /* relaxed: HD1 publishes it */
    bz_store_release(&buffer->end, (int64_t)last);   /* HD1: pairs with HD2 */
}

/* Only the caller can reach it. */
static inline void bomp_chunk_buffer_clear(struct bomp_chunk_buffer *buffer) {
    bz_store_relaxed(&buffer->next, 0); /* relaxed, as the next: published with the construct */
    bz_store_relaxed(&buffer->end, 0);
}

/* Whether something is left of it; a hint. */
static inline bool bomp_chunk_buffer_holds(const struct bomp_chunk_buffer *buffer) {
    int64_t end = bz_load_acquire(&buffer->end); /* HD2: pairs with HD1 */
    return bz_load_relaxed(&buffer->next) < end;
}

/* Its owner takes the next one, *chunk. False: there is none, or a thief is at it, which bomp_chunk_buffer_resolve finds
 * out. */
static inline bool bomp_chunk_buffer_take(struct bomp_chunk_buffer *buffer, uint64_t *chunk) {
    int64_t next = bz_load_relaxed(&buffer->next); /* relaxed: its own */
    *chunk = (uint64_t)next;
    if (next >= bz_load_relaxed(&buffer->end)) /* relaxed: its own, or decided later */
        return false;
    bz_store_relaxed(&buffer->next, next + 1);
    bz_fence_light(); /* HD3: pairs with HD4. The next chunk before the look at the end, or two run this one */
    return bz_likely(next < bz_load_relaxed(&buffer->end)); /* relaxed: the fences order it */
}

/* After that was false: whether the owner has `chunk` all the same. Waits for nobody. *disputed, which is false at the
 * start of a construct: the buffer must not be opened again before it is over. */
bool bomp_chunk_buffer_resolve(struct bomp_chunk_buffer *buffer, uint64_t chunk, bool *disputed);

/* Another member takes all that is left, [*first, *last). False: nothing is. */
bool bomp_chunk_buffer_steal(struct bomp_chunk_buffer *buffer, uint64_t *first, uint64_t *last);

#endif
