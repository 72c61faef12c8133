// beyond libgomp: it reads the mask once
// flags: -D_GNU_SOURCE
// threads: 1
// The default team follows the mask of the process: when the program sets it, when somebody else does, and never above
// what the program was last told.
#include "check.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static cpu_set_t all, one, none;

static int team_size(void) {
    int size = 0;
#pragma omp parallel reduction(+ : size)
    size++;
    return size;
}

/* As taskset -p does. */
static void set_from_outside(const cpu_set_t *set) {
    pid_t parent = getpid();
    pid_t child = fork();
    int status = -1;
    if (child == 0)
        _exit(sched_setaffinity(parent, sizeof *set, set) != 0);
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
}

/* Regions until they are of that size: a mask that is never seen is a hang. */
static void wait_for_size(int size) {
    while (team_size() != size)
        ;
}

static void never_asked(int cpus) {
    CHECK_EQ(team_size(), cpus);
    set_from_outside(&one);
    wait_for_size(1);
    set_from_outside(&all);
    wait_for_size(cpus);

    /* From short regions to long ones. */
    for (int i = 0; i < 1000; i++)
        (void)team_size();
    set_from_outside(&one);
    for (int i = 0; i < 128; i++) {
        (void)team_size();
        usleep(500);
    }
    CHECK_EQ(team_size(), 1);
    set_from_outside(&all);
    wait_for_size(cpus);
}

static void by_the_program(int cpus) {
    CHECK_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    CHECK_EQ(team_size(), 1);
    CHECK_EQ(omp_get_num_procs(), 1);
    CHECK_EQ(sched_setaffinity(0, sizeof all, &all), 0);
    CHECK_EQ(team_size(), cpus);
    CHECK_EQ(pthread_setaffinity_np(pthread_self(), sizeof one, &one), 0);
    CHECK_EQ(team_size(), 1);
    CHECK_EQ(pthread_setaffinity_np(pthread_self(), sizeof all, &all), 0);
    CHECK_EQ(team_size(), cpus);
}

static void asked(int cpus) {
    CHECK_EQ(omp_get_max_threads(), cpus);
    CHECK_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    CHECK_EQ(team_size(), 1);
    CHECK_EQ(omp_get_max_threads(), 1);
    /* It has been told 1, and may have room for no more. */
    CHECK_EQ(sched_setaffinity(0, sizeof all, &all), 0);
    CHECK_EQ(team_size(), 1);
    CHECK_EQ(omp_get_max_threads(), cpus);
    CHECK_EQ(team_size(), cpus);
    set_from_outside(&one);
    CHECK_EQ(omp_get_num_procs(), 1);
    CHECK_EQ(omp_get_max_threads(), 1);
    CHECK_EQ(team_size(), 1);
    set_from_outside(&all);
    CHECK_EQ(omp_get_max_threads(), cpus);
    CHECK_EQ(team_size(), cpus);
}

static void other_masks_do_not_count(int cpus) {
    /* Those of other threads. */
#pragma omp parallel
    if (omp_get_thread_num() > 0)
        CHECK_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    CHECK_EQ(team_size(), cpus);
    CHECK_EQ(omp_get_max_threads(), cpus);
#pragma omp parallel
    CHECK_EQ(sched_setaffinity(0, sizeof all, &all), 0);
    /* A number that was set stays. */
    omp_set_num_threads(3);
    CHECK_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    CHECK_EQ(omp_get_max_threads(), 3);
    CHECK_EQ(team_size(), 3);
    CHECK_EQ(sched_setaffinity(0, sizeof all, &all), 0);
}

/* Threads that go each to its own CPU are as many as before, the main thread included. */
static void pins_do_not_count(int cpus) {
    CHECK_EQ(omp_get_num_procs(), cpus);
    omp_set_num_threads(cpus);
#pragma omp parallel
    {
        cpu_set_t own;
        CPU_ZERO(&own);
        for (int cpu = 0, n = 0; CPU_COUNT(&own) == 0; cpu++)
            if (CPU_ISSET(cpu, &all) && n++ == omp_get_thread_num())
                CPU_SET(cpu, &own);
        if (omp_get_thread_num() % 2)
            CHECK_EQ(sched_setaffinity(0, sizeof own, &own), 0);
        else
            CHECK_EQ(pthread_setaffinity_np(pthread_self(), sizeof own, &own), 0);
    }
    CHECK_EQ(omp_get_num_procs(), cpus);
    /* What fails, and what a child does that has our memory, changes nothing. */
    CHECK_EQ(sched_setaffinity(0, sizeof none, &none), -1);
    CHECK_EQ(omp_get_num_procs(), cpus);
    pid_t child = vfork();
    if (child == 0)
        _exit(sched_setaffinity(0, sizeof one, &one) != 0);
    CHECK_EQ(waitpid(child, NULL, 0), child);
    CHECK_EQ(omp_get_num_procs(), cpus);
    CHECK_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    CHECK_EQ(omp_get_num_procs(), 1);
    CHECK_EQ(sched_setaffinity(0, sizeof all, &all), 0);
    CHECK_EQ(omp_get_num_procs(), cpus);
}

/* Another thread asks for the number at the same time. */
static void pins_beside_questions(int cpus) {
    for (int i = 0; i < 100; i++) {
#pragma omp parallel num_threads(2)
        if (omp_get_thread_num() == 0)
            CHECK_EQ(sched_setaffinity(0, sizeof one, &one), 0);
        else
            CHECK_EQ(omp_get_max_threads(), cpus);
        CHECK_EQ(team_size(), cpus);
        CHECK_EQ(sched_setaffinity(0, sizeof all, &all), 0);
    }
}

/* The same in a program that has not asked. */
static void pins_come_first(int cpus) {
#pragma omp parallel
    if (omp_get_num_threads() > 1)
        CHECK_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    for (int i = 0; i < 100; i++) {
        CHECK_EQ(team_size(), cpus);
        usleep(500);
    }
    CHECK_EQ(sched_setaffinity(0, sizeof all, &all), 0);
    CHECK_EQ(team_size(), cpus);
#pragma omp parallel
    CHECK_EQ(sched_setaffinity(0, sizeof all, &all), 0);
    CHECK_EQ(sched_setaffinity(0, sizeof all, &all), 0);
}

int main(int argc, char **argv) {
    if (getenv("OMP_NUM_THREADS") != NULL) { /* the runner sets it */
        unsetenv("OMP_NUM_THREADS");
        execv("/proc/self/exe", argv);
        return 2;
    }
    (void)argc;
    CHECK_EQ(sched_getaffinity(0, sizeof all, &all), 0);
    int cpus = CPU_COUNT(&all);
    for (int cpu = 0; CPU_COUNT(&one) == 0; cpu++)
        if (CPU_ISSET(cpu, &all))
            CPU_SET(cpu, &one);
    pins_come_first(cpus);
    never_asked(cpus);
    by_the_program(cpus);
    asked(cpus);
    pins_beside_questions(cpus);
    other_masks_do_not_count(cpus);
    pins_do_not_count(cpus);
    return check_done("mask_changes");
}
