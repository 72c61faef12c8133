#include "omp/loop/chunk_batch.h"

/* Whether its chunks had better be dealt out one by one, in an ordered loop. */
static bool is_costly(const struct bomp_chunk_batch *batch, uint64_t ns) {
    return ns > BZ_TURN_MOVE_NS + (uint64_t)batch->taken * batch->chunk_ns;
}

static uint32_t shrunk(const struct bomp_chunk_batch *batch, uint64_t ns) {
    uint64_t size = (uint64_t)batch->taken * BZ_CHUNK_BATCH_NS / ns;
    return size > 1 && !is_costly(batch, ns) ? (uint32_t)size : 1;
}

static uint32_t judged(const struct bomp_chunk_batch *batch, uint64_t ns) {
    if (ns > BZ_CHUNK_BATCH_NS || is_costly(batch, ns))
        return shrunk(batch, ns);
    if (ns > BZ_CHUNK_BATCH_NS / 2)
        return batch->size;
    uint32_t twice = 2 * batch->taken;
    return twice < batch->most ? twice : batch->most;
}

static void judge(struct bomp_chunk_batch *batch, uint64_t ns) {
    uint32_t size = judged(batch, ns);
    if (size == 1)
        batch->unmeasured = BOMP_CHUNK_BATCH_SINGLE_UNMEASURED;
    else if (size == batch->size && batch->buffer != &batch->own)
        batch->unmeasured = BOMP_CHUNK_BATCH_STOLEN_UNMEASURED;
    batch->size = size;
}

void bomp_chunk_batch_measure(struct bomp_chunk_batch *batch) {
    uint64_t now = bz_os_now_ns();
    if (batch->began_ns != 0)
        judge(batch, now - batch->began_ns);
    batch->began_ns = batch->unmeasured > 0 ? 0 : now;
}
