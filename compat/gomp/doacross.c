/* GOMP_loop_doacross_*, GOMP_loop_ull_doacross_*: loops whose iterations wait for each other. The generated code numbers the
 * iterations of each dimension from 0. How they wait and post: names.ld. */
#include "construct.h"
#include "loops.h"

/* All dimensions begin at 0 and are counted with 64 bits, so the functions of both types of variables are one (names.ld). A
 * chunk below 0 is that of a loop with unsigned variables. */
static bool start(unsigned ncounts, const uint64_t *counts, uint64_t chunk, uint64_t *istart, uint64_t *iend,
                  uint32_t schedule) {
    struct bomp_loop loop = loop_of_ull(true, 0, counts[0], 1, chunk, schedule);
    struct bomp_span span;
    return give(bomp_doacross_start(&loop, ncounts, counts, &span), &span, istart, iend);
}

/* clang-format off */
#define CHUNKED unsigned ncounts, uint64_t *counts, uint64_t chunk, uint64_t *istart, uint64_t *iend
#define RUNTIME unsigned ncounts, uint64_t *counts, uint64_t *istart, uint64_t *iend

#define FAMILY(form, name, chunk, schedule) \
    BOMP_EXPORT bool GOMP_loop_doacross_##name##_start(form) \
    { BOMP_ENTERED(); return start(ncounts, counts, chunk, istart, iend, schedule); }
FAMILY(CHUNKED, static, chunk, BOMP_LOOP_STATIC)
FAMILY(CHUNKED, dynamic, chunk, BOMP_LOOP_DYNAMIC)
FAMILY(CHUNKED, guided, chunk, BOMP_LOOP_GUIDED)
FAMILY(RUNTIME, runtime, 0, BOMP_LOOP_RUNTIME)
/* clang-format on */

BOMP_EXPORT bool GOMP_loop_doacross_start(unsigned ncounts, uint64_t *counts, long sched, uint64_t chunk,
                                          uint64_t *istart, uint64_t *iend, uintptr_t *reductions,
                                          void **mem) {
    BOMP_ENTERED();
    bool got = start(ncounts, counts, chunk, istart, iend, construct_schedule(sched));
    construct_shares(reductions, mem);
    return got;
}
