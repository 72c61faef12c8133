/* GOMP_loop_doacross_*, GOMP_loop_ull_doacross_*: loops whose iterations wait for each other. The generated code numbers the
 * iterations of each dimension from 0. How they wait and post: names.ld. */
#include "construct.h"
#include "loops.h"

typedef unsigned long long ull;

/* All dimensions begin at 0 and are counted with 64 bits: both kinds of arrays are one. */
static struct bomp_loop loop_of_counts(const uint64_t *counts, uint64_t chunk, uint32_t schedule) {
    return loop_of_ull(true, 0, counts[0], 1, chunk, schedule);
}

static bool start_doacross_long(unsigned ncounts, long *counts, long chunk, long *istart, long *iend,
                                uint32_t schedule) {
    struct bomp_loop loop = loop_of_counts((uint64_t *)counts, chunk > 0 ? (uint64_t)chunk : 0, schedule);
    struct bomp_span span;
    return give_long(bomp_doacross_start(&loop, ncounts, (uint64_t *)counts, &span), &span, istart, iend);
}

static bool start_doacross_ull(unsigned ncounts, ull *counts, ull chunk, ull *istart, ull *iend,
                               uint32_t schedule) {
    struct bomp_loop loop = loop_of_counts((uint64_t *)counts, chunk, schedule);
    struct bomp_span span;
    return give_ull(bomp_doacross_start(&loop, ncounts, (uint64_t *)counts, &span), &span, istart, iend);
}

/* clang-format off */
#define LONG_CHUNKED unsigned ncounts, long *counts, long chunk, long *istart, long *iend
#define LONG_RUNTIME unsigned ncounts, long *counts, long *istart, long *iend
#define ULL_CHUNKED unsigned ncounts, ull *counts, ull chunk, ull *istart, ull *iend
#define ULL_RUNTIME unsigned ncounts, ull *counts, ull *istart, ull *iend
#define FAMILIES \
    FAMILY(CHUNKED, static, chunk, BOMP_LOOP_STATIC) \
    FAMILY(CHUNKED, dynamic, chunk, BOMP_LOOP_DYNAMIC) \
    FAMILY(CHUNKED, guided, chunk, BOMP_LOOP_GUIDED) \
    FAMILY(RUNTIME, runtime, 0, BOMP_LOOP_RUNTIME)

#define FAMILY(form, name, chunk, schedule) \
    BOMP_EXPORT bool GOMP_loop_doacross_##name##_start(LONG_##form), \
        GOMP_loop_ull_doacross_##name##_start(ULL_##form);
FAMILIES
#undef FAMILY

#define FAMILY(form, name, chunk, schedule) \
    bool GOMP_loop_doacross_##name##_start(LONG_##form) \
    { BOMP_ENTERED(); return start_doacross_long(ncounts, counts, chunk, istart, iend, schedule); }
FAMILIES
#undef FAMILY

#define FAMILY(form, name, chunk, schedule) \
    bool GOMP_loop_ull_doacross_##name##_start(ULL_##form) \
    { BOMP_ENTERED(); return start_doacross_ull(ncounts, counts, chunk, istart, iend, schedule); }
FAMILIES
#undef FAMILY
/* clang-format on */

BOMP_EXPORT bool GOMP_loop_doacross_start(unsigned, long *, long, long, long *, long *, uintptr_t *, void **);
BOMP_EXPORT bool GOMP_loop_ull_doacross_start(unsigned, ull *, long, ull, ull *, ull *, uintptr_t *, void **);

bool GOMP_loop_doacross_start(unsigned ncounts, long *counts, long sched, long chunk, long *istart,
                              long *iend, uintptr_t *reductions, void **mem) {
    BOMP_ENTERED();
    bool got = start_doacross_long(ncounts, counts, chunk, istart, iend, construct_schedule(sched));
    construct_shares(reductions, mem);
    return got;
}

bool GOMP_loop_ull_doacross_start(unsigned ncounts, ull *counts, long sched, ull chunk, ull *istart,
                                  ull *iend, uintptr_t *reductions, void **mem) {
    BOMP_ENTERED();
    bool got = start_doacross_ull(ncounts, counts, chunk, istart, iend, construct_schedule(sched));
    construct_shares(reductions, mem);
    return got;
}
