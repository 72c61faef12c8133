/* taskloop: a loop whose body takes a nanosecond or two, in tasks of 1, 10, 100 and 1000 iterations. Bodies add to a
 * sum of their thread, so no data moves between threads: the time beyond the bodies is the runtime's. */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include "harness.h"

enum { LOOP_THREADS_MOST = 1024, BODIES = 1000000 };

struct series {
    const char *name;
    int grain, iterations, threads; /* 0 threads: as many as there are */
};

static const struct series all_series[] = {
    {"taskloop.1", 1, 20000, 0},
    {"taskloop.10", 10, 100000, 0},
    {"taskloop.100", 100, 500000, 0},
    {"taskloop.1000", 1000, 1000000, 0},
};

static struct { _Alignas(64) uint64_t sum; } sums[LOOP_THREADS_MOST];
static unsigned sums_used;
static _Thread_local uint64_t *own_sum;

static __attribute__((noinline)) void find_own_sum(void) {
    unsigned next = __atomic_fetch_add(&sums_used, 1, __ATOMIC_RELAXED);
    if (next >= LOOP_THREADS_MOST) {
        fprintf(stderr, "taskloop: more than %d threads\n", LOOP_THREADS_MOST);
        exit(2);
    }
    own_sum = &sums[next].sum;
}

static inline void body(int i) {
    if (!own_sum)
        find_own_sum();
    *own_sum += harness_mix((uint64_t)i);
}

static inline void forget(void *arg) {
    (void)arg;
    for (unsigned i = 0; i < sums_used; i++)
        sums[i].sum = 0;
}

static inline uint64_t sum_up(void *arg) {
    (void)arg;
    uint64_t sum = 0;
    for (unsigned i = 0; i < sums_used; i++)
        sum += sums[i].sum;
    return sum;
}

static inline uint64_t expected_sum(int n) {
    uint64_t sum = 0;
    for (int i = 0; i < n; i++)
        sum += harness_mix((uint64_t)i);
    return sum;
}

/* The time per iteration of each series, run by `work` with `threads`, and what its bodies take of it. Argument: MS. */
static inline int taskloop_main(int argc, char **argv, uint64_t (*work)(void *arg), int threads) {
    const struct harness_kernel kernel = {forget, work, sum_up};
    struct series alone = {"taskloop", BODIES, BODIES, 1};
    harness_begin(argc, argv);
    double body_ns = harness_body("taskloop", &kernel, &alone, expected_sum(BODIES), BODIES);
    for (size_t i = 0; i < sizeof all_series / sizeof *all_series; i++) {
        const struct series *series = &all_series[i];
        harness_measure_kernel(series->name, &kernel, (void *)series, expected_sum(series->iterations),
                               series->iterations);
        harness_report_ideal(series->name, body_ns / threads);
    }
    return harness_end();
}

#endif
