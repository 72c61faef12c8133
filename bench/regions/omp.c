/* Parallel regions after serial work. regions.GAP is the median time of a region that does next to nothing,
 * regions.GAP.cpu the CPU time of all threads per region, without the serial work. The gaps: 0, 10, 100, 1000 and 10000
 * us each time; two regions in turns, after 20 and after 400 us (mixed.sites); 10, 20, 50, 100, 200, 500 and 1000 us at
 * random (mixed.random); each longer or shorter by up to 3 %, so that not all regions begin at the same stage of their
 * threads' waits. Argument: MS. */
#include <omp.h>

#include "harness.h"

enum { REGIONS_MAX = 20000, REGIONS_LEAST = 20, WARM_UP = 10, THREADS_MAX = 256 };

static struct { _Alignas(64) uint64_t count; } seen[THREADS_MAX]; /* regions that each thread was in */

static double times[REGIONS_MAX];

static void serial_work(double seconds) {
    double end = harness_wall() + seconds;
    while (harness_wall() < end)
        ;
}

static double region(void) {
    double start = harness_wall();
#pragma omp parallel
    seen[omp_get_thread_num()].count++;
    return harness_wall() - start;
}

static double other_region(void) {
    double start = harness_wall();
#pragma omp parallel
    seen[omp_get_thread_num()].count += 1;
    return harness_wall() - start;
}

/* The gaps in us before region i: in turns or at random. */
struct series {
    const char *name;
    int count;
    int at_random;
    double gaps[8];
};

static const struct series all_series[] = {
    {"regions.0us", 1, 0, {0}},
    {"regions.10us", 1, 0, {10}},
    {"regions.100us", 1, 0, {100}},
    {"regions.1000us", 1, 0, {1000}},
    {"regions.10000us", 1, 0, {10000}},
    {"mixed.sites", 2, 0, {20, 400}},
    {"mixed.random", 7, 1, {10, 20, 50, 100, 200, 500, 1000}},
};

static void measure(const struct series *series, int threads) {
    for (int i = 0; i < threads; i++)
        seen[i].count = 0;
    for (int i = 0; i < WARM_UP; i++)
        region();
    int n = 0;
    double begin = harness_wall(), cpu = harness_cpu(), serial = 0;
    while (n < REGIONS_MAX && (n < REGIONS_LEAST || harness_wall() - begin < harness_budget)) {
        uint64_t choice = series->at_random ? harness_mix((uint64_t)n) : (uint64_t)n;
        int at = (int)(choice % (uint64_t)series->count);
        if (series->gaps[at] > 0) {
            double before = harness_clock(CLOCK_THREAD_CPUTIME_ID);
            double part = (double)(harness_mix(choice + 1) % 601) / 1e4 - 0.03;
            serial_work(series->gaps[at] * (1 + part) * 1e-6);
            serial += harness_clock(CLOCK_THREAD_CPUTIME_ID) - before;
        }
        times[n++] = at % 2 ? other_region() : region();
    }
    cpu = harness_cpu() - cpu - serial;
    for (int i = 0; i < threads; i++)
        harness_check(series->name, seen[i].count, (uint64_t)n + WARM_UP);
    qsort(times, (size_t)n, sizeof *times, harness_by_value);
    char cpu_name[64];
    harness_report(series->name, times[n / 2] * 1e9, "ns");
    snprintf(cpu_name, sizeof cpu_name, "%s.cpu", series->name);
    harness_report(cpu_name, cpu / n * 1e9, "ns");
}

int main(int argc, char **argv) {
    harness_begin(argc, argv);
    int threads = omp_get_max_threads();
    if (threads > THREADS_MAX) {
        fprintf(stderr, "regions: %d threads are more than %d\n", threads, THREADS_MAX);
        return 2;
    }
    for (size_t i = 0; i < sizeof all_series / sizeof *all_series; i++)
        measure(&all_series[i], threads);
    return harness_end();
}
