/* GOMP_loop_start and its like. The generated code of a static loop knows its own iterations: it passes no places for
 * them (istart is NULL) and bounds that mean nothing. */
#include "construct.h"

#include "loops.h"

typedef unsigned long long ull;

/* Whether there is more to it than what its threads share. */
static bool start_loop(struct bomp_loop loop, uint64_t *istart, uint64_t *iend, uintptr_t *reductions,
                       void **mem) {
    struct bomp_span span;
    bool got = true;
    construct_notify(reductions);
    if (istart) {
        got = give(bomp_loop_start(&loop, &span), &span, istart, iend);
    } else {
        bomp_construct_start(true);
        BOMP_STILL(NULL); /* tools hear nothing of it */
    }
    construct_shares(reductions, mem);
    return got;
}

#define LONG_LOOP long start, long end, long incr, long sched, long chunk
#define ULL_LOOP bool up, ull start, ull end, ull incr, long sched, ull chunk
#define START(name, parameters, loop)                                                                        \
    BOMP_EXPORT bool name(parameters, uint64_t *istart, uint64_t *iend, uintptr_t *reductions, void **mem) { \
        BOMP_ENTERED();                                                                                      \
        return start_loop(loop, istart, iend, reductions, mem);                                              \
    }

START(GOMP_loop_start, LONG_LOOP, loop_of_long(start, end, incr, chunk, construct_schedule(sched)))
START(GOMP_loop_ordered_start, LONG_LOOP,
      loop_of_long(start, end, incr, chunk, construct_schedule(sched) | BOMP_LOOP_ORDERED))
START(GOMP_loop_ull_start, ULL_LOOP, loop_of_ull(up, start, end, incr, chunk, construct_schedule(sched)))
START(GOMP_loop_ull_ordered_start, ULL_LOOP,
      loop_of_ull(up, start, end, incr, chunk, construct_schedule(sched) | BOMP_LOOP_ORDERED))

BOMP_EXPORT unsigned GOMP_sections2_start(unsigned count, uintptr_t *reductions, void **mem) {
    BOMP_ENTERED();
    construct_notify(reductions);
    unsigned section = bomp_sections_start(count);
    construct_shares(reductions, mem);
    return section;
}

static void start_scope(uintptr_t *reductions) {
    construct_notify(reductions);
    bomp_construct_start(false);
    construct_shares(reductions, NULL);
}

BOMP_EXPORT void GOMP_scope_start(uintptr_t *reductions) {
    BOMP_ENTERED();
    start_scope(reductions);
}

/* gcc 17 with -fopenmp-ompt. NULL: the construct has no task reductions, and its threads share nothing. */
BOMP_EXPORT void GOMP_scope_start_with_end(uintptr_t *reductions) {
    BOMP_ENTERED();
    if (reductions)
        start_scope(reductions);
    BOMP_NOTIFY_HERE(bomp_tool_scope(true));
}
