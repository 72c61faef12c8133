/*
 * Children of fork(), for the programs named fork_*. A child starts without failed checks and with an empty stderr. It
 * must end by itself, with all checks passed and without any message, warnings included.
 */
#ifndef FORKED_H
#define FORKED_H

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../sanitized.h"
#include "check.h"

/* The time after which a hung child is ended. */
#define CHILD_SECONDS 100

/* These programs use threads after a fork of a process with threads. */
const char *__tsan_default_options(void);
const char *__tsan_default_options(void) {
    return "die_after_fork=0";
}

/* In a child the leak checker also searches for the parent's threads, and reports that it cannot find them. */
static int leaks_unseen;

int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void) {
    return leaks_unseen;
}

/* Prints the child's messages; returns the number of lines. */
static inline int child_spoke(FILE *said) {
    char line[512];
    int lines = 0;

    rewind(said);
    while (fgets(line, sizeof line, said)) {
        fprintf(stderr, "child: %s", line);
        lines++;
    }
    fclose(said);
    return lines;
}

/* Ends the child, by exit, so that exit handlers run there as well. */
static inline void child_end(void) {
    exit(__atomic_load_n(&check_failures, __ATOMIC_RELAXED) != 0);
}

/* As fork(); the child's stderr is a file, *said. */
static inline pid_t child_fork(FILE **said) {
    fflush(NULL);
    *said = tmpfile();
    if (!*said) {
        perror("tmpfile");
        exit(1);
    }
    pid_t child = fork();
    if (child == 0) {
        leaks_unseen = 1;
        alarm(CHILD_SECONDS); /* alarms are not inherited */
        dup2(fileno(*said), STDERR_FILENO);
        fclose(*said);
        __atomic_store_n(&check_failures, 0, __ATOMIC_RELAXED);
    }
    return child;
}

/* Waits for the child. True: it succeeded. */
static inline int child_was_well(pid_t child, FILE *said, const char *what) {
    int status = -1;
    int ended = child > 0 && waitpid(child, &status, 0) == child;

    if (ended && WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
        fprintf(stderr, "%s: the child hangs\n", what);
    else if (!ended || status != 0)
        fprintf(stderr, "%s: the child's status is %#x\n", what, (unsigned)status);
    return (child_spoke(said) == 0) & ended & (status == 0);
}

/* Runs body(arg) in a child. */
static inline int child_runs(void (*body)(void *), void *arg, const char *what) {
    FILE *said;
    pid_t child = child_fork(&said);

    if (child == 0) {
        body(arg);
        child_end();
    }
    return child_was_well(child, said, what);
}

static inline pthread_t host_thread(void *(*body)(void *), void *arg) {
    pthread_t thread;

    if (pthread_create(&thread, NULL, body, arg) != 0) {
        perror("pthread_create");
        exit(1);
    }
    return thread;
}

/* ---- OpenMP in a process, to check that all of it works ---- */

/* The threads of a region all meet: the requested number of threads runs at the same time. */
static inline void check_team(int size) {
    int arrived = 0, members = 0;

#pragma omp parallel num_threads(size) reduction(+ : members)
    {
        start_together(&arrived);
        members++;
    }
    CHECK_EQ(members, size);
}

static inline int count_leaves(int depth) {
    int left, right;

    if (depth == 0)
        return 1;
#pragma omp task shared(left)
    left = count_leaves(depth - 1);
#pragma omp task shared(right)
    right = count_leaves(depth - 1);
#pragma omp taskwait
    return left + right;
}

static inline void check_tasks(void) {
    int leaves = 0, sum = 0;

#pragma omp parallel
#pragma omp single
    leaves = count_leaves(7);
    CHECK_EQ(leaves, 128);
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(3) reduction(+ : sum)
    for (int i = 0; i < 100; i++)
        sum += i;
    CHECK_EQ(sum, 4950);
}

static inline void check_loops(void) {
    int sum = 0;

#pragma omp parallel for schedule(dynamic, 3) reduction(+ : sum)
    for (int i = 0; i < 300; i++)
        sum += i;
    CHECK_EQ(sum, 44850);
#pragma omp parallel for ordered schedule(static, 2)
    for (int i = 0; i < 40; i++) {
#pragma omp ordered
        sum -= i;
    }
    CHECK_EQ(sum, 44070);
}

static inline void check_nested(void) {
    int levels = omp_get_max_active_levels(), members = 0;

    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2) reduction(+ : members)
    {
        int inner = 0;
#pragma omp parallel num_threads(3) reduction(+ : inner)
        inner++;
        members += inner;
    }
    omp_set_max_active_levels(levels);
    CHECK_EQ(members, 6);
}

static inline void check_locks(void) {
    static int named_count, unnamed_count; /* starts at 0 in each call, the only one in its process */
    int size = 0;

    named_count = unnamed_count = 0;
#pragma omp parallel
    {
#pragma omp atomic
        size++;
#pragma omp critical
        unnamed_count++;
#pragma omp critical(check_locks_name)
        named_count++;
    }
    CHECK_EQ(named_count, size);
    CHECK_EQ(unnamed_count, size);
}

static inline void check_all(void) {
    check_team(omp_get_max_threads());
    check_loops();
    check_tasks();
    check_nested();
    check_locks();
    check_team(omp_get_max_threads() + 1);
}

#endif
