/* What the entry points of the newer worksharing constructs have in common: GOMP_loop_start and its like, which serve
 * every schedule, task reductions, and memory that the threads share. */
#ifndef GOMP_CONSTRUCT_H
#define GOMP_CONSTRUCT_H

#include "omp/bomp.h"
#include "reduction.h"

/* The schedule as these functions number it: 0 runtime, 1 static, 2 dynamic, 3 guided, 4 runtime and expressly
 * nonmonotonic; bit 31: monotonic. */
static inline uint32_t construct_schedule(long sched) {
    uint32_t kind = (uint32_t)sched & 0x7fffffffu, flags = (uint32_t)sched & 0x80000000u;
    if (kind > 4)
        bomp_unknown_bits("GOMP_loop_start", "schedule", kind);
    return (kind == 4 ? BOMP_LOOP_RUNTIME : kind) | flags | BOMP_LOOP_SHARES;
}

/* Before the start of a construct. */
static inline void construct_notify(const uintptr_t *reductions) {
    if (BOMP_OBSERVED && reductions)
        bomp_tool_construct_group();
}

/* After the start of a construct. mem: NULL, or in the number of bytes that the threads want to share, out the memory. */
static inline void construct_shares(uintptr_t *reductions, void **mem) {
    if (reductions)
        gomp_reduction_start(reductions);
    if (mem)
        *mem = bomp_construct_memory((size_t)(uintptr_t)*mem);
}

#endif
