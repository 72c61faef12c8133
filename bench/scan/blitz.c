/* Prefix sums by the typed scans, and a filter by blitz_scan, whose loops are the program's own. */
#include "workload.h"

#include <blitz/algo.h>

static uint64_t reals(void *arg) {
    struct scan *scan = arg;
    return (uint64_t)blitz_inclusive_sum_f64(scan->reals, scan->sums, scan->size);
}

static uint64_t numbers(void *arg) {
    struct scan *scan = arg;
    return (uint64_t)blitz_inclusive_sum_u32(scan->numbers, scan->results, scan->size);
}

static int count(size_t lo, size_t hi, void *value, void *ctx) {
    const struct scan *scan = ctx;
    size_t kept = 0;
    for (size_t i = lo; i < hi; i++)
        kept += (size_t)scan_keeps(scan->numbers[i]);
    *(size_t *)value += kept;
    return 0;
}

static int keep(size_t lo, size_t hi, void *value, void *ctx) {
    const struct scan *scan = ctx;
    size_t kept = *(size_t *)value;
    for (size_t i = lo; i < hi; i++)
        if (scan_keeps(scan->numbers[i]))
            scan->results[kept++] = scan->numbers[i];
    *(size_t *)value = kept;
    return 0;
}

static void add(void *left, const void *right, void *ctx) {
    (void)ctx;
    *(size_t *)left += *(const size_t *)right;
}

static uint64_t compact(void *arg) {
    static const size_t none;
    static const blitz_reduce_op op = {sizeof none, &none, count, add};
    struct scan *scan = arg;
    return (uint64_t)blitz_scan(0, scan->size, 1024, &op, keep, scan, &scan->kept);
}

int main(int argc, char **argv) {
    static const struct scan_ways ways = {reals, numbers, compact};
    return scan_main(argc, argv, &ways);
}
