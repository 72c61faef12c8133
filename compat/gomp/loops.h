/* Between the arguments of GOMP_*loop_* and struct bomp_loop, for long and for unsigned long long. */
#ifndef GOMP_LOOPS_H
#define GOMP_LOOPS_H

#include "bomp.h"

_Static_assert(sizeof(long) == 8 && sizeof(unsigned long long) == 8, "bounds have 64 bits");

static inline struct bomp_loop loop_of_long(long start, long end, long incr, long chunk, uint32_t schedule) {
    struct bomp_loop loop = {.chunk = chunk > 0 ? (uint64_t)chunk : 0, .schedule = schedule};
    bomp_loop_signed(&loop, start, end, incr);
    return loop;
}

static inline bool give_long(bool got, const struct bomp_span *span, long *istart, long *iend) {
    if (got) {
        *istart = (long)span->first;
        *iend = (long)span->end;
    }
    return got;
}

static inline struct bomp_loop loop_of_ull(bool up, unsigned long long start, unsigned long long end,
                                           unsigned long long incr, unsigned long long chunk,
                                           uint32_t schedule) {
    struct bomp_loop loop = {.chunk = chunk, .schedule = schedule};
    bomp_loop_unsigned(&loop, up, start, end, incr);
    return loop;
}

static inline bool give_ull(bool got, const struct bomp_span *span, unsigned long long *istart,
                            unsigned long long *iend) {
    if (got) {
        *istart = span->first;
        *iend = span->end;
    }
    return got;
}

#endif
