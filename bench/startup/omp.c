/* The first 200 ms of a process: 100 regions of 2 ms of work for each of T threads, the default, in processes of their
 * own. startup.at_once is the time from the start of the process to the end of the last region where they begin at
 * once, startup.serial the same where they begin after 300 ms of serial work, less these; .niced with a process of the
 * lowest priority on each CPU. Arguments: MS for each of them; or MS and the word "shared": that instead prints for
 * each process the number of its regions with all threads on one CPU, at their start or end. */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif
#include <errno.h>
#include <omp.h>
#include <sched.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"
#include "neighbours.h"

enum { REGIONS = 100, STEPS = 1300000, SERIAL_MS = 300, THREADS_MOST = 256, PROCESSES_MOST = 256 };

static void fail(const char *what) {
    fprintf(stderr, "startup: %s: error %d\n", what, errno);
    exit(2);
}

/* ---- the measured process ---- */

/* The process's report about itself. */
struct report {
    double end; /* clock */
    uint64_t sum;
    int threads;
    int shared; /* regions with all threads on one CPU */
};

static bool is_one(const int *cpu, int threads) {
    for (int i = 1; i < threads; i++)
        if (cpu[i] != cpu[0])
            return false;
    return threads > 1;
}

static void be_measured(double serial_s, int out) {
    static int began[THREADS_MOST], ended[THREADS_MOST];
    struct report report = {.threads = omp_get_max_threads()};
    double serial_end = harness_wall() + serial_s;
    while (harness_wall() < serial_end)
        ;
    int threads = report.threads;
    for (int region = 0; region < REGIONS; region++) {
        uint64_t sum = 0;
#pragma omp parallel reduction(+ : sum) num_threads(threads)
        {
            int me = omp_get_thread_num();
            began[me] = sched_getcpu();
            sum += harness_work(1, STEPS) & 0xff;
            ended[me] = sched_getcpu();
        }
        report.sum += sum;
        report.shared += is_one(began, threads) || is_one(ended, threads);
    }
    report.end = harness_wall();
    if (write(out, &report, sizeof report) != sizeof report)
        fail("a report");
    exit(0);
}

/* ---- the measuring process ---- */

static struct report run_one(const char *serial_ms, double *began) {
    char descriptor[16];
    struct report report = {0};
    int ends[2];
    if (pipe(ends))
        fail("a pipe");
    snprintf(descriptor, sizeof descriptor, "%d", ends[1]);
    *began = harness_wall();
    pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        execl("/proc/self/exe", "startup", "measured", serial_ms, descriptor, (char *)NULL);
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

/* Processes one after the other until the time is over. */
static void measure(const char *name, const char *serial_ms, bool tells_shared) {
    static double times[PROCESSES_MOST];
    double began, end = harness_wall() + harness_budget;
    int runs = 0;
    if (tells_shared)
        printf("%s: regions of %d with all threads on one CPU:", name, REGIONS);
    do {
        struct report report = run_one(serial_ms, &began);
        times[runs++] = report.end - began - atof(serial_ms) / 1e3;
        harness_check(name, report.sum,
                      (uint64_t)REGIONS * (uint64_t)report.threads * (harness_work(1, STEPS) & 0xff));
        if (tells_shared)
            printf(" %d", report.shared);
    } while (harness_wall() < end && runs < PROCESSES_MOST);
    qsort(times, (size_t)runs, sizeof *times, harness_by_value);
    if (tells_shared)
        printf("\n");
    else
        harness_report(name, (times[(runs - 1) / 2] + times[runs / 2]) / 2 * 1e3, "ms");
}

int main(int argc, char **argv) {
    if (argc == 4 && !strcmp(argv[1], "measured"))
        be_measured(atof(argv[2]) / 1e3, atoi(argv[3]));
    harness_begin(argc, argv);
    bool tells_shared = argc > 2 && !strcmp(argv[2], "shared");
    static const char *const rows[2][2] = {{"startup.at_once", "startup.at_once.niced"},
                                           {"startup.serial", "startup.serial.niced"}};
    char serial_ms[16];
    snprintf(serial_ms, sizeof serial_ms, "%d", SERIAL_MS);
    neighbours_start(19);
    for (int niced = 0; niced < 2; niced++) {
        if (niced)
            neighbours_tell(SIGCONT);
        measure(rows[0][niced], "0", tells_shared);
        measure(rows[1][niced], serial_ms, tells_shared);
    }
    neighbours_end();
    return harness_end();
}
