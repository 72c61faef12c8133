/* One operation again and again between two marks, for machine.c to count: arguments NAME TIMES; OMP_NUM_THREADS is the
 * team's size. Prints the number of operations. Argument "list": prints the names, each with the unit that is
 * counted. */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif

#include <omp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mark.h"

#define LINE 64

/* A body of work: instructions that touch no memory. */
static inline void work(long steps) {
    for (long i = 0; i < steps; i++)
        __asm__ volatile("" : "+r"(i));
}

enum { BODY = 100 }; /* steps of most bodies */

/* ---- in a team: each thread runs it `times` times; returns the number of units, or 0 if `times` is that ---- */

static long barrier(long times) {
    for (long k = 0; k < times; k++) {
#pragma omp barrier
    }
    return omp_get_thread_num() == 0 ? times : 0;
}

/* Behind a task of each thread. */
static long barrier_tasks(long times) {
    for (long k = 0; k < times; k++) {
#pragma omp task
        work(BODY);
#pragma omp barrier
    }
    return omp_get_thread_num() == 0 ? times : 0;
}

/* A chunk of one iteration for each thread and time. */
static long dynamic(long times) {
    long chunks = times * omp_get_num_threads();
#pragma omp for schedule(dynamic, 1) nowait
    for (long k = 0; k < chunks; k++)
        work(BODY);
    return times;
}

static long dynamic_loop(long times) {
    for (long k = 0; k < times; k++) {
#pragma omp for schedule(dynamic, 1) nowait
        for (int i = 0; i < omp_get_num_threads(); i++)
            work(BODY);
    }
    return omp_get_thread_num() == 0 ? times : 0;
}

static long ordered(long times) {
    long iterations = times * omp_get_num_threads();
#pragma omp for ordered schedule(static, 1) nowait
    for (long k = 0; k < iterations; k++) {
#pragma omp ordered
        work(1);
    }
    return times;
}

static long doacross(long times) {
    long iterations = times * omp_get_num_threads();
#pragma omp for ordered(1) schedule(static, 1) nowait
    for (long k = 0; k < iterations; k++) {
#pragma omp ordered depend(sink : k - 1)
        work(1);
#pragma omp ordered depend(source)
    }
    return times;
}

static long single(long times) {
    for (long k = 0; k < times; k++) {
#pragma omp single nowait
        work(1);
    }
    return omp_get_thread_num() == 0 ? times : 0;
}

static long critical(long times) {
    for (long k = 0; k < times; k++) {
#pragma omp critical
        work(1);
        work(BODY);
    }
    return times;
}

static omp_lock_t one;

static long lock(long times) {
    for (long k = 0; k < times; k++) {
        omp_set_lock(&one);
        work(1);
        omp_unset_lock(&one);
        work(BODY);
    }
    return times;
}

/* Two variables: with one, the compiler adds by an atomic instruction. */
static double sum;
static __attribute__((aligned(LINE))) double most;

static long reduction(long times) {
    for (long k = 0; k < times; k++) {
#pragma omp for reduction(+ : sum) reduction(max : most) schedule(static) nowait
        for (int i = 0; i < omp_get_num_threads(); i++) {
            sum += i;
            most = most > i ? most : i;
        }
    }
    return omp_get_thread_num() == 0 ? times : 0;
}

/* Each thread for itself, one at a time. */
static long task_own(long times) {
    for (long k = 0; k < times; k++) {
#pragma omp task
        work(BODY);
#pragma omp taskwait
    }
    return times;
}

/* Each thread makes some, and any may run them. */
static long task_all(long times) {
    for (long k = 0; k < times; k++) {
#pragma omp task
        work(BODY);
    }
#pragma omp taskwait
    return times;
}

/* One thread makes them all, the others steal each: bodies long enough for it to keep up. */
static long steal(long times) {
    long threads = omp_get_num_threads();
    if (omp_get_thread_num() != 0)
        return 0;
    for (long k = 0; k < times * threads; k++) {
#pragma omp task
        work(20 * BODY + 10 * threads * BODY);
    }
#pragma omp taskwait
    return times * threads;
}

static long fibonacci(int n) {
    if (n < 2)
        return n;
    long a, b;
#pragma omp task shared(a)
    a = fibonacci(n - 1);
#pragma omp task shared(b)
    b = fibonacci(n - 2);
#pragma omp taskwait
    return a + b;
}

/* A tree of tasks, about ten for each thread and time. */
static long tree(long times) {
    if (omp_get_thread_num() != 0)
        return 0;
    int n = 2;
    long value = 2, before = 1;
    while (value < 5 * times * omp_get_num_threads()) {
        long next = value + before;
        before = value;
        value = next;
        n++;
    }
    fibonacci(n);
    return 2 * value - 2;
}

