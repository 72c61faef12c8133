/* harness.h: common parts of the benchmark programs. A program measures for a while, checks each result and prints one
 * line per measurement, "name value unit"; less is better for all of them. It exits with 1 if a result is wrong.
 *
 * Its arguments are the milliseconds to spend on a measurement, and its size if it has one, or "large" for a process
 * that measures only large sizes. The runtime decides the number of threads: OMP_NUM_THREADS, BLITZ_WORKERS,
 * RAYON_NUM_THREADS.
 *
 * run.py finds the programs by their names, bench_WORKLOAD_VARIANT, and uses these rules: units are ns, us, ms, s, B,
 * KiB or MiB; NAME.cpu is the CPU time of all threads for NAME, NAME.ideal the share of its bodies; variants that
 * measure the same print the same NAME; a variant with several ways, such as schedules, prints NAME.by_WAY, and the
 * best one counts in comparisons with other variants. PREFIX.0.1us, PREFIX.10us is a row over grains or gaps; peak
 * becomes WORKLOAD.peak. "shared NAME" means that another user was on the core that measured NAME. "core" is the
 * shortest time of a probe of the core, which run.py passes to the next program as HARNESS_CORE_NS. HARNESS_ONLY: see
 * harness_is_wanted. */
#ifndef HARNESS_H
#define HARNESS_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    HARNESS_MS = 200,
    HARNESS_RUNS = 4096,
    HARNESS_LEAST = 3,
    HARNESS_LONG = 20000000,
    HARNESS_PATIENCE = 2
};
#define HARNESS_LEAST_S 1.0 /* longer runs need not be as many */

static int harness_wrong; /* wrong results */
static double harness_budget = HARNESS_MS / 1e3;
static double harness_core_least = 1; /* seconds of the probe of a core (harness_core_is_whole) */

static inline double harness_clock(clockid_t id) {
    struct timespec t;
    clock_gettime(id, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}
static inline double harness_wall(void) {
    return harness_clock(CLOCK_MONOTONIC);
}
static inline double harness_cpu(void) {
    return harness_clock(CLOCK_PROCESS_CPUTIME_ID);
}

/* The number in argv[index], or `fallback`; a bad one ends the program. */
static inline long harness_number(int argc, char **argv, int index, long fallback, long most) {
    if (argc <= index)
        return fallback;
    char *end;
    long value = strtol(argv[index], &end, 10);
    if (*end || end == argv[index] || value < 1 || value > most) {
        fprintf(stderr, "%s: argument '%s' is no number from 1 to %ld\n", argv[0], argv[index], most);
        exit(2);
    }
    return value;
}

/* Whether argv[2] is "large": programs with large sizes then measure these only. */
static inline int harness_large(int argc, char **argv) {
    return argc > 2 && !strcmp(argv[2], "large");
}

/* Reads the time to spend on a measurement, argv[1]. */
static inline void harness_begin(int argc, char **argv) {
    harness_budget = (double)harness_number(argc, argv, 1, HARNESS_MS, 60000) / 1e3;
    const char *core = getenv("HARNESS_CORE_NS");
    if (core && strtod(core, NULL) > 0)
        harness_core_least = strtod(core, NULL) * 1e-9;
    setvbuf(stdout, NULL, _IOLBF, 0); /* output before a crash counts */
}
static inline void harness_report(const char *name, double value, const char *unit) {
    printf("%s %.6g %s\n", name, value, unit);
}

/* Ends the report with "core", if it was probed, and "peak": the maximum memory of this process, if the system reports
 * it. */
static inline int harness_end(void) {
    char line[128];
    long kib;
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status))
        if (sscanf(line, "VmHWM: %ld kB", &kib) == 1)
            harness_report("peak", (double)kib, "KiB");
    if (status)
        fclose(status);
    if (harness_core_least < 1)
        harness_report("core", harness_core_least * 1e9, "ns");
    return harness_wrong ? 1 : 0;
}

