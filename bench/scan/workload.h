/* workload.h of `scan`: prefix sums and a filter. Each measurement is the time per element.
 *   f64.small   the inclusive sums of doubles that fit into a cache with the results
 *   f64.large   of more of them, which do not; whole numbers, so that every bracketing is exact
 *   u32.large   of as many integers
 *   compact     of these, the odd ones, which are about a half
 * Arguments: MS. */
#ifndef BENCH_SCAN_H
#define BENCH_SCAN_H

#include "harness.h"

#include <string.h>

struct scan {
    const double *reals;
    const uint32_t *numbers;
    double *sums;
    uint32_t *results;
    size_t size, kept; /* kept: written by compact */
};

static inline int scan_keeps(uint32_t number) {
    return number & 1;
}

/* The ways to do it; NULL: none. */
struct scan_ways {
    uint64_t (*reals)(void *scan);
    uint64_t (*numbers)(void *scan);
    uint64_t (*compact)(void *scan);
};

static inline uint64_t scan_serial_reals(void *arg) {
    struct scan *scan = (struct scan *)arg;
    double sum = 0;
    for (size_t i = 0; i < scan->size; i++)
        scan->sums[i] = sum += scan->reals[i];
    return 0;
}

static inline uint64_t scan_serial_numbers(void *arg) {
    struct scan *scan = (struct scan *)arg;
    uint32_t sum = 0;
    for (size_t i = 0; i < scan->size; i++)
        scan->results[i] = sum += scan->numbers[i];
    return 0;
}

static inline uint64_t scan_serial_compact(void *arg) {
    struct scan *scan = (struct scan *)arg;
    size_t kept = 0;
    for (size_t i = 0; i < scan->size; i++)
        if (scan_keeps(scan->numbers[i]))
            scan->results[kept++] = scan->numbers[i];
    scan->kept = kept;
    return 0;
}

/* The sum of the output, each element with its place; then wipes the output, so that old values do not count. */
static inline uint64_t scan_sums(void *arg) {
    struct scan *scan = (struct scan *)arg;
    uint64_t sum = 0;
    for (size_t i = 0; i < scan->size; i++)
        sum += (uint64_t)scan->sums[i] * (i + 1);
    memset(scan->sums, 0, scan->size * sizeof *scan->sums);
    return sum;
}

static inline uint64_t scan_results(void *arg) {
    struct scan *scan = (struct scan *)arg;
    uint64_t sum = scan->kept;
    for (size_t i = 0; i < scan->size; i++)
        sum += scan->results[i] * (uint64_t)(i + 1);
    memset(scan->results, 0, scan->size * sizeof *scan->results);
    scan->kept = 0;
    return sum;
}

static inline void scan_measure(const char *name, uint64_t (*work)(void *), uint64_t (*serial)(void *),
                                uint64_t (*result)(void *), struct scan *scan, size_t size) {
    const struct harness_kernel kernel = {NULL, work, result};
    if (!work)
        return;
    scan->size = size;
    serial(scan);
    harness_measure_kernel(name, &kernel, scan, result(scan), (double)size);
}

static inline int scan_main(int argc, char **argv, const struct scan_ways *ways) {
    enum { SMALL = 1 << 15, LARGE = 1 << 22 };
    double *reals = (double *)harness_memory(LARGE * sizeof *reals);
    uint32_t *numbers = (uint32_t *)harness_memory(LARGE * sizeof *numbers);
    struct scan scan = {reals, numbers, NULL, NULL, LARGE, 0};
    scan.sums = (double *)harness_memory(LARGE * sizeof *scan.sums);
    scan.results = (uint32_t *)harness_memory(LARGE * sizeof *scan.results);
    for (size_t i = 0; i < LARGE; i++) {
        reals[i] = (double)(harness_mix(i) % 16);
        numbers[i] = (uint32_t)harness_mix(i + LARGE);
    }
    memset(scan.sums, 0, LARGE * sizeof *scan.sums);
    memset(scan.results, 0, LARGE * sizeof *scan.results);
    harness_begin(argc, argv);
    scan_measure("scan.f64.small", ways->reals, scan_serial_reals, scan_sums, &scan, SMALL);
    scan_measure("scan.f64.large", ways->reals, scan_serial_reals, scan_sums, &scan, LARGE);
    scan_measure("scan.u32.large", ways->numbers, scan_serial_numbers, scan_results, &scan, LARGE);
    scan_measure("scan.compact", ways->compact, scan_serial_compact, scan_results, &scan, LARGE);
    free(reals), free(numbers), free(scan.sums), free(scan.results);
    return harness_end();
}

#endif