/* A chain, made by one thread. */
static long depend_chain(long times) {
    static char x;
    (void)x;
    long tasks = times * omp_get_num_threads();
    if (omp_get_thread_num() != 0)
        return 0;
    for (long k = 0; k < tasks; k++) {
#pragma omp task depend(inout : x)
        work(BODY);
    }
#pragma omp taskwait
    return tasks;
}

/* As many chains as threads, made by one. */
static long depend_chains(long times) {
    static char x[256];
    (void)x;
    long threads = omp_get_num_threads();
    if (omp_get_thread_num() != 0)
        return 0;
    for (long k = 0; k < times * threads; k++) {
#pragma omp task depend(inout : x[k % threads])
        work(20 * BODY + 10 * threads * BODY);
    }
#pragma omp taskwait
    return times * threads;
}

static long taskloop(long times) {
    long tasks = times * omp_get_num_threads();
    if (omp_get_thread_num() != 0)
        return 0;
#pragma omp taskloop grainsize(1)
    for (long k = 0; k < tasks; k++)
        work(10 * BODY);
    return tasks;
}

/* ---- outside: the calling thread ---- */

static long region(long times) {
    for (long k = 0; k < times; k++) {
#pragma omp parallel
        work(1);
    }
    return times;
}

static const struct operation {
    const char *name, *counted;
    long (*run)(long times);
    bool outside;
    long times; /* usual */
} operations[] = {
    {"region", "region", region, true, 20},
    {"barrier", "barrier", barrier, false, 20},
    {"barrier-tasks", "barrier behind a task of each thread", barrier_tasks, false, 20},
    {"single", "single construct", single, false, 20},
    {"reduction", "loop with a reduction", reduction, false, 20},
    {"dynamic", "chunk", dynamic, false, 50},
    {"dynamic-loop", "loop of one chunk a thread", dynamic_loop, false, 20},
    {"ordered", "iteration", ordered, false, 10},
    {"doacross", "iteration", doacross, false, 10},
    {"critical", "section", critical, false, 20},
    {"lock", "acquisition", lock, false, 20},
    {"task-own", "task", task_own, false, 50},
    {"task-all", "task", task_all, false, 50},
    {"steal", "task", steal, false, 20},
    {"tree", "task", tree, false, 10},
    {"depend-chain", "task", depend_chain, false, 10},
    {"depend-chains", "task", depend_chains, false, 10},
    {"taskloop", "task", taskloop, false, 20},
};

/* ---- the marks ---- */

static void set_mark(enum mark mark) {
    (void)syscall(MARK_NUMBER, (long)mark);
}

/* The last thread to arrive sets the mark and lets the others go on, by a word of the program itself: only the
 * runtime's work for the operation counts. */
static struct {
    __attribute__((aligned(LINE))) long came;
    __attribute__((aligned(LINE))) int open;
    __attribute__((aligned(LINE))) long left;
    __attribute__((aligned(LINE))) long done;
} gate;

static void begin_together(void) {
    if (__atomic_add_fetch(&gate.came, 1, __ATOMIC_ACQ_REL) == omp_get_num_threads()) {
        set_mark(MARK_BEGIN);
        __atomic_store_n(&gate.open, 1, __ATOMIC_RELEASE);
    }
    while (!__atomic_load_n(&gate.open, __ATOMIC_ACQUIRE))
#if defined(__x86_64__)
        __builtin_ia32_pause();
#else
        ;
#endif
}

static void end_together(long done) {
    __atomic_fetch_add(&gate.done, done, __ATOMIC_RELAXED);
    if (__atomic_add_fetch(&gate.left, 1, __ATOMIC_ACQ_REL) == omp_get_num_threads())
        set_mark(MARK_END);
}

static long measure(const struct operation *operation, long times) {
    if (operation->outside) {
        operation->run(2);
        set_mark(MARK_BEGIN);
        long done = operation->run(times);
        set_mark(MARK_END);
        return done;
    }
#pragma omp parallel
    {
        operation->run(2);
#pragma omp barrier
        begin_together();
        end_together(operation->run(times));
    }
    return gate.done;
}

int main(int argc, char **argv) {
    size_t count = sizeof operations / sizeof *operations;
    for (size_t i = 0; argc == 2 && i < count; i++)
        printf("%s: %s\n", operations[i].name, operations[i].counted);
    if (argc == 2)
        return 0;
    omp_init_lock(&one);
    for (size_t i = 0; argc == 3 && i < count; i++)
        if (strcmp(argv[1], operations[i].name) == 0) {
            long times = strtol(argv[2], NULL, 10);
            printf("%ld\n", measure(&operations[i], times > 0 ? times : operations[i].times));
            return 0;
        }
    fprintf(stderr, "usage: %s NAME TIMES (0: as usual), or list\n", argv[0]);
    return 2;
}
