/* Prefix sums by OpenMP's inscan reductions, and a filter by counting first, one part for each thread. */
#include "workload.h"

#include <omp.h>

#ifndef __clang__ /* gcc 12 warns of the array that it makes for an inscan reduction */
#    pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

static uint64_t reals(void *arg) {
    struct scan *scan = arg;
    const double *in = scan->reals;
    double *out = scan->sums, sum = 0;
#pragma omp parallel for reduction(inscan, + : sum)
    for (size_t i = 0; i < scan->size; i++) {
        sum += in[i];
#pragma omp scan inclusive(sum)
        out[i] = sum;
    }
    return 0;
}

static uint64_t numbers(void *arg) {
    struct scan *scan = arg;
    const uint32_t *in = scan->numbers;
    uint32_t *out = scan->results, sum = 0;
#pragma omp parallel for reduction(inscan, + : sum)
    for (size_t i = 0; i < scan->size; i++) {
        sum += in[i];
#pragma omp scan inclusive(sum)
        out[i] = sum;
    }
    return 0;
}

static uint64_t compact(void *arg) {
    enum { MOST = 1024 };
    static size_t kept[MOST + 1];
    struct scan *scan = arg;
    const uint32_t *in = scan->numbers;
#pragma omp parallel num_threads(omp_get_max_threads() < MOST ? omp_get_max_threads() : MOST)
    {
        size_t me = (size_t)omp_get_thread_num(), all = (size_t)omp_get_num_threads();
        size_t lo = scan->size * me / all, hi = scan->size * (me + 1) / all, at = 0;
        for (size_t i = lo; i < hi; i++)
            at += (size_t)scan_keeps(in[i]);
        kept[me + 1] = at;
#pragma omp barrier
#pragma omp single
        for (size_t i = 0; i < all; i++)
            kept[i + 1] += kept[i];
        at = kept[me];
        for (size_t i = lo; i < hi; i++)
            if (scan_keeps(in[i]))
                scan->results[at++] = in[i];
#pragma omp single
        scan->kept = kept[all];
    }
    return 0;
}

int main(int argc, char **argv) {
    static const struct scan_ways ways = {reals, numbers, compact};
    return scan_main(argc, argv, &ways);
}
