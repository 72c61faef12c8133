/*
 * Shared by the programs of this folder: checks, gauges, and arithmetic that the compiler cannot fold away. C and C++.
 *
 * On stdout a program prints only text that is the same under each correct runtime, and only from its serial part, so
 * that the runner can compare runtimes. A failed check writes one line to stderr and makes check_done return 1.
 */
#ifndef CHECK_H
#define CHECK_H

#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK_MAX_THREADS 64

static int check_failures;

#define CHECK(cond) check_that((cond) != 0, #cond, __FILE__, __LINE__)
#define CHECK_EQ(got, want) check_equal((long long)(got), (long long)(want), #got, __FILE__, __LINE__)

/* Only the first failures are printed: a broken runtime may fail the same check a million times. */
static inline void check_that(int ok, const char *what, const char *file, int line) {
    if (!ok && __atomic_fetch_add(&check_failures, 1, __ATOMIC_RELAXED) < 10)
        fprintf(stderr, "%s:%d: failed: %s\n", file, line, what);
}

static inline void check_equal(long long got, long long want, const char *what, const char *file, int line) {
    if (got != want && __atomic_fetch_add(&check_failures, 1, __ATOMIC_RELAXED) < 10)
        fprintf(stderr, "%s:%d: failed: %s is %lld, not %lld\n", file, line, what, got, want);
}

/* The last call of each program: prints the verdict and returns main's exit status. */
static inline int check_done(const char *name) {
    int failures = __atomic_load_n(&check_failures, __ATOMIC_RELAXED);

    printf("%s: %s\n", name, failures == 0 ? "ok" : "FAILED");
    return failures != 0;
}

/* The n-th argument as a number: repeated runs pass a smaller size. */
static inline long check_arg(int argc, char **argv, int n, long otherwise) {
    return n < argc ? atol(argv[n]) : otherwise;
}

/* Counts the threads inside a part of the program, and records the maximum. Yields inside now and then, so that a
 * thread that can enter does. */
struct gauge {
    int inside;
    int most;
    int entries;
};

static inline void gauge_enter(struct gauge *g) {
    int now = __atomic_add_fetch(&g->inside, 1, __ATOMIC_RELAXED);
    int most = __atomic_load_n(&g->most, __ATOMIC_RELAXED);

    while (now > most &&
           !__atomic_compare_exchange_n(&g->most, &most, now, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
    if (__atomic_add_fetch(&g->entries, 1, __ATOMIC_RELAXED) % 32 == 0)
        sched_yield();
}

static inline void gauge_leave(struct gauge *g) {
    __atomic_sub_fetch(&g->inside, 1, __ATOMIC_RELAXED);
}

/* Adds without the runtime, to count inside constructs under test. */
static inline void count_up(int *counter) {
    __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

static inline int count_read(const int *counter) {
    return __atomic_load_n(counter, __ATOMIC_RELAXED);
}

/* Waits, yielding, until the counter reaches `want`; only for threads that must run at the same time. */
static inline void wait_for_count(const int *counter, int want) {
    while (__atomic_load_n(counter, __ATOMIC_ACQUIRE) < want)
        sched_yield();
}

static inline void signal_count(int *counter) {
    __atomic_fetch_add(counter, 1, __ATOMIC_RELEASE);
}

/* Holds the threads of a team until all have arrived, so that they run at the same time. */
static inline void start_together(int *arrived) {
    signal_count(arrived);
    wait_for_count(arrived, omp_get_num_threads());
}

/* A repeatable pseudo-random step; also the unit of busy work. */
static inline unsigned scramble(unsigned x) {
    x += 0x9e3779b9u;
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ (x >> 16);
}

static inline unsigned busy_work(unsigned seed, int steps) {
    for (int i = 0; i < steps; i++)
        seed = scramble(seed + (unsigned)i);
    __asm__ volatile("" : : "r"(seed)); /* keeps an unused result */
    return seed;
}

#endif
