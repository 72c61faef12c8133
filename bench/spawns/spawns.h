/* spawns.h: common parts of the programs on single tasks. Each prints, natively and for the peers:
 *
 *   spawns.storm   STORM tasks that write a byte each, spawned by one thread and waited for: ns for each
 *   spawns.joins   a binary tree of forks and joins, DEPTH deep, that counts its leaves: ns for each fork
 *   spawns.depth.5, .10   many such trees of that depth, one after the other in one task: ns for each fork
 *   spawns.chain   chains of LINKS forks within each other, each of a leaf and the rest: ns for each fork
 *   spawns.wake    from the submission of a task to a pool that has been idle for IDLE_NS to its first instruction
 *
 * .by_WAY where there are several ways. The wake comes first: the CPU of a woken thread depends on its earlier CPU, and
 * that matters ten times more than the runtime. Argument: MS. */
#ifndef BENCH_SPAWNS_H
#define BENCH_SPAWNS_H

#include "harness.h"

#include <sched.h>
#include <string.h>

enum { STORM = 50000, DEPTH = 15, FORKS = 1 << 14, LINKS = 1000, CHAINS = 16, IDLE_NS = 2000000 };

static unsigned char spawns_done[STORM];

static inline void spawns_clear(void *arg) {
    (void)arg;
    memset(spawns_done, 0, sizeof spawns_done);
}

static inline uint64_t spawns_count(void *arg) {
    uint64_t sum = 0;
    (void)arg;
    for (size_t i = 0; i < STORM; i++)
        sum += spawns_done[i];
    return sum;
}

static inline void spawns_storm(const char *name, uint64_t (*storm)(void *arg)) {
    const struct harness_kernel kernel = {spawns_clear, storm, spawns_count};
    harness_measure_kernel(name, &kernel, NULL, STORM, STORM);
}

static inline void spawns_joins(const char *name, uint64_t (*joins)(void *depth)) {
    int depth = DEPTH;
    harness_measure(name, joins, &depth, UINT64_C(1) << DEPTH, (1 << DEPTH) - 1);
}

/* Trees, or chains, that are counted one after the other. */
struct spawns_row {
    int depth, count;
};

static inline void spawns_depths(uint64_t (*trees)(void *row)) {
    static const int depths[] = {5, 10};
    for (int i = 0; i < 2; i++) {
        struct spawns_row row = {depths[i], FORKS >> depths[i]};
        char name[32];
        snprintf(name, sizeof name, "spawns.depth.%d", row.depth);
        harness_measure(name, trees, &row, (uint64_t)row.count << row.depth,
                        (double)row.count * ((1 << row.depth) - 1));
    }
}

static inline void spawns_chain(uint64_t (*chains)(void *row)) {
    struct spawns_row row = {LINKS, CHAINS};
    harness_measure("spawns.chain", chains, &row, CHAINS * (LINKS + 1), CHAINS * LINKS);
}

static int spawns_begun; /* set by the task, with release */

static inline void spawns_idle(void *arg) {
    struct timespec pause = {0, IDLE_NS};
    (void)arg;
    nanosleep(&pause, NULL);
    __atomic_store_n(&spawns_begun, 0, __ATOMIC_RELAXED);
}

static inline void spawns_begin(void) {
    __atomic_store_n(&spawns_begun, 1, __ATOMIC_RELEASE);
}

static inline uint64_t spawns_await(void) {
    while (!__atomic_load_n(&spawns_begun, __ATOMIC_ACQUIRE))
        sched_yield(); /* or the system may give the task's thread no CPU but this one */
    return 1;
}

static inline void spawns_wake(const char *name, uint64_t (*submit)(void *arg)) {
    const struct harness_kernel kernel = {spawns_idle, submit, NULL};
    harness_measure_kernel(name, &kernel, NULL, 1, 1);
}

#endif
