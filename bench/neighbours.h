/* neighbours.h: processes that compute during a benchmark, one on each CPU that it may use, until they are killed. They
 * end with the program. */
#ifndef NEIGHBOURS_H
#define NEIGHBOURS_H

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NEIGHBOURS_MOST = 256 };

static pid_t neighbours[NEIGHBOURS_MOST];
static int neighbours_count;

static inline void neighbours_fail(const char *what) {
    fprintf(stderr, "%s: error %d\n", what, errno);
    exit(2);
}

/* Starts them, nicer by `nicer`, and stopped. */
static inline void neighbours_start(int nicer) {
    cpu_set_t all, one;
    if (sched_getaffinity(0, sizeof all, &all))
        neighbours_fail("asking for the CPUs");
    for (int cpu = 0; cpu < CPU_SETSIZE && neighbours_count < NEIGHBOURS_MOST; cpu++) {
        if (!CPU_ISSET(cpu, &all))
            continue;
        pid_t pid = fork();
        if (pid == 0) {
            CPU_ZERO(&one);
            CPU_SET(cpu, &one);
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            if (sched_setaffinity(0, sizeof one, &one) || (nicer && nice(nicer) < 0))
                _exit(2);
            for (volatile uint64_t sum = 0;; sum++)
                ;
        }
        if (pid < 0 || kill(pid, SIGSTOP))
            neighbours_fail("starting a neighbour");
        neighbours[neighbours_count++] = pid;
    }
}

static inline void neighbours_tell(int signal) {
    for (int i = 0; i < neighbours_count; i++)
        kill(neighbours[i], signal);
}

static inline void neighbours_end(void) {
    neighbours_tell(SIGKILL);
    while (wait(NULL) > 0)
        ;
}

#endif
