/* What a thread inherits from its creator. A thread that moves to another part of the program gets what a new thread
 * there would inherit. os.h's conventions hold. */
#ifndef BZ_OS_INHERITED_H
#define BZ_OS_INHERITED_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct bz_inherited {
    uint64_t control; /* of floating point */
    sigset_t blocked; /* signals */
};

/* Gives the caller's policy, priority, nice value and CPUs (if pinned: those of the process) to a sleeping thread without a
 * pin; *inherited is what that thread takes itself. False: the system refuses. Cost: five system calls. */
bool bz_inherited_give(uint32_t thread, struct bz_inherited *inherited);

/* The thread takes the rest and default timer slack. Cost: two system calls. */
void bz_inherited_take(const struct bz_inherited *inherited);

#endif
