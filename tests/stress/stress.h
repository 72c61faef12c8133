/* stress.h: common parts of the stress tests. Each test is a program with the optional arguments THREADS SCALE ITER
 * SEED: threads, size in per cent of the normal one, rounds, and the seed of the first round. A watchdog ends a round
 * that hangs. A failed check prints the round's seed, which repeats the round. These tests are no benchmarks: their
 * times mean nothing. */
#ifndef STRESS_H
#define STRESS_H

#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/atomic.h"

#if defined(__SANITIZE_THREAD__)
#    define STRESS_TSAN 1
#elif defined(__has_feature)
#    if __has_feature(thread_sanitizer)
#        define STRESS_TSAN 1
#    endif
#endif
#ifndef STRESS_TSAN
#    define STRESS_TSAN 0
#endif

/* Longer than any round takes on a loaded machine under a sanitizer and an emulator. */
#define STRESS_HANG_SECONDS 550

static struct {
    const char *what; /* the current part */
    unsigned threads, scale, iter;
    uint64_t seed; /* of the current round */
} stress = {"start", 8, STRESS_TSAN ? 10 : 100, 3, 1};

#define stress_check(condition)                                                                              \
    ((condition) ? (void)0 : stress_fail(__FILE__, __LINE__, #condition, __extension__ __func__))

_Noreturn static inline void stress_fail(const char *file, int line, const char *condition,
                                         const char *function) {
    fprintf(stderr, "%s:%d: %s: %s: failed: %s (seed %" PRIu64 ", %u threads)\n", file, line, function,
            stress.what, condition, stress.seed, stress.threads);
    abort();
}

static inline void stress_hang(int signal) {
    (void)signal;
    static const char head[] = "hang in: ";
    (void)!write(STDERR_FILENO, head, sizeof head - 1);
    (void)!write(STDERR_FILENO, stress.what, strlen(stress.what));
    (void)!write(STDERR_FILENO, "\n", 1);
    abort();
}

static inline unsigned stress_argument(int argc, char **argv, int index, unsigned normal) {
    if (index >= argc)
        return normal;
    char *end;
    unsigned long value = strtoul(argv[index], &end, 10);
    if (*argv[index] == '\0' || *end != '\0' || value == 0 || value > 1000000) {
        fprintf(stderr, "usage: %s [THREADS [SCALE [ITER [SEED]]]], numbers from 1\n", argv[0]);
        exit(2);
    }
    return (unsigned)value;
}

static inline void stress_begin(int argc, char **argv) {
    stress.threads = stress_argument(argc, argv, 1, stress.threads);
    stress.scale = stress_argument(argc, argv, 2, stress.scale);
    stress.iter = stress_argument(argc, argv, 3, stress.iter);
    stress.seed = stress_argument(argc, argv, 4, 1);
    setvbuf(stdout, NULL, _IOLBF, 0); /* output is complete even after a hang */
    printf("%s: %u threads, scale %u, %u rounds, seed %" PRIu64 "\n", argv[0], stress.threads, stress.scale,
           stress.iter, stress.seed);
    signal(SIGALRM, stress_hang);
}

/* Begins a part of a round. */
static inline void stress_part(const char *what) {
    stress.what = what;
    alarm(STRESS_HANG_SECONDS);
}

/* `n` at the requested scale, at least 1. */
static inline unsigned stress_scaled(unsigned n) {
    uint64_t scaled = (uint64_t)n * stress.scale / 100;
    return scaled > 0 ? (unsigned)scaled : 1;
}

/* Every thread of every round has a generator of its own (splitmix64). */
struct stress_rng {
    uint64_t state;
};

static inline struct stress_rng stress_rng(unsigned thread) {
    return (struct stress_rng){stress.seed * 1000003 + thread * 7919};
}

static inline uint32_t stress_random(struct stress_rng *rng, uint32_t n) {
    uint64_t x = rng->state += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)((x ^ x >> 31) % n);
}

/* ---- threads ---- */

typedef void stress_body(unsigned index, void *arg);

struct stress_thread {
    stress_body *body;
    void *arg;
    unsigned index;
    pthread_t handle;
};

static inline void *stress_thread_main(void *arg) {
    struct stress_thread *thread = arg;
    thread->body(thread->index, thread->arg);
    return NULL;
}

/* Runs body(i, arg) for i in [0, count) on a thread each and waits for all. */
static inline void stress_run(unsigned count, stress_body *body, void *arg) {
    struct stress_thread *threads = calloc(count, sizeof *threads);
    stress_check(threads);
    for (unsigned i = 0; i < count; i++) {
        threads[i] = (struct stress_thread){body, arg, i, 0};
        stress_check(pthread_create(&threads[i].handle, NULL, stress_thread_main, &threads[i]) == 0);
    }
    for (unsigned i = 0; i < count; i++)
        pthread_join(threads[i].handle, NULL);
    free(threads);
}

/* A rendezvous of `count` threads, independent of the code under test. */
struct stress_meeting {
    struct bz_a32 arrived, generation;
};

static inline void stress_meet(struct stress_meeting *meeting, unsigned count) {
    uint32_t generation = bz_load_acquire(&meeting->generation);
    if (bz_fetch_add_acq_rel(&meeting->arrived, 1) + 1 == count) {
        bz_store_relaxed(&meeting->arrived, 0);
        bz_store_release(&meeting->generation, generation + 1);
        return;
    }
    for (unsigned spins = 0; bz_load_acquire(&meeting->generation) == generation; spins++)
        if (spins > 200)
            sched_yield();
}

#endif
