// beyond libgomp: it leaves threads of a team that has grown on others' places, and binds the programs it starts
// flags: -D_GNU_SOURCE
// threads: 1 2 3 8
// env: OMP_PROC_BIND=close
// env: OMP_PROC_BIND=spread
// env: OMP_PLACES=threads
// env: OMP_PLACES='{0},{1}' OMP_PROC_BIND=spread
// env: OMP_PLACES='cores(1)'
// env: GOMP_CPU_AFFINITY='1 0'
// env: OMP_PROC_BIND=false OMP_PLACES=threads
// env: OMP_DYNAMIC=false
// Each thread runs on the CPUs of its place, or without places on all; a program that is started runs on all.
#include "check.h"

#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static cpu_set_t all; /* what the process was started with */

static void check_here(void) {
    cpu_set_t now, wanted = all;
    int place = omp_get_place_num();

    CHECK_EQ(sched_getaffinity(0, sizeof now, &now), 0);
    if (place >= 0) {
        int count = omp_get_place_num_procs(place);
        int ids[CPU_SETSIZE];

        CPU_ZERO(&wanted);
        omp_get_place_proc_ids(place, ids);
        for (int i = 0; i < count; i++)
            CPU_SET(ids[i], &wanted);
        CPU_AND(&wanted, &wanted, &all);
    }
    CHECK(CPU_EQUAL(&now, &wanted));
}

static void check_team(int threads) {
#pragma omp parallel num_threads(threads)
    check_here();
#pragma omp parallel num_threads(threads) proc_bind(spread)
    check_here();
#pragma omp parallel num_threads(threads) proc_bind(primary)
    check_here();
#pragma omp parallel sections num_threads(threads) proc_bind(close)
    {
        check_here();
#pragma omp section
        check_here();
    }
    check_here();
}

static void *host(void *arg) {
    check_team(2);
    check_team(3);
    return arg;
}

static void set_as_text(const cpu_set_t *set, char *text) {
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        text[cpu] = CPU_ISSET(cpu, set) ? '1' : '0';
    text[CPU_SETSIZE] = '\0';
}

/* The program again, to compare its mask with the one that this one was started with. */
static void check_started_program(char **argv) {
    pid_t child = fork();
    int status = -1;

    if (child == 0) {
        char text[CPU_SETSIZE + 1];

        set_as_text(&all, text);
        /* No OpenMP settings: nothing but the mask that was left to it counts. */
        unsetenv("OMP_PROC_BIND");
        unsetenv("OMP_PLACES");
        unsetenv("GOMP_CPU_AFFINITY");
        execl("/proc/self/exe", argv[0], "started", text, (char *)NULL);
        _exit(2);
    }
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
}

static int started(const char *text) {
    char own[CPU_SETSIZE + 1];
    cpu_set_t now;

    CHECK_EQ(sched_getaffinity(0, sizeof now, &now), 0);
    set_as_text(&now, own);
    return strcmp(own, text) != 0;
}

int main(int argc, char **argv) {
    int most = omp_get_max_threads();

    if (argc > 2)
        return started(argv[2]);
    /* Where the initial thread is bound, the parent tells: it runs on what it has left to this program. */
    CPU_ZERO(&all);
    if (omp_get_num_places() == 0)
        CHECK_EQ(sched_getaffinity(0, sizeof all, &all), 0);
    else
        CHECK_EQ(sched_getaffinity(getppid(), sizeof all, &all), 0);

    check_here();
    for (int threads = 1; threads <= most; threads++)
        check_team(threads);
    check_team(1);
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2) proc_bind(spread)
    {
        check_here();
#pragma omp parallel num_threads(3) proc_bind(close)
        check_here();
        check_here();
    }
    pthread_t thread;
    CHECK_EQ(pthread_create(&thread, NULL, host, NULL), 0);
    CHECK_EQ(pthread_join(thread, NULL), 0);
    check_started_program(argv);
    check_team(most);
    return check_done("affinity_masks");
}
