// flags: -D_GNU_SOURCE
// threads: 1 2 8
// env: OMP_PLACES=threads
// env: OMP_PROC_BIND=false
// A program that a bound thread starts by posix_spawn or vfork has that thread's CPUs, as under libgomp and libomp. A
// child of fork has those of the process.
// beyond libomp: its children of fork stay bound
// beyond libgomp: its children of fork stay bound
#include "../../sanitized.h"
#include "../check.h"

#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static cpu_set_t all; /* of the process at its start */
static char path[4096];

static cpu_set_t own(void) {
    cpu_set_t set;

    CHECK_EQ(sched_getaffinity(0, sizeof set, &set), 0);
    return set;
}

static void set_as_text(const cpu_set_t *set, char *text) {
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        text[cpu] = CPU_ISSET(cpu, set) ? '1' : '0';
    text[CPU_SETSIZE] = '\0';
}

/* Runs in the started program; returns 0 if it has the CPUs in the text. */
static int started(const char *wanted) {
    char text[CPU_SETSIZE + 1];
    cpu_set_t now = own();

    set_as_text(&now, text);
    return strcmp(text, wanted) != 0;
}

static int result_of(pid_t child) {
    int status = -1;

    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    return status;
}

static void check_programs(void) {
    char text[CPU_SETSIZE + 1];
    char *arguments[] = {path, text, NULL};
    cpu_set_t now = own();
    pid_t child = -1;

    set_as_text(&now, text);
    CHECK_EQ(posix_spawn(&child, path, NULL, NULL, arguments, environ), 0);
    CHECK_EQ(result_of(child), 0);
    if (!UNDER_TSAN) { /* TSan turns vfork into fork */
        child = vfork();
        if (child == 0) {
            execve(path, arguments, environ);
            _exit(3);
        }
        CHECK_EQ(result_of(child), 0);
    }
    child = fork();
    if (child == 0) {
        set_as_text(&all, text);
        execve(path, arguments, environ);
        _exit(3);
    }
    CHECK_EQ(result_of(child), 0);
    now = own();
    set_as_text(&now, text);
    CHECK_EQ(started(text), 0);
}

int main(int argc, char **argv) {
    if (argc > 1)
        return started(argv[1]);
    /* A bound initial thread has only the mask of its place: the parent's mask is the whole. */
    CHECK_EQ(sched_getaffinity(omp_get_num_places() == 0 ? 0 : getppid(), sizeof all, &all), 0);
    CHECK(realpath(argv[0], path));
    /* The started program gets no OpenMP settings: only the inherited mask counts. */
    unsetenv("OMP_PROC_BIND");
    unsetenv("OMP_PLACES");

    check_programs();
#pragma omp parallel
    {
#pragma omp critical
        check_programs();
    }
    check_programs();
    return check_done("affinity_programs");
}
