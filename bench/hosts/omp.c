/* Several threads of one process open regions at once, each with a team of the default size, as scikit-learn or a
 * server does when it calls a BLAS from its own threads. hosts.WORK.K is the time of a region where K threads open
 * regions one after the other, divided by K; hosts.WORK.K.limit is the same with the best limit that a user could set
 * by hand: the number of threads, from 1 to the default, for all of them. The works: static loops of 5, 50 and 1000 us
 * in all (short5, short50, loop), a tree of tasks (tree), panels whose members wait for each other in the program's own
 * code (panels), and the same with the one buffer of the process, for which host threads spin, as in OpenBLAS (buffer).
 * A limit that takes MUCH_LONGER times as long as the best ends the search: the buffer takes 500 times as long.
 * Argument: MS. */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif
#include <math.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "harness.h"

enum { MOST = 16, PIECES = 32, DEPTH = 7, PHASES = 6, ROUND_US = 20000, STEPS_OF_A_US = 700 };
enum { MUCH_LONGER = 8 };

struct work {
    const char *name;
    uint64_t (*region)(long us);
    long us; /* of computation in a region, on one CPU, about */
};

static uint64_t piece(int i, long steps) {
    return harness_work((uint64_t)i, steps) & 0xff;
}

static uint64_t loop(long us) {
    uint64_t sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (int i = 0; i < PIECES; i++)
        sum += piece(i, us * STEPS_OF_A_US / PIECES);
    return sum;
}

static uint64_t node(int depth, long steps) {
    if (depth == 0)
        return piece(0, steps);
    uint64_t left, right;
#pragma omp task shared(left)
    left = node(depth - 1, steps);
    right = node(depth - 1, steps);
#pragma omp taskwait
    return left + right;
}

static uint64_t tree(long us) {
    uint64_t sum = 0;
#pragma omp parallel
#pragma omp single
    sum = node(DEPTH, us * STEPS_OF_A_US >> DEPTH);
    return sum;
}

static uint64_t panels(long us) {
    _Atomic uint64_t sum = 0;
    atomic_int done[PHASES] = {0};
#pragma omp parallel
    {
        int threads = omp_get_num_threads();
        for (int phase = 0; phase < PHASES; phase++) {
            uint64_t mine = 0;
            for (int i = omp_get_thread_num(); i < PIECES; i += threads)
                mine += piece(i, us * STEPS_OF_A_US / PIECES / PHASES);
            atomic_fetch_add(&sum, mine);
            atomic_fetch_add(&done[phase], 1);
            while (atomic_load(&done[phase]) < threads)
                sched_yield();
        }
    }
    return sum;
}

static atomic_flag buffer_in_use = ATOMIC_FLAG_INIT;

static uint64_t buffer(long us) {
    if (omp_get_max_threads() == 1)
        return panels(us);
    while (atomic_flag_test_and_set(&buffer_in_use))
        ;
    uint64_t sum = panels(us);
    atomic_flag_clear(&buffer_in_use);
    return sum;
}

/* Written by the main thread before `begin`, read by the hosts after it. */
static struct {
    const struct work *work;
    int limit;
    long regions; /* of each host */
} round_now;
static pthread_barrier_t begin, end;
static uint64_t sums[MOST]; /* each by its host, read after `end` */

static void *host(void *arg) {
    for (;;) {
        pthread_barrier_wait(&begin);
        if (!round_now.work)
            return NULL;
        uint64_t sum = 0;
        omp_set_num_threads(round_now.limit);
        for (long i = 0; i < round_now.regions; i++)
            sum += round_now.work->region(round_now.work->us);
        *(uint64_t *)arg = sum;
        pthread_barrier_wait(&end);
    }
}

/* A round of `hosts` threads: the sum of what their regions return. */
static uint64_t run_round(void *arg) {
    int hosts = *(int *)arg;
    uint64_t sum = 0;
    pthread_barrier_wait(&begin);
    pthread_barrier_wait(&end);
    for (int i = 0; i < hosts; i++)
        sum += sums[i];
    return sum;
}

static struct harness_times time_of(const char *name, int hosts, int limit) {
    round_now.limit = limit;
    omp_set_num_threads(1);
    uint64_t one = round_now.work->region(round_now.work->us);
    const struct harness_kernel kernel = {NULL, run_round, NULL};
    double regions = (double)round_now.regions * hosts;
    return harness_run_kernel(name, &kernel, &hosts, one * (uint64_t)regions, regions);
}

static void report(const char *name, struct harness_times times) {
    char cpu_name[96];
    harness_report(name, times.wall, "ns");
    snprintf(cpu_name, sizeof cpu_name, "%s.cpu", name);
    harness_report(cpu_name, times.cpu, "ns");
}

static void measure(const struct work *work, int hosts, int threads) {
    char name[64], limit_name[80];
    snprintf(name, sizeof name, "hosts.%s.%d", work->name, hosts);
    snprintf(limit_name, sizeof limit_name, "%s.limit", name);
    round_now.work = work;
    round_now.regions = 1 + (long)fmin(ROUND_US, harness_budget * 1e6) / work->us / hosts;
    if (harness_is_wanted(name))
        report(name, time_of(name, hosts, threads));
    if (!harness_is_wanted(limit_name))
        return;
    struct harness_times best = time_of(limit_name, hosts, 1);
    for (int limit = 2; limit <= threads; limit++) {
        struct harness_times times = time_of(limit_name, hosts, limit);
        if (times.wall > MUCH_LONGER * best.wall)
            break;
        best = times.wall < best.wall ? times : best;
    }
    report(limit_name, best);
}

static void with_hosts(int hosts, int threads, const struct work *works, int count) {
    pthread_t ids[MOST];
    pthread_barrier_init(&begin, NULL, (unsigned)hosts + 1);
    pthread_barrier_init(&end, NULL, (unsigned)hosts + 1);
    for (int i = 0; i < hosts; i++)
        if (pthread_create(&ids[i], NULL, host, &sums[i]) != 0)
            exit(2);
    for (int i = 0; i < count; i++)
        measure(&works[i], hosts, threads);
    round_now.work = NULL;
    pthread_barrier_wait(&begin);
    for (int i = 0; i < hosts; i++)
        pthread_join(ids[i], NULL);
    pthread_barrier_destroy(&begin);
    pthread_barrier_destroy(&end);
}

int main(int argc, char **argv) {
    static const struct work works[] = {{"short5", loop, 5},     {"short50", loop, 50},
                                        {"loop", loop, 1000},    {"tree", tree, 300},
                                        {"panels", panels, 200}, {"buffer", buffer, 200}};
    harness_begin(argc, argv);
    int threads = omp_get_max_threads();
    for (int hosts = 2; hosts <= MOST; hosts *= hosts)
        with_hosts(hosts, threads, works, sizeof works / sizeof *works);
    return harness_end();
}
