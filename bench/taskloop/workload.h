/* taskloop: a loop whose body takes a nanosecond or two, in tasks of 1, 10, 100 and 1000 iterations. */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include "harness.h"

enum { LOOP_MOST = 1000000 };

struct series {
    const char *name;
    int grain, iterations;
};

static const struct series all_series[] = {
    {"taskloop.1", 1, 20000},
    {"taskloop.10", 10, 100000},
    {"taskloop.100", 100, 500000},
    {"taskloop.1000", 1000, LOOP_MOST},
};

static uint64_t *results;

static inline uint64_t body(int i) {
    return harness_mix((uint64_t)i);
}

static inline uint64_t sum_up(void *arg) {
    const struct series *series = arg;
    uint64_t sum = 0;
    for (int i = 0; i < series->iterations; i++)
        sum += results[i];
    return sum;
}

static inline void forget(void *arg) {
    const struct series *series = arg;
    for (int i = 0; i < series->iterations; i++)
        results[i] = 0;
}

/* The time per iteration of each series, run by `work`. Argument: MS. */
static inline int taskloop_main(int argc, char **argv, uint64_t (*work)(void *arg)) {
    const struct harness_kernel kernel = {forget, work, sum_up};
    harness_begin(argc, argv);
    results = harness_memory(LOOP_MOST * sizeof *results);
    for (size_t i = 0; i < sizeof all_series / sizeof *all_series; i++) {
        uint64_t expected = 0;
        for (int k = 0; k < all_series[i].iterations; k++)
            expected += body(k);
        harness_measure_kernel(all_series[i].name, &kernel, (void *)&all_series[i], expected,
                               all_series[i].iterations);
    }
    free(results);
    return harness_end();
}

#endif
