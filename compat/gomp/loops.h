/* Between the arguments of GOMP_*loop_* and struct bomp_loop, for long and for unsigned long long. Where a chunk begins and
 * ends is given as words of 64 bits, whichever the program has. */
#ifndef GOMP_LOOPS_H
#define GOMP_LOOPS_H

#include "omp/bomp.h"

_Static_assert(sizeof(long) == 8 && sizeof(unsigned long long) == 8, "bounds have 64 bits");

/* The step that the source asks for. GCC 12 passes that of a downward loop over an unsigned variable of 32 bits modulo
 * 2^32, as if it went upwards: from 10 down to 3 by 2 comes as (10, 3, 4294967294). Only an upward loop of a long without
 * iterations by steps of just below 2^32 could look like that, so we take it for the downward loop that it nearly always
 * is; libgomp runs nothing. What looks like loops that are as likely is taken by its word, as in libgomp: larger steps
 * downwards (by 2^31 from 4000000000 to 100 is an empty loop in blocks of 2 GiB), variables of 16 or 8 bits (from 60000
 * to 3 by 65534 is an empty loop of an int), and bounds that go upwards (from 0 to 3000000000 by 2^31 are two steps of a
 * long). */
static inline long loop_step(long start, long end, long incr) {
    const long wrap = 1L << 32, most = 1L << 24;
    bool is_wrapped = start > end && end >= 0 && start < wrap && incr >= wrap - most && incr < wrap;
    return is_wrapped ? incr - wrap : incr;
}

static inline struct bomp_loop loop_of_long(long start, long end, long incr, long chunk, uint32_t schedule) {
    struct bomp_loop loop = {.chunk = chunk > 0 ? (uint64_t)chunk : 0, .schedule = schedule};
    bomp_loop_signed(&loop, start, end, loop_step(start, end, incr));
    return loop;
}

static inline struct bomp_loop loop_of_ull(bool up, unsigned long long start, unsigned long long end,
                                           unsigned long long incr, unsigned long long chunk,
                                           uint32_t schedule) {
    struct bomp_loop loop = {.chunk = chunk, .schedule = schedule};
    bomp_loop_unsigned(&loop, up, start, end, incr);
    return loop;
}

/* Where a chunk begins and ends, if there is one. */
static inline bool give(bool got, const struct bomp_span *span, uint64_t *istart, uint64_t *iend) {
    if (got) {
        *istart = span->first;
        *iend = span->end;
    }
    return got;
}

#endif
