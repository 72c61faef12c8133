/* Who runs a chunk of a buffer.
 *
 *   owner   next = k + 1; light fence; read end: above k: k is its own. Else, or if the buffer was empty, it resolves
 *   thief   end from e to -e, its mark; heavy fence; read next: m; end from -e to m: from m on all are its own. If that
 *           fails the owner has decided: what it finds there and all above are its own, or none if it finds 0
 *   resolve a mark -e: next = k + 1 unless k is e; end from -e to k + 1, or to 0 if that leaves nothing: k is its own,
 *           the rest the thief's, and it touches the buffer no more in this construct. An end above k: a thief has
 *           decided that k is the owner's. Another end: from that to 0. The buffer is closed, and can be opened again
 *
 * All changes of end but the opening are by compare-and-swap. Of an owner that takes k and a thief, either the owner does
 * not see e any more, or the thief sees k + 1 (the fences). In the second case k is below m. In the first, one of them
 * decides for both; if it is the thief, m is k or k + 1. The mark -e stays until one of them decides. If it is the owner,
 * end is neither e nor -e again, so that the thief finds the decision. A thief that is late with its mark finds a buffer
 * that is closed, or open, or its owner finds the mark before it closes it.
 *
 * A heavy fence takes microseconds, so a thief looks elsewhere first (range.c). All is relaxed but for what the table says:
 * a buffer says who runs which iteration and nothing about the program's data. Model: tests/model/chunk_buffer.pml.
 *
 * Pairing table
 *   HD1 open, resolve  HD2 holds, steal   next is as new as end
 *   HD3 take           HD4 steal          the next chunk or the mark: one of them sees the other's */
#include "omp/loop/chunk_buffer.h"

/* What the owner makes of the end when all below `mine` is its own. */
static int64_t left(int64_t mine, int64_t end) {
    return mine < end ? mine : 0;
}

bool bomp_chunk_buffer_resolve(struct bomp_chunk_buffer *buffer, uint64_t chunk, bool *disputed) {
    int64_t k = (int64_t)chunk,
            end = bz_load_relaxed(&buffer->end); /* relaxed: decided by compare and swap */
    if (*disputed)
        return false;
    while (end > 0 ? k >= end : end < 0) {
        int64_t mine = k < -end ? k + 1 : k; /* if a thief has marked it; there may be none left */
        if (end > 0) {
            if (bz_cas_relaxed(&buffer->end, &end, 0)) /* relaxed: there is nothing to be had */
                return false;
            continue;
        }
        bz_store_relaxed(&buffer->next, mine);                      /* relaxed: HD1 publishes it */
        if (bz_cas_release(&buffer->end, &end, left(mine, -end))) { /* HD1: pairs with HD2 */
            *disputed = true;
            return k < mine;
        }
    }
    return k < end;
}

bool bomp_chunk_buffer_steal(struct bomp_chunk_buffer *buffer, uint64_t *first, uint64_t *last) {
    int64_t end = bz_load_acquire(&buffer->end), now = -end; /* HD2: pairs with HD1 */
    if (bz_load_relaxed(&buffer->next) >= end || !bz_cas_relaxed(&buffer->end, &end, -end))
        return false;
    bz_fence_heavy(); /* HD4: pairs with HD3. The mark before the look at the next chunk */
    int64_t next = bz_load_relaxed(&buffer->next);
    if (!bz_cas_relaxed(&buffer->end, &now, next))
        next = now != 0 ? now : end; /* the owner has decided */
    *first = (uint64_t)next;
    *last = (uint64_t)end;
    return next < end;
}
