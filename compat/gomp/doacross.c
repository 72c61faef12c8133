/* GOMP_loop_doacross_*, GOMP_loop_ull_doacross_* and GOMP_doacross_*: loops whose iterations wait for each other. The
 * generated code numbers the iterations of each dimension from 0. */
#include <stdarg.h>

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

BOMP_EXPORT void GOMP_doacross_post(long *), GOMP_doacross_wait(long, ...);
BOMP_EXPORT void GOMP_doacross_ull_post(ull *), GOMP_doacross_ull_wait(ull, ...);

void GOMP_doacross_post(long *index) {
    bomp_doacross_post((const uint64_t *)index);
}

void GOMP_doacross_ull_post(ull *index) {
    bomp_doacross_post((const uint64_t *)index);
}

/* Waits for an iteration that is said by as many numbers as the loop has dimensions. */
static __attribute__((noinline)) void wait_for_many(unsigned dimensions, uint64_t first, va_list rest) {
    uint64_t *index = __builtin_alloca(dimensions * sizeof *index);
    index[0] = first;
    for (unsigned i = 1; i < dimensions; i++)
        index[i] = va_arg(rest, uint64_t);
    bomp_doacross_wait(index);
}

static inline void wait_for(uint64_t first, va_list rest) {
    unsigned dimensions = bomp_doacross_dimensions_to_wait(first);
    uint64_t index[2] = {first};
    if (dimensions > 2) {
        wait_for_many(dimensions, first, rest);
        return;
    }
    if (dimensions == 2)
        index[1] = va_arg(rest, uint64_t);
    if (dimensions > 0)
        bomp_doacross_wait(index);
}

void GOMP_doacross_wait(long first, ...) {
    va_list rest;
    BOMP_ENTERED();
    va_start(rest, first);
    wait_for((uint64_t)first, rest);
    va_end(rest);
}

void GOMP_doacross_ull_wait(ull first, ...) {
    va_list rest;
    BOMP_ENTERED();
    va_start(rest, first);
    wait_for(first, rest);
    va_end(rest);
}
