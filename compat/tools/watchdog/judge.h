/* judge.h: whether a program hangs. The monitor's own. */
#ifndef BOMP_WATCHDOG_JUDGE_H
#define BOMP_WATCHDOG_JUDGE_H

#include <stdint.h>

enum bomp_hang_verdict {
    BOMP_HANG_GOES_ON, /* a thread moves, computes or sleeps for a time, or none waits */
    BOMP_HANG_BLOCKED, /* all waiting threads wait for one that is blocked outside of OpenMP */
    BOMP_HANG_HANGS    /* no thread can end it */
};

struct bomp_hang_judge {
    uint32_t monitor;   /* the thread's number */
    uint64_t moves;     /* events at the last check */
    uint64_t others_ns; /* CPU time of threads unknown to OpenMP */
    uint64_t outside;   /* sum over threads outside: system call and CPU time */
    uint32_t waiting;   /* threads that waited */
};

/* Checks once, and compares with the last check in the judge; the first one answers GOES_ON. `period_ns`: the time since the
 * last check. */
enum bomp_hang_verdict bomp_hang_check(struct bomp_hang_judge *judge, uint64_t period_ns);

#endif
