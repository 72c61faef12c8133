/* More threads than CPUs, when T threads, the default, are the CPUs. crowd.WORK is the time of a round of work with T
 * threads, .over that with 4 T, and .neighbour that with T when another process computes on the first CPU all the time.
 * .copies, .copies4 and .copies8 are the time of a round when two, four or eight processes with T threads each do theirs
 * at once, per process: one after the other they take crowd.WORK.alone. The works: loops of a few microseconds with the
 * barriers between them (loop), tasks of a few microseconds (tasks), and regions of next to nothing with some barriers
 * in each (short). Argument: MS. */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif
#include <errno.h>
#include <omp.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"

enum { PHASES = 50, PIECES = 64, STEPS = 800, TASKS = 512, COPIES = 8, REGIONS = 10, BARRIERS = 5 };

struct work {
    const char *name;
    uint64_t (*round)(void *threads);
    uint64_t expected;
};

static uint64_t piece(int i) {
    return harness_work((uint64_t)i, STEPS) & 0xff;
}

static uint64_t loops(void *arg) {
    uint64_t sum = 0;
#pragma omp parallel num_threads(*(int *)arg)
    for (int phase = 0; phase < PHASES; phase++) {
#pragma omp for schedule(static) reduction(+ : sum)
        for (int i = 0; i < PIECES; i++)
            sum += piece(i);
    }
    return sum;
}

static uint64_t tasks(void *arg) {
    uint64_t sum = 0;
#pragma omp parallel num_threads(*(int *)arg)
#pragma omp single
    for (int i = 0; i < TASKS; i++) {
#pragma omp task shared(sum)
        {
            uint64_t value = piece(i % PIECES);
#pragma omp atomic
            sum += value;
        }
    }
    return sum;
}

static uint64_t short_regions(void *arg) {
    uint64_t sum = 0;
    for (int region = 0; region < REGIONS; region++) {
#pragma omp parallel num_threads(*(int *)arg)
        for (int i = 0; i < BARRIERS; i++) {
#pragma omp barrier
#pragma omp master
            sum++;
        }
    }
    return sum;
}

static void fail(const char *what) {
    fprintf(stderr, "crowd: %s: error %d\n", what, errno);
    exit(2);
}

/* Runs rounds for that time, at least one. Returns their number; 0: one was wrong. */
static long rounds_in(const struct work *work, double seconds) {
    int threads = omp_get_max_threads();
    long rounds = 0;
    double start = harness_wall();
    do {
        if (work->round(&threads) != work->expected)
            return 0;
        rounds++;
    } while (harness_wall() - start < seconds);
    return rounds;
}

/* In a process of its own: for each time that it reads, runs rounds for that time, and answers with their number. */
static void serve(const struct work *work, int in, int out) {
    double seconds;
    while (read(in, &seconds, sizeof seconds) == sizeof seconds) {
        long rounds = rounds_in(work, seconds);
        if (write(out, &rounds, sizeof rounds) != sizeof rounds)
            _exit(2);
    }
    _exit(0);
}

static struct {
    int in, out;
    pid_t pid;
} copies[COPIES];

static void start_copies(const struct work *work) {
    for (int i = 0; i < COPIES; i++) {
        int down[2], up[2];
        if (pipe(down) || pipe(up) || (copies[i].pid = fork()) < 0)
            fail("starting a copy");
        if (copies[i].pid == 0) {
            close(down[1]);
            for (int k = 0; k < i; k++)
                close(copies[k].out);
            serve(work, down[0], up[1]);
        }
        close(down[0]);
        close(up[1]);
        copies[i].out = down[1];
        copies[i].in = up[0];
    }
}

static void end_copies(void) {
    for (int i = 0; i < COPIES; i++) {
        close(copies[i].out);
        close(copies[i].in);
        waitpid(copies[i].pid, NULL, 0);
    }
}

/* Seconds for each round while the first `count` copies run theirs at the same time. */
static double run_copies(const struct work *work, int count, double seconds) {
    double start = harness_wall();
    long all = 0;
    for (int i = 0; i < count; i++)
        if (write(copies[i].out, &seconds, sizeof seconds) != sizeof seconds)
            fail("a copy has gone");
    for (int i = 0; i < count; i++) {
        long rounds = 0;
        if (read(copies[i].in, &rounds, sizeof rounds) != sizeof rounds)
            fail("a copy has gone");
        harness_check(work->name, rounds > 0, 1);
        all += rounds;
    }
    return (harness_wall() - start) / (double)(all > 0 ? all : 1);
}

static void measure_copies(const struct work *work) {
    static const struct {
        const char *name;
        int count;
    } rows[] = {{"alone", 1}, {"copies", 2}, {"copies4", 4}, {"copies8", 8}};
    start_copies(work);
    run_copies(work, COPIES, 0); /* a round each, to warm up */
    for (int i = 0; i < 4; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s.%s", work->name, rows[i].name);
        harness_report(name, run_copies(work, rows[i].count, rows[i].count * harness_budget) * 1e9, "ns");
    }
    end_copies();
}

/* A process that computes on the first CPU of ours until it is killed. */
static pid_t start_neighbour(void) {
    cpu_set_t set;
    int cpu = 0;
    pid_t pid = fork();
    if (pid != 0)
        return pid;
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        while (!CPU_ISSET(cpu, &set))
            cpu++;
        CPU_ZERO(&set);
        CPU_SET(cpu, &set);
        sched_setaffinity(0, sizeof set, &set);
    }
    for (volatile uint64_t sum = 0;; sum++)
        ;
}

/* The mean: most rounds fit between two turns of the neighbour, and their median would not show it. */
static void measure_with_neighbour(const struct work *work, pid_t neighbour) {
    char name[64];
    kill(neighbour, SIGCONT);
    double start = harness_wall();
    long rounds = rounds_in(work, 4 * harness_budget);
    double spent = harness_wall() - start;
    kill(neighbour, SIGSTOP);
    harness_check(work->name, rounds > 0, 1);
    snprintf(name, sizeof name, "%s.neighbour", work->name);
    harness_report(name, spent / (double)(rounds > 0 ? rounds : 1) * 1e9, "ns");
}

int main(int argc, char **argv) {
    harness_begin(argc, argv);
    struct work works[] = {{"crowd.loop", loops, 0},
                           {"crowd.tasks", tasks, 0},
                           {"crowd.short", short_regions, REGIONS * BARRIERS}};
    enum { WORKS = sizeof works / sizeof works[0] };
    for (int i = 0; i < PIECES; i++) {
        works[0].expected += PHASES * piece(i);
        works[1].expected += TASKS / PIECES * piece(i);
    }
    for (int i = 0; i < WORKS; i++) /* before this process has threads: it forks */
        measure_copies(&works[i]);
    pid_t neighbour = start_neighbour(); /* stopped but for its turn */
    if (neighbour < 0 || kill(neighbour, SIGSTOP))
        fail("starting a neighbour");
    int threads = omp_get_max_threads(), more = 4 * threads;
    for (int i = 0; i < WORKS; i++) {
        char name[64];
        harness_measure(works[i].name, works[i].round, &threads, works[i].expected, 1);
        snprintf(name, sizeof name, "%s.over", works[i].name);
        harness_measure(name, works[i].round, &more, works[i].expected, 1);
        measure_with_neighbour(&works[i], neighbour);
    }
    kill(neighbour, SIGKILL);
    waitpid(neighbour, NULL, 0);
    return harness_end();
}
