/* Whether another program computes on the calling thread's CPU: then a yield gives that a turn of the system's scheduler,
 * thousands of times what a change of our own threads takes (waiting.md). */
#ifndef BZ_RIVAL_H
#define BZ_RIVAL_H

#include <stdbool.h>

/* Gives the CPU away, where threads of ours outnumber the CPUs, and notes whether none of ours has had it for long. */
void bz_rival_yield(void);

/* Whether that was so on this CPU lately. A hint. */
bool bz_rival_is_here(void);

/* In the child of a fork: no other thread is here. */
void bz_rival_forget(void);

#endif
