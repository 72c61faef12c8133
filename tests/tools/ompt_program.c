/* Regions of every kind, for ompt_tool.c. argv selects additional actions. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* omp_control_tool, which older compilers' omp.h and library lack. */
static int control_tool(int command, int modifier, void *arg) {
    int (*function)(int, int, void *) = (int (*)(int, int, void *))dlsym(RTLD_DEFAULT, "omp_control_tool");
    return function ? function(command, modifier, arg) : 0;
}
enum { START = 1 };

static int sum;

/* Not inlined, like all functions with constructs: clang's code reads the thread's number at the start of a
 * function. */
__attribute__((noinline)) static void regions(void) {
#pragma omp parallel num_threads(3)
    {
#pragma omp for
        for (int i = 0; i < 30; i++)
#pragma omp atomic
            sum += i;
#pragma omp barrier
#pragma omp single
        {
#pragma omp task
#pragma omp atomic
            sum++;
#pragma omp taskwait
        }
#pragma omp parallel num_threads(2)
#pragma omp atomic
        sum++;
    }
#pragma omp parallel num_threads(1)
    sum++;
#pragma omp parallel if (sum < 0)
    sum++;
#pragma omp parallel for num_threads(2) schedule(dynamic)
    for (int i = 0; i < 8; i++)
#pragma omp atomic
        sum += i;
#pragma omp parallel sections num_threads(2)
    {
#pragma omp section
#pragma omp atomic
        sum++;
#pragma omp section
#pragma omp atomic
        sum++;
    }
}

/* Regions without a barrier at their end. */
__attribute__((noinline)) static void singles(void) {
#pragma omp target
#pragma omp single nowait
    sum++;
#pragma omp single nowait
    sum++;
}

/* The tool uses these: it has begun, and sets the first; the program has had regions, with or without the tool. */
int tool_begins, program_goes_on;

static void *use_first(void *arg) {
    (void)arg;
    return (void *)(size_t)omp_get_max_threads();
}

/* A thread that uses only locks. */
static void *use_locks(void *arg) {
    omp_nest_lock_t nest;
    omp_set_lock(arg);
    omp_unset_lock(arg);
    omp_init_nest_lock(&nest);
    omp_set_nest_lock(&nest);
    omp_unset_nest_lock(&nest);
    omp_destroy_nest_lock(&nest);
    return NULL;
}

/* The thread stays, and so do the threads of its team. */
static void *stay(void *arg) {
    regions();
    __atomic_store_n((int *)arg, 1, __ATOMIC_SEQ_CST);
    pause();
    return NULL;
}

/* Runs after the library's own exit handler. Measures CPU time, which a busy machine does not prolong. */
static clock_t ended;
static void tell_exit(void) {
    printf("exit: %s\n", clock() - ended < CLOCKS_PER_SEC / 4 ? "at once" : "late");
}

static pthread_t start(void *(*function)(void *), void *arg) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, function, arg) != 0)
        abort();
    return thread;
}

/* The child has regions of its own. */
static int in_child(void) {
    int status;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        regions();
        exit(3);
    }
    return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

__attribute__((noinline)) static void exit_in_region(void) {
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1)
        exit(0);
    else
        sleep(20);
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    (void)atexit(tell_exit);
    bool is_second = strcmp(what, "early_fork") == 0 || strcmp(what, "late") == 0;
    pthread_t other;
    if (is_second) {
        other = start(use_first, NULL); /* and so waits for the tool */
        while (!__atomic_load_n(&tool_begins, __ATOMIC_SEQ_CST))
            usleep(1000);
    }
    if (strcmp(what, "early_fork") == 0)
        printf("child: %d\n", in_child());
    omp_set_max_active_levels(2);
    regions();
    singles();
    __atomic_store_n(&program_goes_on, 1, __ATOMIC_SEQ_CST);
    if (is_second)
        pthread_join(other, NULL);
    if (strcmp(what, "late") == 0)
        regions(); /* now that the tool is there */
    if (strcmp(what, "locks") == 0) {
        omp_lock_t lock;
        omp_init_lock(&lock);
        pthread_join(start(use_locks, &lock), NULL);
        omp_destroy_lock(&lock);
    }
    if (strcmp(what, "privileged") == 0)
        printf("privileged: %lu\n", getauxval(AT_SECURE));
    printf("control: %d\n", control_tool(START, 7, NULL));
    if (strcmp(what, "fork") == 0)
        printf("child: %d\n", in_child());
    if (strcmp(what, "exit") == 0)
        exit_in_region();
    if (strcmp(what, "others") == 0) {
        int has_team = 0;
        start(stay, &has_team);
        while (!__atomic_load_n(&has_team, __ATOMIC_SEQ_CST))
            usleep(1000);
    }
    ended = clock();
    return 0;
}
