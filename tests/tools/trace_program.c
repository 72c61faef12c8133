/* trace_program.c HOW: tasks, waits and a way to end, for trace.sh. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void work_for(long ns) {
    struct timespec from, now;
    clock_gettime(CLOCK_MONOTONIC, &from);
    do {
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while ((now.tv_sec - from.tv_sec) * 1000000000L + now.tv_nsec - from.tv_nsec < ns);
}

static void leaf(void) {
    work_for(20000);
}

static void tree(int depth) {
    if (depth == 0)
        return;
#pragma omp task /* tree */
    tree(depth - 1);
#pragma omp task /* tree */
    tree(depth - 1);
#pragma omp taskwait
    work_for(1000);
}

static void tasks(int count) {
#pragma omp parallel num_threads(4)
    {
#pragma omp single
        for (int i = 0; i < count; i++) {
#pragma omp task /* leaf */
            leaf();
        }
#pragma omp single
        tree(5);
#pragma omp critical(tally)
        work_for(20000);
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 40; i++)
            work_for(5000);
    }
}

/* The first task begins after all have been created. */
static void chain(void) {
    int last = 0, there = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        for (int i = 0; i < 20; i++) {
#pragma omp task depend(inout : last) shared(there)
            while (!__atomic_load_n(&there, __ATOMIC_ACQUIRE))
                continue;
        }
        __atomic_store_n(&there, 1, __ATOMIC_RELEASE);
    }
}

static void yields(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int i = 0; i < 40; i++) {
#pragma omp task
        {
            work_for(2000);
#pragma omp taskyield
            work_for(2000);
        }
    }
}

/* Tasks inside chunks, with more iterations than 16 bits can count. */
static void chunks(void) {
#pragma omp parallel for schedule(dynamic, 100000) num_threads(2)
    for (int i = 0; i < 2000000; i++) {
        if (i % 100000 == 0) {
#pragma omp taskloop num_tasks(2)
            for (int j = 0; j < 2; j++)
                work_for(1000);
        }
    }
}

/* With OMP_CANCELLATION most queued tasks never begin, and neither does a taskwait. */
static void discards(void) {
    int last = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp taskgroup
        for (int i = 0; i < 50; i++) {
#pragma omp task
            {
                work_for(10000);
#pragma omp cancel taskgroup
            }
        }
#pragma omp task depend(out : last)
        work_for(1000);
#pragma omp taskwait depend(in : last)
    }
}

static void own_handler(int number) {
    static const char text[] = "own handler\n";
    (void)number;
    (void)!write(STDOUT_FILENO, text, sizeof text - 1);
    _exit(7);
}

/* Opens a terminal for the process. Returns the typing user's side. */
static int make_terminal(void) {
    int typist = posix_openpt(O_RDWR | O_NOCTTY);
    if (setsid() < 0 || typist < 0 || grantpt(typist) != 0 || unlockpt(typist) != 0 ||
        open(ptsname(typist), O_RDWR) < 0)
        exit(99);
    return typist;
}

/* Writes to a pipe without a reader. */
static void write_failing(void) {
    int ends[2];
    if (pipe(ends) == 0 && close(ends[0]) == 0)
        (void)!write(ends[1], "", 1);
    sleep(20);
}

static int ran, created; /* a task has run; all are created */

/* In the middle of a region, with waiting tasks. */
static void end_within(const char *how) {
#pragma omp parallel num_threads(4)
    {
#pragma omp barrier
#pragma omp single nowait
        {
            for (int i = 0; i < 50; i++) {
#pragma omp task /* leaf */
                {
                    leaf();
                    __atomic_store_n(&ran, 1, __ATOMIC_RELAXED);
                }
            }
            __atomic_store_n(&created, 1, __ATOMIC_RELAXED);
        }
        if (omp_get_thread_num() == 0) {
            while (!__atomic_load_n(&ran, __ATOMIC_RELAXED) || !__atomic_load_n(&created, __ATOMIC_RELAXED))
                usleep(100);
            if (strcmp(how, "exit") == 0)
                exit(5);
            else if (strcmp(how, "quick_exit") == 0)
                quick_exit(6);
            else if (strcmp(how, "segv") == 0)
                *(volatile int *)8 = 1;
            else if (strcmp(how, "interrupt") == 0) /* only the kernel sends such a signal */
                (void)!write(make_terminal(), "\003", 1), sleep(20);
            else if (strcmp(how, "pipe") == 0)
                write_failing();
            else
                raise(strcmp(how, "hang_up") == 0     ? SIGHUP
                      : strcmp(how, "alarm") == 0     ? SIGALRM
                      : strcmp(how, "real_time") == 0 ? 37
                                                      : SIGTERM);
        }
    }
}

int main(int argc, char **argv) {
    const char *how = argc > 1 ? argv[1] : "tasks";
    if (strcmp(how, "many") == 0) {
        tasks(6000);
    } else if (strcmp(how, "fork") == 0) {
        tasks(20);
        pid_t child = fork();
        tasks(child == 0 ? 10 : 30);
        int status = 0;
        if (child > 0 && (waitpid(child, &status, 0) != child || status != 0))
            return 1;
        printf("%s %d\n", child == 0 ? "child" : "parent", (int)getpid());
        fflush(stdout);
        if (child > 0 && fork() == 0)
            return 0; /* this process does nothing that a trace records */
        (void)wait(NULL);
    } else if (strcmp(how, "yields") == 0) {
        yields();
    } else if (strcmp(how, "chain") == 0) {
        chain();
    } else if (strcmp(how, "chunks") == 0) {
        chunks();
    } else if (strcmp(how, "discards") == 0) {
        discards();
    } else if (strcmp(how, "tasks") == 0) {
        tasks(100);
    } else {
        if (strcmp(how, "handler") == 0)
            signal(SIGTERM, own_handler);
        signal(SIGPIPE, SIG_DFL); /* its parent may ignore them */
        signal(SIGHUP, SIG_DFL);
        end_within(how);
    }
    return 0;
}
