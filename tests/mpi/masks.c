/* A rank and the CPUs that its launcher gave it. Its default team has as many threads as CPUs. Each thread of the team
 * may run on all of them, unless OMP_PROC_BIND restricts it, and so may each program that it starts while unbound.
 *
 *   masks apart CPUS TEAM    ranks have CPUs of their own, fewer than all CPUs
 *   masks shared CPUS TEAM   all ranks have the same CPUs
 *   masks team               prints the default team's size, without MPI: TEAM, if all CPUs are there
 *
 * TEAM is less than CPUS under a quota. TEST_LIBRARY names the library that must serve the program. */
#define _GNU_SOURCE
#include <mpi.h>

#include <dlfcn.h>
#include <omp.h>
#include <sched.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "../omp/check.h"

extern char **environ;

static int rank, ranks;
static cpu_set_t given; /* to this rank */

static void read_masks(int argc, char **argv, char **environment) {
    (void)argc, (void)argv, (void)environment;
    sched_getaffinity(0, sizeof given, &given);
}

/* Before the constructors of all libraries: libgomp's binds the initial thread. */
__attribute__((section(".preinit_array"), used)) static void (*first)(int, char **, char **) = read_masks;

static int team_size(void) {
    int size = 0;
#pragma omp parallel
#pragma omp single
    size = omp_get_num_threads();
    return size;
}

static void check_library(void) {
    const char *expected = getenv("TEST_LIBRARY");
    Dl_info info = {0};
    if (!expected)
        return;
    CHECK(dladdr(dlsym(RTLD_DEFAULT, "GOMP_parallel"), &info) != 0);
    if (!info.dli_fname || strcmp(info.dli_fname, expected) != 0) {
        fprintf(stderr, "served by %s, not by %s\n", info.dli_fname, expected);
        CHECK(!"the right library");
    }
}

/* Runs in the started program; returns 0 if it has these CPUs. */
static int started(const char *text) {
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (text[cpu] != (CPU_ISSET(cpu, &given) ? '1' : '0'))
            return 1;
    return text[CPU_SETSIZE] != '\0';
}

static void check_start(void) {
    static char path[] = "/proc/self/exe", word[] = "started";
    char text[CPU_SETSIZE + 1] = "";
    char *const arguments[] = {path, word, text, NULL};
    pid_t child;
    int status = -1;
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        text[cpu] = CPU_ISSET(cpu, &given) ? '1' : '0';
    CHECK_EQ(posix_spawn(&child, path, NULL, NULL, arguments, environ), 0);
    CHECK(waitpid(child, &status, 0) == child);
    CHECK_EQ(status, 0);
}

static void check_threads(void) {
    int bound = omp_get_proc_bind() != omp_proc_bind_false;
#pragma omp parallel
    {
        cpu_set_t now, both;
        CHECK_EQ(sched_getaffinity(0, sizeof now, &now), 0);
        CPU_AND(&both, &now, &given);
        CHECK(CPU_EQUAL(&both, &now));
        CHECK(bound || CPU_EQUAL(&now, &given));
#pragma omp critical
        if (!bound)
            check_start();
    }
    if (!bound)
        check_start();
}

/* The launcher's choice for all ranks; checked by the first one. */
static void check_ranks(int apart, int cpus) {
    cpu_set_t *all = calloc((size_t)ranks, sizeof *all), united, both;
    int sum = 0;
    CHECK(all != NULL);
    MPI_Gather(&given, sizeof given, MPI_BYTE, all, sizeof given, MPI_BYTE, 0, MPI_COMM_WORLD);
    CPU_ZERO(&united);
    for (int i = 0; i < ranks && rank == 0; i++) {
        CPU_OR(&both, &united, &all[i]);
        united = both;
        sum += CPU_COUNT(&all[i]);
        CHECK(apart ? CPU_COUNT(&all[i]) < cpus : CPU_COUNT(&all[i]) == cpus);
    }
    CHECK_EQ(rank == 0 && apart ? CPU_COUNT(&united) - sum : 0, 0);
    free(all);
}

int main(int argc, char **argv) {
    if (argc == 3 && strcmp(argv[1], "started") == 0)
        return started(argv[2]);
    if (argc == 2 && strcmp(argv[1], "team") == 0)
        return printf("%d\n", team_size()) < 0;
    if (argc != 4)
        return 2;
    int provided, failed, cpus = atoi(argv[2]), most = atoi(argv[3]), mine = CPU_COUNT(&given);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    check_library();
    CHECK_EQ(omp_get_num_procs(), mine);
    CHECK_EQ(team_size(), mine < most ? mine : most);
    check_threads();
    check_ranks(strcmp(argv[1], "apart") == 0, cpus);
    MPI_Allreduce(&check_failures, &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d ranks, %s: %s\n", ranks, argv[1], failed ? "FAILED" : "ok");
    MPI_Finalize();
    return failed != 0;
}
