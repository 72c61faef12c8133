/* Threads of a pool that have found nothing to do there, and sleep until somebody calls them. The pool has a lock, which
 * guards the list of them, and whatever they look for. */
#ifndef BOMP_IDLE_H
#define BOMP_IDLE_H

#include "runtime.h"

/* One of them; on its stack. */
struct bomp_idle {
    struct bz_a32 called; /* 1: there is something again. Set under the lock, read by the thread */
    struct bomp_idle *next;
};

/* With the lock held, which it lets go of meanwhile: sleeps, as a thread that is not awake (load.h), for that long at most.
 * Whether somebody has called the thread. */
bool bomp_idle_sleep(struct bz_a32 *lock, struct bomp_idle **list, uint64_t ns);

/* With the lock held: calls the one that came last; NULL: there is none. It sleeps on until bomp_idle_wake, without the
 * lock. */
struct bomp_idle *bomp_idle_call(struct bomp_idle **list);
void bomp_idle_wake(struct bomp_idle *idle);

#endif
