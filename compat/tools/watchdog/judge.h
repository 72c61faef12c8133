/* judge.h: whether a program hangs. The monitor's own. */
#ifndef BOMP_WATCHDOG_JUDGE_H
#define BOMP_WATCHDOG_JUDGE_H

#include <stdbool.h>
#include <stdint.h>

enum bomp_hang_verdict {
    BOMP_HANG_GOES_ON, /* something moves, computes, sleeps for a time, or nobody waits */
    BOMP_HANG_BLOCKED, /* all that wait do so for a thread that is blocked outside of OpenMP */
    BOMP_HANG_HANGS    /* no thread can end it */
};

struct bomp_hang_judge {
    uint32_t monitor;   /* the thread's number */
    uint64_t moves;     /* at the last look: events */
    uint64_t others_ns; /* CPU time of threads that OpenMP knows nothing of */
    uint64_t outside;   /* what threads outside were at, and their CPU time, together */
    uint32_t waiting;   /* threads that waited */
};

/* One look. What it has seen the time before is in the judge; the first look says that it goes on. `period_ns` is the time
 * since the last one. */
enum bomp_hang_verdict bomp_hang_look(struct bomp_hang_judge *judge, uint64_t period_ns);

#endif
