/* Loops over tiny bodies: loops.SCHEDULE is the time per iteration of a long loop, loops.short and loops.short_guided the
 * time for a whole static or guided loop of 64 iterations, in a region of many. loops.bounds is the time of a static loop
 * of one iteration for each thread without a barrier: that of dividing it. Argument: MS. */
#include <omp.h>

#include "harness.h"

enum { ITERATIONS = 100000, GUIDED_ITERATIONS = 10000, BODIES = 1000000 };
enum { SHORT_ITERATIONS = 64, SHORT_LOOPS = 500, TINY_LOOPS = 20000 };

static uint64_t values[ITERATIONS];

static uint64_t sum_and_clear(int n) {
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) {
        sum += values[i];
        values[i] = 0;
    }
    return sum;
}

static uint64_t loop_dynamic(void *arg) {
    (void)arg;
#pragma omp parallel for schedule(dynamic, 1)
    for (int i = 0; i < ITERATIONS; i++)
        values[i] += (uint64_t)i;
    return sum_and_clear(ITERATIONS);
}

static uint64_t loop_monotonic(void *arg) {
    (void)arg;
#pragma omp parallel for schedule(monotonic : dynamic, 1)
    for (int i = 0; i < ITERATIONS; i++)
        values[i] += (uint64_t)i;
    return sum_and_clear(ITERATIONS);
}

struct guided {
    int iterations, loops;
};

/* Guided loops keep their results in registers: no data moves between threads, and the time beyond the bodies is the
 * runtime's. */
static uint64_t loop_guided(void *arg) {
    const struct guided *loop = arg;
    uint64_t sum = 0;
#pragma omp parallel for schedule(guided) reduction(+ : sum)
    for (int i = 0; i < loop->iterations; i++)
        sum += harness_mix((uint64_t)i);
    return sum;
}

static uint64_t loop_static(void *arg) {
    (void)arg;
#pragma omp parallel for schedule(static)
    for (int i = 0; i < ITERATIONS; i++)
        values[i] += (uint64_t)i;
    return sum_and_clear(ITERATIONS);
}

static uint64_t loop_short(void *arg) {
    (void)arg;
#pragma omp parallel
    for (int k = 0; k < SHORT_LOOPS; k++) {
#pragma omp for schedule(static)
        for (int i = 0; i < SHORT_ITERATIONS; i++)
            values[i] += (uint64_t)i;
    }
    return sum_and_clear(SHORT_ITERATIONS);
}

static uint64_t loop_short_guided(void *arg) {
    const struct guided *loop = arg;
    uint64_t sum = 0;
#pragma omp parallel reduction(+ : sum)
    for (int k = 0; k < loop->loops; k++) {
#pragma omp for schedule(guided)
        for (int i = 0; i < loop->iterations; i++)
            sum += harness_mix((uint64_t)i);
    }
    return sum;
}

static uint64_t sum_of_mixes(int n) {
    uint64_t sum = 0;
    for (int i = 0; i < n; i++)
        sum += harness_mix((uint64_t)i);
    return sum;
}

/* Measures the loop, and its bodies alone: a unit of the same loop, so long that nothing else counts, on the same
 * threads. */
static void measure_guided(const char *name, uint64_t (*work)(void *arg), struct guided loop, double units) {
    const struct harness_kernel kernel = {NULL, work, NULL};
    struct guided long_loop = {BODIES, 1};
    double body = harness_body(name, &kernel, &long_loop, sum_of_mixes(BODIES), BODIES);
    harness_measure(name, work, &loop, (uint64_t)loop.loops * sum_of_mixes(loop.iterations), units);
    harness_report_ideal(name, body * loop.iterations * loop.loops / units);
}

static uint64_t loop_bounds(void *arg) {
    (void)arg;
    uint64_t sum = 0;
    int threads = omp_get_max_threads();
#pragma omp parallel reduction(+ : sum)
    for (int k = 0; k < TINY_LOOPS; k++) {
#pragma omp for schedule(static) nowait
        for (int i = 0; i < threads; i++)
            sum++;
    }
    return sum;
}

int main(int argc, char **argv) {
    harness_begin(argc, argv);
    uint64_t sum = (uint64_t)ITERATIONS * (ITERATIONS - 1) / 2;
    uint64_t short_sum = (uint64_t)SHORT_LOOPS * SHORT_ITERATIONS * (SHORT_ITERATIONS - 1) / 2;
    harness_measure("loops.dynamic1", loop_dynamic, NULL, sum, ITERATIONS);
    harness_measure("loops.monotonic1", loop_monotonic, NULL, sum, ITERATIONS);
    measure_guided("loops.guided", loop_guided, (struct guided){GUIDED_ITERATIONS, 1}, GUIDED_ITERATIONS);
    measure_guided("loops.short_guided", loop_short_guided, (struct guided){SHORT_ITERATIONS, SHORT_LOOPS},
                   SHORT_LOOPS);
    harness_measure("loops.static", loop_static, NULL, sum, ITERATIONS);
    harness_measure("loops.bounds", loop_bounds, NULL, (uint64_t)omp_get_max_threads() * TINY_LOOPS,
                    TINY_LOOPS);
    harness_measure("loops.short", loop_short, NULL, short_sum, SHORT_LOOPS);
    return harness_end();
}
