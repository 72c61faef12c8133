// beyond libomp: programs that a bound thread starts keep to that thread's CPU
// beyond libgomp: it binds the programs that a bound thread starts
// flags: -D_GNU_SOURCE
// threads: 1 2 8
// env: OMP_PLACES=threads
// env: OMP_PROC_BIND=false
// A program gets all CPUs that this one was started with, whichever thread starts it and whichever way, and the thread
// itself stays where it is bound.
#include "../check.h"

#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static cpu_set_t all; /* what the process was started with */
static char path[4096];
static char mask[CPU_SETSIZE + 1]; /* the same as text */
static char command[sizeof path + sizeof mask + 16];
static char started_word[] = "started";
static char *const arguments[] = {path, started_word, mask, NULL};

static void set_as_text(const cpu_set_t *set, char *text) {
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        text[cpu] = CPU_ISSET(cpu, set) ? '1' : '0';
    text[CPU_SETSIZE] = '\0';
}

/* As the program that is started: 0 if it has the CPUs that the starter was started with. */
static int started(const char *text) {
    char own[CPU_SETSIZE + 1];
    cpu_set_t now;

    if (sched_getaffinity(0, sizeof now, &now) != 0)
        return 2;
    set_as_text(&now, own);
    return strcmp(own, text) != 0;
}

enum { EXECVE, EXECV, EXECVP, EXECVPE, EXECL, EXECLP, EXECLE, FEXECVE, EXECVEAT, EXECS };

static void turn_into(int way) {
    switch (way) {
    case EXECVE:
        execve(path, arguments, environ);
        break;
    case EXECV:
        execv(path, arguments);
        break;
    case EXECVP:
        execvp(path, arguments);
        break;
    case EXECVPE:
        execvpe(path, arguments, environ);
        break;
    case EXECL:
        execl(path, path, started_word, mask, (char *)NULL);
        break;
    case EXECLP:
        execlp(path, path, started_word, mask, (char *)NULL);
        break;
    case EXECLE:
        execle(path, path, started_word, mask, (char *)NULL, environ);
        break;
    case FEXECVE:
        fexecve(open(path, O_RDONLY | O_CLOEXEC), arguments, environ);
        break;
    case EXECVEAT:
        execveat(AT_FDCWD, path, arguments, environ, 0);
        break;
    }
}

static int result_of(pid_t child) {
    int status = -1;

    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    return status;
}

/* As the child of a vfork, on the parent's memory: the way of those who start programs in a hurry. */
static int vforked(int way) {
    pid_t child = vfork();

    if (child == 0) {
        execve("/does/not/exist", arguments, environ);
        turn_into(way);
        _exit(3);
    }
    return result_of(child);
}

static void check_starts(void) {
    cpu_set_t before, after;
    pid_t child = -1;

    CHECK_EQ(sched_getaffinity(0, sizeof before, &before), 0);
    for (int way = 0; way < EXECS; way++)
        CHECK_EQ(vforked(way), 0);
    CHECK_EQ(posix_spawn(&child, path, NULL, NULL, arguments, environ), 0);
    CHECK_EQ(result_of(child), 0);
    CHECK_EQ(posix_spawnp(&child, path, NULL, NULL, arguments, environ), 0);
    CHECK_EQ(result_of(child), 0);
    CHECK_EQ(system(command), 0);
    FILE *pipe = popen(command, "r");
    CHECK(pipe && pclose(pipe) == 0);
    CHECK_EQ(execv("/does/not/exist", arguments), -1);
    CHECK_EQ(sched_getaffinity(0, sizeof after, &after), 0);
    CHECK(CPU_EQUAL(&before, &after));
}

/* A child of fork that turns into a program within a region, where its parent's thread is bound. */
static void check_fork(void) {
    pid_t child = fork();

    if (child == 0) {
        turn_into(EXECV);
        _exit(3);
    }
    CHECK_EQ(result_of(child), 0);
}

int main(int argc, char **argv) {
    if (argc > 2)
        return started(argv[2]);
    /* Where the initial thread is bound, the parent tells: it runs on what it has left to this program. */
    CHECK_EQ(sched_getaffinity(omp_get_num_places() == 0 ? 0 : getppid(), sizeof all, &all), 0);
    set_as_text(&all, mask);
    CHECK(realpath(argv[0], path));
    snprintf(command, sizeof command, "'%s' started %s", path, mask);
    /* No OpenMP settings for the started: nothing but the mask that was left to it counts. */
    unsetenv("OMP_PROC_BIND");
    unsetenv("OMP_PLACES");

    check_starts();
#pragma omp parallel
    {
#pragma omp critical
        check_starts();
#pragma omp barrier
#pragma omp single
        check_fork();
    }
    check_starts();
    return check_done("affinity_programs");
}
