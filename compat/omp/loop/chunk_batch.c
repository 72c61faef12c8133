/* All accesses are relaxed: they decide which member runs an iteration, or are hints. */
#include "omp/loop/chunk_batch.h"

#include "omp/loop/workshare.h"
#include "omp/team/team_data.h"

/* Least cost of passing an ordered loop's turn to another thread: shorter chunks run in batches. With 100, chunks of 45 ns
 * take 1.2 times as long on a shared cache. */
enum { TURN_NS = 40 };

/* The size of the next batch, after one of `taken` chunks took `ns`. */
static uint32_t next_size(const struct bomp_member *self, uint32_t taken, uint64_t ns) {
    bool ordered = self->ws->loop.schedule & BOMP_LOOP_ORDERED && !bz_crowded();
    if (ordered && ns > (taken + UINT64_C(3)) * TURN_NS)
        return 1;
    if (ns > BZ_CHUNK_BATCH_NS)
        return taken > 1 ? taken / 2 : 1;
    if (ns > BZ_CHUNK_BATCH_NS / 2)
        return taken;
    return 2 * taken < BZ_CHUNK_BATCH_MOST ? 2 * taken : BZ_CHUNK_BATCH_MOST;
}

/* The size of the batch that the member takes after another one. */
static uint32_t measured_size(struct bomp_member *self) {
    struct bomp_chunk_batch *batch = &self->ws->batch;
    struct bz_a32 *common = &self->ws->at->batch;
    uint32_t size = bz_load_relaxed(common);
    uint64_t now = bz_os_now_ns();
    size = size > 0 ? size : 1;
    if (batch->began_ns != 0) {
        uint32_t next = next_size(self, batch->taken, now - batch->began_ns);
        if (next != size)
            bz_store_relaxed(common, next);
        size = next;
    }
    batch->began_ns = now;
    return size;
}

/* A member that finds the loop done raises the count once more at most: it does not wrap. */
bool bomp_chunk_batch_take(struct bomp_member *self, uint64_t *chunk) {
    struct bomp_workshare_member *ws = self->ws;
    struct bomp_chunk_batch *batch = &ws->batch;
    if (bomp_chunk_batch_holds(batch)) {
        *chunk = batch->next++;
        return true;
    }
    uint64_t taken = bz_load_relaxed(&ws->at->taken);
    if (taken >= ws->chunks)
        return false;
    uint64_t share = (ws->chunks - taken) / (BZ_CHUNK_BATCH_SHARE * (uint64_t)self->team->size);
    uint32_t size = share > 1 ? measured_size(self) : 1;
    batch->taken = size < share ? size : share > 0 ? (uint32_t)share : 1;
    *chunk = bz_fetch_add_relaxed(&ws->at->taken, batch->taken);
    if (*chunk >= ws->chunks)
        return false;
    batch->next = *chunk + 1;
    batch->end = batch->taken < ws->chunks - *chunk ? *chunk + batch->taken : ws->chunks;
    return true;
}
