/* GOMP_loop_*, GOMP_loop_ull_* and GOMP_parallel_loop_*, and the ends of all loops. */
#include "loops.h"
#include "region.h"

typedef unsigned long long ull;

static bool start_loop(struct bomp_loop loop, uint64_t *istart, uint64_t *iend) {
    struct bomp_span span;
    return give(bomp_loop_start(&loop, &span), &span, istart, iend);
}

static void begin_parallel(void (*fn)(void *), void *data, unsigned num_threads, struct bomp_loop loop) {
    bomp_parallel_loop_begin(fn, data, num_threads, &loop);
}

static void run_parallel(void (*fn)(void *), void *data, unsigned num_threads, struct bomp_loop loop) {
    begin_parallel(fn, data, num_threads, loop);
    fn(data);
    bomp_parallel_end();
}

/* clang-format off */
#define LONG_CHUNKED long start, long end, long incr, long chunk
#define LONG_RUNTIME long start, long end, long incr
#define LONG_LOOP_CHUNKED(schedule) loop_of_long(start, end, incr, chunk, schedule)
#define LONG_LOOP_RUNTIME(schedule) loop_of_long(start, end, incr, 0, schedule)
#define ULL_CHUNKED bool up, ull start, ull end, ull incr, ull chunk
#define ULL_RUNTIME bool up, ull start, ull end, ull incr
#define ULL_LOOP_CHUNKED(schedule) loop_of_ull(up, start, end, incr, chunk, schedule)
#define ULL_LOOP_RUNTIME(schedule) loop_of_ull(up, start, end, incr, 0, schedule)
#define BOUNDS uint64_t *istart, uint64_t *iend
#define REGION void (*fn)(void *), void *data, unsigned num_threads

#define ORDERED_LOOP LOOP
#define LOOP(form, name, schedule) \
    BOMP_EXPORT bool GOMP_loop_##name##_start(LONG_##form, BOUNDS) \
    { BOMP_ENTERED(); return start_loop(LONG_LOOP_##form(schedule), istart, iend); } \
    BOMP_EXPORT bool GOMP_loop_ull_##name##_start(ULL_##form, BOUNDS) \
    { BOMP_ENTERED(); return start_loop(ULL_LOOP_##form(schedule), istart, iend); }
#include "loops.def"
#undef LOOP
#undef ORDERED_LOOP

#define ORDERED_LOOP(form, name, schedule)
#define LOOP(form, name, schedule) \
    BOMP_EXPORT void GOMP_parallel_loop_##name(REGION, LONG_##form, unsigned flags) \
    { BOMP_ENTERED(); decode_region_flags(flags); run_parallel(fn, data, num_threads, LONG_LOOP_##form(schedule)); }
#include "loops.def"
#undef LOOP

/* The old form: the caller runs its own part and ends the region. */
#define LOOP(form, name, schedule) \
    BOMP_EXPORT void GOMP_parallel_loop_##name##_start(REGION, LONG_##form) \
    { BOMP_ENTERED(); begin_parallel(fn, data, num_threads, LONG_LOOP_##form(schedule)); }
LOOP(CHUNKED, static, BOMP_LOOP_STATIC)
LOOP(CHUNKED, dynamic, BOMP_LOOP_DYNAMIC | BOMP_LOOP_MONOTONIC)
LOOP(CHUNKED, guided, BOMP_LOOP_GUIDED | BOMP_LOOP_MONOTONIC)
LOOP(RUNTIME, runtime, BOMP_LOOP_RUNTIME | BOMP_LOOP_MONOTONIC)
/* clang-format on */

/* Whether the region was cancelled. */
BOMP_EXPORT bool GOMP_loop_end_cancel(void) {
    bomp_loop_end();
    return bomp_cancelled();
}