static inline void harness_check(const char *name, uint64_t got, uint64_t expected) {
    if (got == expected)
        return;
    fprintf(stderr, "%s: wrong result %llu, expected %llu\n", name, (unsigned long long)got,
            (unsigned long long)expected);
    harness_wrong = 1;
}

static inline int harness_by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct harness_times {
    double wall, cpu;
    int is_shared; /* measured on a core with another user */
};

/* Whether this CPU's core has no other user now. A neighbour outside of the machine that computes on the same core
 * slows independent additions, and most code, by up to 1.8 times, for a millisecond or a second. The time is compared
 * with the least one of this process and of those before it. */
static inline int harness_core_is_whole(void) {
    enum { ROUNDS = 1000 }; /* 0.6 us */
    double start = harness_wall();
    for (uint64_t a = 0, b = 0, c = 0, d = 0, left = ROUNDS; left > 0; left--) {
        a++, b++, c++, d++;
        __asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d));
        a++, b++, c++, d++;
        __asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d));
    }
    double time = harness_wall() - start;
    harness_core_least = time < harness_core_least ? time : harness_core_least;
    return time < 1.2 * harness_core_least;
}

/* A measured operation: prepare(arg) sets the data to their initial state, only work(arg) is timed, and result(arg)
 * returns the result. `prepare` may be NULL; without `result` the result is that of work. */
struct harness_kernel {
    void (*prepare)(void *arg);
    uint64_t (*work)(void *arg);
    uint64_t (*result)(void *arg);
};

/* Wall times of runs, and the sum of their CPU times. */
struct harness_samples {
    double wall[HARNESS_RUNS], cpu;
    int count;
};

static inline void harness_add(struct harness_samples *samples, double wall, double cpu) {
    samples->wall[samples->count++] = wall;
    samples->cpu += cpu;
}

/* The median of the wall times and the mean of the CPU times, in ns a unit. */
static inline struct harness_times harness_times_of(struct harness_samples *samples, double units) {
    int count = samples->count;
    qsort(samples->wall, (size_t)count, sizeof *samples->wall, harness_by_value);
    double median = (samples->wall[(count - 1) / 2] + samples->wall[count / 2]) / 2;
    struct harness_times times = {median / units * 1e9, samples->cpu / count / units * 1e9, 0};
    return times;
}

/* Whether to run again after `runs` runs, `whole` of them on a whole core, in `seconds`. */
static inline int harness_goes_on(int runs, int whole, double seconds) {
    if (runs < HARNESS_LEAST && (runs < 1 || seconds < HARNESS_LEAST_S))
        return 1;
    double budget = whole < HARNESS_LEAST ? HARNESS_PATIENCE * harness_budget : harness_budget;
    return runs < HARNESS_RUNS && seconds < budget;
}

/* Runs the kernel once to warm up, then until the budget is spent and it has run three times or for a second, and
 * checks each result. Kernels of more than HARNESS_LONG units need no warm-up. Returns the median of the work's wall
 * time divided by `units`, in ns, and the same of the CPU time of all threads, averaged. Only runs that began and ended
 * on a whole core count if there are three, for which two budgets may be spent; else all. */
static inline struct harness_times harness_run_kernel(const char *name, const struct harness_kernel *kernel,
                                                      void *arg, uint64_t expected, double units) {
    static struct harness_samples all, whole;
    all.count = whole.count = 0;
    all.cpu = whole.cpu = 0;
    int is_warm = units > HARNESS_LONG;
    double begin = harness_wall(), end;
    do {
        if (kernel->prepare)
            kernel->prepare(arg);
        int is_whole = harness_core_is_whole();
        double cpu_start = harness_cpu(), start = harness_wall();
        uint64_t result = kernel->work(arg);
        end = harness_wall();
        double cpu = harness_cpu() - cpu_start;
        is_whole = harness_core_is_whole() && is_whole;
        if (!is_warm)
            begin = end;
        else
            harness_add(&all, end - start, cpu);
        if (is_warm && is_whole)
            harness_add(&whole, end - start, cpu);
        is_warm = 1;
        harness_check(name, kernel->result ? kernel->result(arg) : result, expected);
    } while (harness_goes_on(all.count, whole.count, end - begin));
    int is_shared = whole.count < HARNESS_LEAST && whole.count < all.count;
    struct harness_times times = harness_times_of(is_shared ? &all : &whole, units);
    times.is_shared = is_shared;
    return times;
}

