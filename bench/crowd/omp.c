/* More threads than CPUs, when T threads, the default, are the CPUs. crowd.WORK is the time of a round of work with T
 * threads, .over that with 4 T, and .copies the time of a round when two processes with T threads each do theirs at once,
 * per process: one after the other they take crowd.WORK.alone. The works: loops of a few microseconds with the barriers
 * between them (loop), and tasks of a few microseconds (tasks). Argument: MS. */
#include <errno.h>
#include <omp.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"

enum { PHASES = 50, PIECES = 64, STEPS = 800, TASKS = 512, COPIES = 2 };

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

static void fail(const char *what) {
    fprintf(stderr, "crowd: %s: error %d\n", what, errno);
    exit(2);
}

/* In a process of its own: says when it is warm, and for each number of rounds that it reads runs them, and answers. */
static void serve(const struct work *work, int in, int out) {
    int threads = omp_get_max_threads();
    long rounds = 1;
    do {
        char good = 1;
        for (long i = 0; i < rounds; i++)
            good = good && work->round(&threads) == work->expected;
        if (write(out, &good, 1) != 1)
            _exit(2);
    } while (read(in, &rounds, sizeof rounds) == sizeof rounds);
    _exit(0);
}

static struct {
    int in, out;
    pid_t pid;
} copies[COPIES];

static void await(const struct work *work, int copy) {
    char good = 0;
    if (read(copies[copy].in, &good, 1) != 1)
        fail("a copy has gone");
    harness_check(work->name, (uint64_t)good, 1);
}

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
    for (int i = 0; i < COPIES; i++)
        await(work, i);
}

static void end_copies(void) {
    for (int i = 0; i < COPIES; i++) {
        close(copies[i].out);
        close(copies[i].in);
        waitpid(copies[i].pid, NULL, 0);
    }
}

/* Seconds until the first `count` copies have run that many rounds at the same time. */
static double run_copies(const struct work *work, int count, long rounds) {
    double start = harness_wall();
    for (int i = 0; i < count; i++)
        if (write(copies[i].out, &rounds, sizeof rounds) != sizeof rounds)
            fail("a copy has gone");
    for (int i = 0; i < count; i++)
        await(work, i);
    return harness_wall() - start;
}

static void measure_copies(const struct work *work) {
    char name[64];
    start_copies(work);
    double spent = 0;
    long rounds = 1; /* as many as take the budget alone; they are the warm-up, too */
    while ((spent = run_copies(work, 1, rounds)) < harness_budget)
        rounds = spent < harness_budget / 8 ? rounds * 4
                                            : (long)((double)rounds * harness_budget / spent * 1.2) + 1;
    snprintf(name, sizeof name, "%s.alone", work->name);
    harness_report(name, spent / (double)rounds * 1e9, "ns");
    snprintf(name, sizeof name, "%s.copies", work->name);
    harness_report(name, run_copies(work, COPIES, rounds) / (double)(COPIES * rounds) * 1e9, "ns");
    end_copies();
}

int main(int argc, char **argv) {
    harness_begin(argc, argv);
    struct work works[] = {{"crowd.loop", loops, 0}, {"crowd.tasks", tasks, 0}};
    for (int i = 0; i < PIECES; i++) {
        works[0].expected += PHASES * piece(i);
        works[1].expected += TASKS / PIECES * piece(i);
    }
    for (int i = 0; i < 2; i++) /* before this process has threads: it forks */
        measure_copies(&works[i]);
    int threads = omp_get_max_threads(), more = 4 * threads;
    for (int i = 0; i < 2; i++) {
        char name[64];
        harness_measure(works[i].name, works[i].round, &threads, works[i].expected, 1);
        snprintf(name, sizeof name, "%s.over", works[i].name);
        harness_measure(name, works[i].round, &more, works[i].expected, 1);
    }
    return harness_end();
}
