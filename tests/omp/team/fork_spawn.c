/*
 * Programs that are started without fork(): vfork, posix_spawn, system, popen. No fork handlers run, and regions work
 * as before.
 */
// threads: 8
// env:
// env: OMP_PROC_BIND=true
#include <spawn.h>

#include "../forked.h"

extern char **environ;
static int handlers;

static void count_handler(void) {
    handlers++;
}

static int status_of(pid_t child) {
    int status = -1;

    return waitpid(child, &status, 0) == child ? status : -1;
}

static int by_vfork(void) {
    static char *argv[] = {(char *)"true", NULL};
    pid_t child = vfork();

    if (child == 0) {
        execvp("true", argv);
        _exit(127);
    }
    return status_of(child);
}

static int by_spawn(void) {
    static char *argv[] = {(char *)"true", NULL};
    pid_t child;

    return posix_spawnp(&child, "true", NULL, NULL, argv, environ) == 0 ? status_of(child) : -1;
}

static int by_popen(void) {
    FILE *pipe = popen("true", "r");

    return pipe ? pclose(pipe) : -1;
}

int main(void) {
    if (pthread_atfork(count_handler, count_handler, count_handler) != 0)
        return 1;
    check_all();
    for (int i = 0; i < 5; i++) {
        CHECK_EQ(by_vfork(), 0);
        CHECK_EQ(by_spawn(), 0);
        CHECK_EQ(by_popen(), 0);
        CHECK_EQ(system("true"), 0);
    }
    if (!UNDER_TSAN) /* its vfork is a fork */
        CHECK_EQ(handlers, 0);
    check_all();
    return check_done("fork_spawn");
}