/* Whether NAME must be measured: HARNESS_ONLY in the environment lists the wanted names, separated by spaces, without
 * their .by_WAY, and saves the time of the others. Measurements that do not call this always run. */
static inline int harness_is_wanted(const char *name) {
    const char *only = getenv("HARNESS_ONLY"), *way = strstr(name, ".by_");
    size_t length = way ? (size_t)(way - name) : strlen(name);
    for (const char *at = only; at && *at; at += strcspn(at, " "), at += strspn(at, " "))
        if (strcspn(at, " ") == length && !strncmp(at, name, length))
            return 1;
    return !only;
}

/* Reports the times as NAME and NAME.cpu. */
static inline void harness_measure_kernel(const char *name, const struct harness_kernel *kernel, void *arg,
                                          uint64_t expected, double units) {
    char cpu_name[96];
    if (!harness_is_wanted(name))
        return;
    struct harness_times times = harness_run_kernel(name, kernel, arg, expected, units);
    if (times.is_shared)
        printf("shared %s\n", name);
    harness_report(name, times.wall, "ns");
    snprintf(cpu_name, sizeof cpu_name, "%s.cpu", name);
    harness_report(cpu_name, times.cpu, "ns");
}

/* The time of a unit of the kernel's bodies alone, in ns: the kernel is the code measured under NAME, with so many
 * units at once, on one thread or on all, that nothing else counts. In the same process, since the same body in two
 * functions of a program may differ by more than the runtimes do. */
static inline double harness_body(const char *name, const struct harness_kernel *kernel, void *arg,
                                  uint64_t expected, double units) {
    return harness_run_kernel(name, kernel, arg, expected, units).wall;
}

/* Reports the time of NAME under a runtime without cost. */
static inline void harness_report_ideal(const char *name, double ns) {
    char ideal_name[96];
    snprintf(ideal_name, sizeof ideal_name, "%s.ideal", name);
    harness_report(ideal_name, ns, "ns");
}

/* The same for work that needs no preparation and returns its result. */
static inline void harness_measure(const char *name, uint64_t (*work)(void *arg), void *arg,
                                   uint64_t expected, double units) {
    const struct harness_kernel kernel = {NULL, work, NULL};
    harness_measure_kernel(name, &kernel, arg, expected, units);
}

/* Memory for the data, aligned to a cache line so that runs are alike; without memory the program ends. */
static inline void *harness_memory(size_t bytes) {
    void *memory = aligned_alloc(64, (bytes + 63) & ~(size_t)63);
    if (!memory) {
        fprintf(stderr, "no memory for %zu bytes\n", bytes);
        exit(2);
    }
    return memory;
}

/* A body of work: `steps` dependent multiplications, about 1.5 ns each on a 3 GHz machine. The number is fixed, under
 * any runtime and load; clang would find a formula that skips most of them. */
static inline uint64_t harness_work(uint64_t x, long steps) {
    for (long left = steps; left > 0; left--) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        __asm__("" : "+r"(x));
    }
    return x;
}

/* Returns x after it and everything before it have been computed. Otherwise the processor computes several short bodies
 * at once, and their number depends on the address of the loop: the same one took 5.4 and 9.7 ns in two functions of a
 * program. */
static inline uint64_t harness_finish(uint64_t x) {
#if defined(__x86_64__)
    __asm__ volatile("lfence" : "+r"(x));
#elif defined(__aarch64__)
    __asm__ volatile("dsb sy\n\tisb" : "+r"(x));
#endif
    return x;
}

/* A good hash of 64 bits (Steele, Lea and Flood, OOPSLA 2014). */
static inline uint64_t harness_mix(uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

#endif
