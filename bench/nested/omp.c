/* Regions other than a plain sequence of equal ones, with T threads by default: nested.regions is the time of a region
 * of T threads that each open one of T (2x2 with two threads); nested.alternating that of a region in a sequence of T
 * and 2 T threads in turns. Argument: MS. */
#include <omp.h>

#include "harness.h"

enum { TIMES = 50 };

static uint64_t nested(void *arg) {
    int threads = *(int *)arg;
    uint64_t sum = 0;
    for (int i = 0; i < TIMES; i++) {
#pragma omp parallel num_threads(threads) reduction(+ : sum)
        {
            uint64_t inner = 0;
#pragma omp parallel num_threads(threads) reduction(+ : inner)
            inner += 1 + (uint64_t)omp_get_thread_num();
            sum += inner;
        }
    }
    return sum;
}

static uint64_t alternating(void *arg) {
    int threads = *(int *)arg;
    uint64_t sum = 0;
    for (int i = 0; i < TIMES; i++) {
#pragma omp parallel num_threads(i % 2 ? 2 * threads : threads) reduction(+ : sum)
        sum += 1 + (uint64_t)omp_get_thread_num();
    }
    return sum;
}

int main(int argc, char **argv) {
    harness_begin(argc, argv);
    int threads = omp_get_max_threads();
    uint64_t n = (uint64_t)threads;
    uint64_t one = n * (n + 1) / 2, two = n * (2 * n + 1); /* sums over a region of T threads, and of 2 T */
    omp_set_dynamic(0);
    omp_set_max_active_levels(2);
    harness_measure("nested.regions", nested, &threads, TIMES * n * one, TIMES);
    harness_measure("nested.alternating", alternating, &threads, TIMES / 2 * (one + two), TIMES);
    return harness_end();
}
