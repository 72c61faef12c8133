// beyond libomp: it hangs
// flags: -pthread
// threads: 1 4
// Each way to end a process, in a child process: it ends, with the right exit status. Handlers of atexit and
// at_quick_exit use OpenMP again.
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif
#include "../../sanitized.h"
#include "../check.h"

#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { STATUS = 3, LATE = 4 };

static omp_lock_t lock;
static int entered; /* host threads that are inside regions */

/* Every kind of construct that needs the threads, and a lock. */
static void use_openmp(void) {
    int members = 0, tasks = 0;

#pragma omp parallel reduction(+ : members)
    {
        members++;
#pragma omp single
        for (int i = 0; i < 50; i++)
#pragma omp task shared(tasks)
            count_up(&tasks);
        omp_set_lock(&lock);
        omp_unset_lock(&lock);
    }
    if (members < 1 || tasks != 50)
        _exit(LATE);
}

static void *use_for_ever(void *arg) {
    signal_count(&entered);
    for (;;)
        use_openmp();
    return arg;
}

static void *use_and_exit(void *arg) {
    for (int i = 0; i < 20; i++)
        use_openmp();
    if (arg)
        exit(STATUS);
    return arg;
}

static void start_host(void *(*body)(void *), void *arg) {
    pthread_t thread;
    pthread_attr_t attr;

    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    if (pthread_create(&thread, &attr, body, arg))
        _exit(LATE);
    pthread_attr_destroy(&attr);
}

/* ---- the ways ---- */

static void by_exit(void) {
    exit(STATUS);
}

static void by_fast_exit(void) {
    _exit(STATUS);
}

static void by_quick_exit(void) {
    at_quick_exit(use_openmp);
    quick_exit(STATUS);
}

static void by_abort(void) {
    abort();
}

/* Any thread may take the signal but the main one: glibc 2.43 has blocked its signals by then. */
static void take_signals(void) {
    sigset_t set;

    if (gettid() == getpid())
        return;
    pthread_sigmask(SIG_BLOCK, NULL, &set);
    if (sigismember(&set, SIGTERM) || sigismember(&set, SIGALRM))
        _exit(LATE);
}

/* The other threads go on, and the end of the last one is an exit with 0: the runtime's own threads do not count. */
static void main_thread_ends(void) {
    if (UNDER_TSAN)
        exit(0); /* a thread of its own keeps the process alive */
    atexit(take_signals);
    start_host(use_and_exit, NULL);
    pthread_exit(NULL);
}

static void another_host_exits(void) {
    start_host(use_and_exit, &lock);
    pthread_exit(NULL);
}

static void during_regions(void) {
    for (int i = 0; i < 3; i++)
        start_host(use_for_ever, NULL);
    wait_for_count(&entered, 3);
    exit(STATUS);
}

static void in_region_by_primary(void) {
#pragma omp parallel
    {
#pragma omp master
        exit(STATUS);
    }
}

static void in_region_by_another(void) {
#pragma omp parallel
    if (omp_get_thread_num() == omp_get_num_threads() - 1)
        exit(STATUS);
}

static void in_task(void) {
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 100; i++)
#pragma omp task firstprivate(i)
        if (i == 50)
            exit(STATUS);
}

static void in_critical(void) {
#pragma omp parallel
#pragma omp critical
    exit(STATUS);
}

static void in_nested_region(void) {
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
#pragma omp single
    exit(STATUS);
}

static void in_target_region(void) {
#pragma omp target
    exit(STATUS);
}

static const struct {
    const char *name;
    void (*leave)(void);
} ways[] = {
    {"exit", by_exit},
    {"_exit", by_fast_exit},
    {"quick_exit", by_quick_exit},
    {"abort", by_abort},
    {"pthread_exit of main", main_thread_ends},
    {"exit of another thread", another_host_exits},
    {"exit during regions", during_regions},
    {"exit in a region by its primary thread", in_region_by_primary},
    {"exit in a region by another", in_region_by_another},
    {"exit in a task", in_task},
    {"exit in a critical", in_critical},
    {"exit in a nested region", in_nested_region},
    {"exit in a target region", in_target_region},
};

enum { WAYS = sizeof ways / sizeof ways[0] };

static int leave(int way) {
    static const struct rlimit no_core = {0, 0};

    setrlimit(RLIMIT_CORE, &no_core);
    omp_init_lock(&lock);
    use_openmp();
    atexit(use_openmp);
    ways[way].leave();
    return LATE;
}

int main(int argc, char **argv) {
    if (argc > 1)
        return leave(atoi(argv[1]));
    for (int way = 0; way < WAYS; way++) {
        char number[12];
        char *arguments[] = {argv[0], number, NULL};
        pid_t child;
        int status = -1;

        snprintf(number, sizeof number, "%d", way);
        CHECK_EQ(posix_spawn(&child, "/proc/self/exe", NULL, NULL, arguments, environ), 0);
        CHECK_EQ(waitpid(child, &status, 0), child);
        if (WIFEXITED(status))
            printf("%s: %d\n", ways[way].name, WEXITSTATUS(status));
        else
            printf("%s: signal %d\n", ways[way].name, WTERMSIG(status));
    }
    return check_done("exit_ways");
}
