/* heritage.h: what a thread has from the one that creates it: its policy, priority and nice value, its CPUs, the signals
 * that it blocks, how its floating point works. A thread that goes over from one part of the program to another is to have
 * what one would that was created there now, and nothing of what it has set for itself meanwhile. Part of the contract of
 * os.h, whose conventions hold here. */
#ifndef BZ_OS_HERITAGE_H
#define BZ_OS_HERITAGE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct bz_heritage {
    uint64_t control; /* of floating point */
    sigset_t blocked; /* signals */
};

/* Gives the caller's policy, priority, nice value and CPUs (those of the process, if the caller has a pin) to a thread of
 * bz_os_thread_start, which is asleep and has no pin, and writes down what that is to take itself. False: the system
 * refuses, and the thread is as it was in part; it cannot stand in for a new one. Cost: five system calls. */
bool bz_heritage_give(uint32_t thread, struct bz_heritage *heritage);

/* The rest, by the thread itself; it has no name of its own and no timers of its own slack afterwards. Cost: three system
 * calls. */
void bz_heritage_take(const struct bz_heritage *heritage, const char *name);

#endif
