// clang flags: -mllvm -openmp-opt-disable
// beyond libomp: it reads the mask once
// beyond libgomp: it reads the mask once
// flags: -D_GNU_SOURCE
// threads: 1
// The default team size and the answers to the program's queries follow the mask of the process, whatever program
// changes it. The first region that begins a tenth of a second after the last reading uses the new mask. No team
// exceeds the program's last answer. A program that binds each thread to its own CPU keeps its number of CPUs.
#include "../check.h"

#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static cpu_set_t all, one;
static int cpus;

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

/* Readings of a mask: the library also calls this function. */
static int readings;

int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set) {
    __atomic_fetch_add(&readings, 1, __ATOMIC_RELAXED);
    long bytes = syscall(SYS_sched_getaffinity, pid, size, set);
    if (bytes > 0)
        memset((char *)set + bytes, 0, size - (size_t)bytes);
    return bytes < 0 ? -1 : 0;
}

/* Longer than a reading stays valid. */
static void let_it_age(void) {
    usleep(130000);
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

static void set_own(const cpu_set_t *set) {
    CHECK_EQ(sched_setaffinity(0, sizeof *set, set), 0);
}

static void never_asked(void (*set)(const cpu_set_t *)) {
    CHECK_EQ(team_size(), cpus);
    for (int i = 0; i < 1000; i++) /* however many regions came before */
        (void)team_size();
    set(&one);
    let_it_age();
    CHECK_EQ(team_size(), 1);
    set(&all);
    let_it_age();
    CHECK_EQ(team_size(), cpus);

    /* The same where the size is only a request. */
    omp_set_dynamic(1);
    CHECK_EQ(dynamic_size(cpus + 2), cpus);
    set(&one);
    let_it_age();
    CHECK_EQ(dynamic_size(cpus + 2), 1);
    set(&all);
    let_it_age();
    CHECK_EQ(dynamic_size(cpus + 2), cpus);
    omp_set_dynamic(0);
}

static void regions_read_seldom(void) {
    let_it_age();
    (void)team_size();
    double began = omp_get_wtime();
    int before = __atomic_load_n(&readings, __ATOMIC_RELAXED);
    for (int i = 0; i < 1000; i++)
        (void)dynamic_size(1);
    int periods = (int)((omp_get_wtime() - began) / 0.09) + 1;
    CHECK(__atomic_load_n(&readings, __ATOMIC_RELAXED) - before <= 4 * periods);
}

static void asked(void) {
    CHECK_EQ(omp_get_max_threads(), cpus);
    set_own(&one);
    CHECK_EQ(omp_get_num_procs(), 1); /* reads the mask */
    let_it_age();
    CHECK_EQ(team_size(), 1);
    CHECK_EQ(omp_get_max_threads(), 1);
    /* The last answer was 1, and the program may have room for no more. */
    set_own(&all);
    CHECK_EQ(omp_get_num_procs(), cpus);
    let_it_age();
    CHECK_EQ(team_size(), 1);
    CHECK_EQ(omp_get_max_threads(), cpus);
    CHECK_EQ(team_size(), cpus);
}

static void other_masks_do_not_count(void) {
#pragma omp parallel
    if (omp_get_thread_num() > 0)
        set_own(&one);
    let_it_age();
    CHECK_EQ(team_size(), cpus);
    CHECK_EQ(omp_get_max_threads(), cpus);
#pragma omp parallel
    set_own(&all);
    /* A number that the program sets stays. */
    omp_set_num_threads(3);
    set_own(&one);
    let_it_age();
    CHECK_EQ(omp_get_max_threads(), 3);
    CHECK_EQ(team_size(), 3);
    set_own(&all);
    omp_set_num_threads(cpus);
}

/* Includes the main thread. */
static void bound_threads_are_as_many(void) {
#pragma omp parallel
    {
        cpu_set_t own;
        CPU_ZERO(&own);
        for (int cpu = 0, n = 0; CPU_COUNT(&own) == 0; cpu++)
            if (CPU_ISSET(cpu, &all) && n++ == omp_get_thread_num())
                CPU_SET(cpu, &own);
        set_own(&own);
    }
    for (int i = 0; i < 3; i++) {
        CHECK_EQ(omp_get_num_procs(), cpus);
        let_it_age();
        omp_set_dynamic(1);
        CHECK_EQ(dynamic_size(cpus), cpus);
        omp_set_dynamic(0);
    }
#pragma omp parallel
    set_own(&all);
    CHECK_EQ(omp_get_num_procs(), cpus);
}

int main(int argc, char **argv) {
    if (getenv("OMP_NUM_THREADS") != NULL) { /* the runner sets it */
        unsetenv("OMP_NUM_THREADS");
        execv("/proc/self/exe", argv);
        return 2;
    }
    (void)argc;
    CHECK_EQ(sched_getaffinity(0, sizeof all, &all), 0);
    cpus = CPU_COUNT(&all);
    for (int cpu = 0; CPU_COUNT(&one) == 0; cpu++)
        if (CPU_ISSET(cpu, &all))
            CPU_SET(cpu, &one);
    never_asked(set_from_outside);
    never_asked(set_own);
    regions_read_seldom();
    asked();
    other_masks_do_not_count();
    bound_threads_are_as_many();
    return check_done("mask_changes");
}
