/* Parallel regions after 0, 10, 100 and 1000 us of serial work. regions.GAP is the time of a region that does next to
 * nothing; regions.GAP.cpu is the CPU time of all threads per region, without the serial thread's gap. Argument: MS. */
#include <omp.h>

#include "harness.h"

enum { REGIONS_MAX = 20000, REGIONS_LEAST = 20, THREADS_MAX = 256 };

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

static void measure(const char *name, double gap, int threads) {
    for (int i = 0; i < threads; i++)
        seen[i].count = 0;
    int n = 0;
    uint64_t warm = 10;
    for (uint64_t i = 0; i < warm; i++)
        region();
    double begin = harness_wall(), cpu = harness_cpu(), waited = 0;
    while (n < REGIONS_MAX && (n < REGIONS_LEAST || harness_wall() - begin < harness_budget)) {
        if (gap > 0) {
            double before = harness_clock(CLOCK_THREAD_CPUTIME_ID);
            serial_work(gap);
            waited += harness_clock(CLOCK_THREAD_CPUTIME_ID) - before;
        }
        times[n++] = region();
    }
    cpu = harness_cpu() - cpu - waited;
    for (int i = 0; i < threads; i++)
        harness_check(name, seen[i].count, (uint64_t)n + warm);
    qsort(times, (size_t)n, sizeof *times, harness_by_value);
    char cpu_name[64];
    harness_report(name, times[n / 2] * 1e9, "ns");
    snprintf(cpu_name, sizeof cpu_name, "%s.cpu", name);
    harness_report(cpu_name, cpu / n * 1e9, "ns");
}

int main(int argc, char **argv) {
    harness_begin(argc, argv);
    int threads = omp_get_max_threads();
    if (threads > THREADS_MAX) {
        fprintf(stderr, "regions: %d threads are more than %d\n", threads, THREADS_MAX);
        return 2;
    }
    measure("regions.0us", 0, threads);
    measure("regions.10us", 10e-6, threads);
    measure("regions.100us", 100e-6, threads);
    measure("regions.1000us", 1000e-6, threads);
    return harness_end();
}
