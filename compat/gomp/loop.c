/* GOMP_loop_* and GOMP_parallel_loop_*, for loops whose variable fits a long; the ends of all loops. */
#include "loops.h"
#include "region.h"

static bool start_loop(long start, long end, long incr, long chunk, uint64_t *istart, uint64_t *iend,
                       uint32_t schedule) {
    struct bomp_loop loop = loop_of_long(start, end, incr, chunk, schedule);
    struct bomp_span span;
    return give(bomp_loop_start(&loop, &span), &span, istart, iend);
}

/* clang-format off */
#define START_CHUNKED long start, long end, long incr, long chunk, uint64_t *istart, uint64_t *iend
#define START_RUNTIME long start, long end, long incr, uint64_t *istart, uint64_t *iend
#define ARGS_CHUNKED start, end, incr, chunk, istart, iend
#define ARGS_RUNTIME start, end, incr, 0, istart, iend

#define ORDERED_LOOP LOOP
#define LOOP(form, name, schedule) \
    BOMP_EXPORT bool GOMP_loop_##name##_start(START_##form) { BOMP_ENTERED(); return start_loop(ARGS_##form, schedule); }
#include "loops.def"
#undef LOOP

#undef ORDERED_LOOP
/* clang-format on */

/* Whether the region was cancelled. */
BOMP_EXPORT bool GOMP_loop_end_cancel(void) {
    bomp_loop_end();
    return bomp_cancelled();
}

/* ---- combined with a region ---- */

static void begin_parallel(void (*fn)(void *), void *data, unsigned num_threads, long start, long end,
                           long incr, long chunk, uint32_t schedule) {
    struct bomp_loop loop = loop_of_long(start, end, incr, chunk, schedule);
    bomp_parallel_loop_begin(fn, data, num_threads, &loop);
}

static void run_parallel(void (*fn)(void *), void *data, unsigned num_threads, long start, long end,
                         long incr, long chunk, uint32_t schedule) {
    begin_parallel(fn, data, num_threads, start, end, incr, chunk, schedule);
    fn(data);
    bomp_parallel_end();
}

/* clang-format off */
#define REGION void (*fn)(void *), void *data, unsigned num_threads
#define PARALLEL_CHUNKED REGION, long start, long end, long incr, long chunk
#define PARALLEL_RUNTIME REGION, long start, long end, long incr
#define PARALLEL_ARGS_CHUNKED fn, data, num_threads, start, end, incr, chunk
#define PARALLEL_ARGS_RUNTIME fn, data, num_threads, start, end, incr, 0

#define ORDERED_LOOP(form, name, schedule)
#define LOOP(form, name, schedule) \
    BOMP_EXPORT void GOMP_parallel_loop_##name(PARALLEL_##form, unsigned flags) \
    { BOMP_ENTERED(); decode_region_flags(flags); run_parallel(PARALLEL_ARGS_##form, schedule); }
#include "loops.def"
#undef LOOP

/* The old form: the caller runs its own part and ends the region. */
#define LOOP(form, name, schedule) \
    BOMP_EXPORT void GOMP_parallel_loop_##name##_start(PARALLEL_##form) \
    { BOMP_ENTERED(); begin_parallel(PARALLEL_ARGS_##form, schedule); }
LOOP(CHUNKED, static, BOMP_LOOP_STATIC)
LOOP(CHUNKED, dynamic, BOMP_LOOP_DYNAMIC | BOMP_LOOP_MONOTONIC)
LOOP(CHUNKED, guided, BOMP_LOOP_GUIDED | BOMP_LOOP_MONOTONIC)
LOOP(RUNTIME, runtime, BOMP_LOOP_RUNTIME | BOMP_LOOP_MONOTONIC)
/* clang-format on */
