// beyond libomp: it hangs when a thread of a region ends within it
// beyond libgomp: it hangs when a thread of a region ends within it
// flags: -pthread
// threads: 4
// Exits from a region that OpenMP forbids. A thread that ends inside a region ends the process, with a message that
// gives the reason. After a jump out of a region the thread still counts as inside, and regions nested in it keep
// working.
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif
#include "../../sanitized.h"
#include "../check.h"

#include <pthread.h>
#include <setjmp.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static jmp_buf before;

static void primary_ends(void) {
#pragma omp parallel
#pragma omp master
    pthread_exit(NULL);
}

static void another_ends(void) {
#pragma omp parallel
    if (omp_get_thread_num() == omp_get_num_threads() - 1)
        pthread_exit(NULL);
}

static void primary_ends_in_target(void) {
#pragma omp parallel
#pragma omp master
#pragma omp target
    pthread_exit(NULL);
}

static void primary_ends_behind_target(void) {
#pragma omp parallel
#pragma omp master
#pragma omp target
    primary_ends();
}

static void *end_in_region(void *arg) {
    primary_ends();
    return arg;
}

static void *end_behind_target(void *arg) {
#pragma omp target
    primary_ends();
    return arg;
}

static void run_host(void *(*body)(void *)) {
    pthread_t thread;

    CHECK_EQ(pthread_create(&thread, NULL, body, NULL), 0);
    pthread_join(thread, NULL);
}

static void host_ends(void) {
    run_host(end_in_region);
}

static void host_ends_behind_target(void) {
    run_host(end_behind_target);
}

static void another_is_cancelled(void) {
    pthread_t other;
    int known = 0;

#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1) {
            other = pthread_self();
            signal_count(&known);
            for (;;)
                sleep(1);
        }
        wait_for_count(&known, 1);
        pthread_cancel(other);
    }
}

/* No thread waits for the only thread of a region. */
static void lonely_thread_ends(void) {
#pragma omp parallel num_threads(1)
    pthread_exit(NULL);
}

static void jump(void) {
    int sum = 0;

    if (setjmp(before) == 0) {
#pragma omp parallel
#pragma omp master
        longjmp(before, 1);
    }
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 100; i++)
        sum += i;
#pragma omp task shared(sum)
    sum++;
#pragma omp taskwait
    exit(sum == 4951 && omp_get_level() == 1 ? 3 : 4);
}

static const struct {
    const char *name;
    void (*leave)(void);
} ways[] = {
    {"the primary thread ends", primary_ends},
    {"another thread ends", another_ends},
    {"the primary thread ends in a target region", primary_ends_in_target},
    {"the primary thread ends in a region of a target region", primary_ends_behind_target},
    {"the primary thread of another's region ends", host_ends},
    {"the primary thread of a region of another's target region ends", host_ends_behind_target},
#if !UNDER_ASAN /* ASan cannot follow a stack that the C library unwinds */
    {"another thread is cancelled", another_is_cancelled},
#endif
    {"the thread of a region of one ends", lonely_thread_ends},
    {"a jump", jump},
};

enum { WAYS = sizeof ways / sizeof ways[0] };

/* Returns the status of `way`, and its standard error in `said`. */
static int observe(char *program, int way, char *said, size_t size) {
    char number[12];
    char *arguments[] = {program, number, NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    int ends[2], status = -1;
    size_t length = 0;

    snprintf(number, sizeof number, "%d", way);
    CHECK_EQ(pipe(ends), 0);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 2);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    CHECK_EQ(posix_spawn(&child, "/proc/self/exe", &actions, NULL, arguments, environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    for (ssize_t got; length < size - 1 && (got = read(ends[0], said + length, size - 1 - length)) > 0;)
        length += (size_t)got;
    said[length] = '\0';
    close(ends[0]);
    CHECK_EQ(waitpid(child, &status, 0), child);
    return status;
}

int main(int argc, char **argv) {
    if (argc > 1) {
        ways[atoi(argv[1])].leave();
        return 5;
    }
    for (int way = 0; way < WAYS; way++) {
        static char said[1 << 16];
        int status = observe(argv[0], way, said, sizeof said);
        int error = strstr(said, "libblitz-omp: a thread has ended inside a parallel region") != NULL;

        CHECK(WIFEXITED(status));
        CHECK_EQ(WEXITSTATUS(status), way < WAYS - 2 ? 1 : way == WAYS - 1 ? 3 : 0);
        CHECK_EQ(error, way < WAYS - 2);
        if (check_failures)
            fprintf(stderr, "%s: %s\n", ways[way].name, said);
        printf("%s: %d%s\n", ways[way].name, WEXITSTATUS(status), error ? ", with a line" : "");
    }
    return check_done("exit_errors");
}
