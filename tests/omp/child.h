/*
 * child.h: runs a part of a program in a child process whose runtime is unused, and captures its stderr. To be called
 * before the parent uses OpenMP.
 */
#ifndef CHILD_H
#define CHILD_H

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static char child_heard[4096]; /* stderr of the last child */

/* Runs body(arg) in a child, which SIGALRM ends if that takes longer. Returns its wait status: 0 if no check failed
 * there. */
static inline int child_run(void (*body)(void *), void *arg, unsigned seconds) {
    int talk[2];
    size_t size = 0;
    int status;

    if (pipe(talk))
        return -1;
    pid_t child = fork();
    if (child == 0) {
        dup2(talk[1], STDERR_FILENO);
        alarm(seconds);
        check_failures = 0;
        body(arg);
        exit(check_failures ? 3 : 0);
    }
    close(talk[1]);
    for (ssize_t n; (n = read(talk[0], child_heard + size, sizeof child_heard - 1 - size)) > 0;)
        size += (size_t)n;
    child_heard[size] = '\0';
    close(talk[0]);
    return waitpid(child, &status, 0) == child ? status : -1;
}

#endif
