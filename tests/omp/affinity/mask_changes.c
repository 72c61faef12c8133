// clang flags: -mllvm -openmp-opt-disable
// beyond libomp: it reads the mask once
// beyond libgomp: it reads the mask once
// flags: -D_GNU_SOURCE
// threads: 1
// The default team, and what the program is told, follow the mask of the process: at once when the program sets it by the C
// library's functions, within a bounded time when somebody else does, or a system call. No team is above what the program
// was last told. Questions cost a system call only now and then.
#include "../check.h"

#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static cpu_set_t all, one, none;

static int team_size(void) {
    int size = 0;
#pragma omp parallel reduction(+ : size)
    size++;
    return size;
}

static int dynamic_size(int wish) {
    int size = 0;
#pragma omp parallel num_threads(wish) reduction(+ : size)
    size++;
    return size;
}

/* How often the mask was asked for: the library's calls come here, too. */
static int looks;

int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set) {
    __atomic_fetch_add(&looks, 1, __ATOMIC_RELAXED);
    long bytes = syscall(SYS_sched_getaffinity, pid, size, set);
    if (bytes > 0)
        memset((char *)set + bytes, 0, size - (size_t)bytes);
    return bytes < 0 ? -1 : 0;
}

/* As long as an answer may be old. */
static void let_answers_age(void) {
    usleep(20000);
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

    /* The same for a size that is only a wish. */
    omp_set_dynamic(1);
    CHECK_EQ(dynamic_size(cpus + 2), cpus);
    set_from_outside(&one);
    while (dynamic_size(cpus + 2) != 1)
        ;
    set_from_outside(&all);
    while (dynamic_size(cpus + 2) != cpus)
        ;
    omp_set_dynamic(0);
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
    let_answers_age();
    CHECK_EQ(omp_get_num_procs(), 1);
    CHECK_EQ(omp_get_max_threads(), 1);
    CHECK_EQ(team_size(), 1);
    CHECK_EQ(syscall(SYS_sched_setaffinity, 0, sizeof all, &all), 0);
    let_answers_age();
    CHECK_EQ(omp_get_max_threads(), cpus);
    CHECK_EQ(omp_get_num_procs(), cpus);
    CHECK_EQ(team_size(), cpus);
}

/* At most two looks for each answer that has become too old, and one for each that there was none for. */
static void questions_are_cheap(int cpus) {
    double began = omp_get_wtime();
    int before = __atomic_load_n(&looks, __ATOMIC_RELAXED);
#pragma omp parallel num_threads(2)
    for (int i = 0; i < 20000; i++) {
        CHECK_EQ(omp_get_max_threads(), cpus);
        CHECK_EQ(omp_get_num_procs(), cpus);
    }
    int answers = (int)((omp_get_wtime() - began) / 10e-3) + 1;
    CHECK(__atomic_load_n(&looks, __ATOMIC_RELAXED) - before <= 8 * answers);
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
    questions_are_cheap(cpus);
    pins_beside_questions(cpus);
    other_masks_do_not_count(cpus);
    pins_do_not_count(cpus);
    return check_done("mask_changes");
}
