/* The crew: the process's threads that run for pools and teams. A thread that is told to leave its place returns here and
 * waits for the next; a thread is created only when none is idle or on its way back. Threads end only when they are
 * dismissed. */
#ifndef BZ_CREW_H
#define BZ_CREW_H

#include <stddef.h>

/* Runs main(arg) on a crew thread. 0, or the errno of a thread that could not be created (nothing has run then). Any
 * thread. Cost: a futex wake, or the creation of a thread. */
int bz_crew_run(void (*main)(void *), void *arg);

/* `n` threads have been told to leave their places: whoever needs threads waits for them rather than create more. Called
 * before they are told. */
void bz_crew_expect(unsigned n);

/* Ends the threads that are idle or expected; they may still be about for a moment. Any
 * thread. */
void bz_crew_dismiss(void);

/* Bytes of stack for threads created from now on; 0: the system's default. */
void bz_crew_set_stack(size_t bytes);

/* Threads alive, idle ones included. */
unsigned bz_crew_size(void);

/* In the child of a fork: there are no threads any more. */
void bz_crew_forget(void);
/* Around a fork: so that the child's copy of the idle list is whole. */
void bz_crew_lock(void);
void bz_crew_unlock(void);

#endif
