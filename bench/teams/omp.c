/* Teams of far more threads than CPUs, each measured in a process of its own: teams.first.N is the time of the first region
 * of N threads, which are created for it, and teams.second.N that of the next one. teams.nested.* are the same where two
 * threads open a region of N / 2 each; all also with a process that computes on each CPU. N is 1000, or 4000 for "large".
 * Arguments: MS for each kind of process, and "large". */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif
#include <errno.h>
#include <omp.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"
#include "neighbours.h"

enum { USUAL = 1000, LARGE = 4000, PROCESSES_MOST = 64, REGIONS = 2 };

static void fail(const char *what) {
    fprintf(stderr, "teams: %s: error %d\n", what, errno);
    exit(2);
}

/* ---- the measured process ---- */

/* The process's report about itself. */
struct report {
    double seconds[REGIONS];
    uint64_t sum, count; /* over all threads of all regions, of 1 + their numbers and of 1 */
};

static void region(int threads, uint64_t *sum, uint64_t *count) {
    uint64_t numbers = 0, ones = 0;
#pragma omp parallel num_threads(threads) reduction(+ : numbers, ones)
    {
        numbers += 1 + (uint64_t)omp_get_thread_num();
        ones++;
    }
    *sum += numbers;
    *count += ones;
}

static void nested_region(int threads, uint64_t *sum, uint64_t *count) {
    uint64_t numbers = 0, ones = 0;
#pragma omp parallel num_threads(2) reduction(+ : numbers, ones)
    region(threads / 2, &numbers, &ones);
    *sum += numbers;
    *count += ones;
}

static void be_measured(int threads, bool nested, int out) {
    struct report report = {.sum = 0};
    omp_set_dynamic(0);
    omp_set_max_active_levels(2);
    for (int i = 0; i < REGIONS; i++) {
        double start = harness_wall();
        (nested ? nested_region : region)(threads, &report.sum, &report.count);
        report.seconds[i] = harness_wall() - start;
    }
    if (write(out, &report, sizeof report) != sizeof report)
        fail("a report");
    _exit(0);
}

/* ---- the measuring process ---- */

static struct report run_one(int threads, bool nested) {
    char size[16], descriptor[16];
    struct report report = {.sum = 0};
    int ends[2];
    if (pipe(ends))
        fail("a pipe");
    snprintf(size, sizeof size, "%d", threads);
    snprintf(descriptor, sizeof descriptor, "%d", ends[1]);
    pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        execl("/proc/self/exe", "teams", "measured", size, nested ? "nested" : "plain", descriptor,
              (char *)NULL);
        _exit(2);
    }
    if (pid < 0)
        fail("starting a process");
    close(ends[1]);
    if (read(ends[0], &report, sizeof report) != sizeof report)
        fail("a process ended without a report");
    close(ends[0]);
    waitpid(pid, NULL, 0);
    return report;
}

static void tell(const char *kind, const char *which, int threads, const char *where, double *times,
                 int runs) {
    char name[64];
    snprintf(name, sizeof name, "teams.%s%s.%d%s", kind, which, threads, where);
    qsort(times, (size_t)runs, sizeof *times, harness_by_value);
    harness_report(name, (times[(runs - 1) / 2] + times[runs / 2]) / 2 * 1e3, "ms");
}

/* Processes one after the other until the time is over. If the system has fewer threads it reports nothing. */
static void measure(bool nested, int threads, const char *where) {
    static double first[PROCESSES_MOST], second[PROCESSES_MOST];
    uint64_t n = (uint64_t)threads, half = n / 2;
    uint64_t expected = nested ? half * (half + 1) : n * (n + 1) / 2;
    const char *kind = nested ? "nested." : "";
    double end = harness_wall() + harness_budget;
    int runs = 0;
    do {
        struct report report = run_one(threads, nested);
        if (report.count < REGIONS * n) {
            fprintf(stderr, "teams: the system has no %d threads\n", threads);
            return;
        }
        first[runs] = report.seconds[0];
        second[runs++] = report.seconds[1];
        harness_check(nested ? "teams.nested" : "teams", report.sum, REGIONS * expected);
    } while (harness_wall() < end && runs < PROCESSES_MOST);
    tell(kind, "first", threads, where, first, runs);
    tell(kind, "second", threads, where, second, runs);
}

int main(int argc, char **argv) {
    if (argc == 5 && !strcmp(argv[1], "measured"))
        be_measured(atoi(argv[2]), !strcmp(argv[3], "nested"), atoi(argv[4]));
    harness_begin(argc, argv);
    int threads = harness_large(argc, argv) ? LARGE : USUAL;
    measure(false, threads, "");
    measure(true, threads, "");
    neighbours_start(0);
    neighbours_tell(SIGCONT);
    measure(false, threads, ".beside");
    measure(true, threads, ".beside");
    neighbours_end();
    return harness_end();
}
