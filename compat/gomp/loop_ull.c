/* GOMP_loop_ull_*: for loops whose variable is an unsigned long long. */
#include "loops.h"

typedef unsigned long long ull;

static bool start_loop(bool up, ull start, ull end, ull incr, ull chunk, uint64_t *istart, uint64_t *iend,
                       uint32_t schedule) {
    struct bomp_loop loop = loop_of_ull(up, start, end, incr, chunk, schedule);
    struct bomp_span span;
    return give(bomp_loop_start(&loop, &span), &span, istart, iend);
}

/* clang-format off */
#define START_CHUNKED bool up, ull start, ull end, ull incr, ull chunk, uint64_t *istart, uint64_t *iend
#define START_RUNTIME bool up, ull start, ull end, ull incr, uint64_t *istart, uint64_t *iend
#define ARGS_CHUNKED up, start, end, incr, chunk, istart, iend
#define ARGS_RUNTIME up, start, end, incr, 0, istart, iend

#define ORDERED_LOOP LOOP
#define LOOP(form, name, schedule) \
    BOMP_EXPORT bool GOMP_loop_ull_##name##_start(START_##form) { BOMP_ENTERED(); return start_loop(ARGS_##form, schedule); }
#include "loops.def"
/* clang-format on */
