/* Solo workers: the only ones of a domain of their own. A host thread becomes one, so that whatever runs on this thread
 * finds a worker, and a place to keep its team. A thread may be one for a while, isolated from the worker that it is. And a
 * cached thread is one while it runs something that belongs to no team. */
#ifndef BZ_ADOPT_H
#define BZ_ADOPT_H

#include "sched/worker.h"

/* The calling thread's worker, or for a thread without one a solo one, made now and gone with the thread. NULL: no
 * memory. */
struct bz_worker *bz_worker_adopt(void);

/* The calling thread becomes a solo worker, isolated from `self`, its current one: the jobs that it queues then never
 * meet those of self's domain, and its waits run none of these. The team nested in self is the solo worker's meanwhile.
 * NULL: no memory, and nothing has happened. Cost: that of a new worker the first time, then a few loads and stores. */
struct bz_worker *bz_worker_isolate(struct bz_worker *self);
/* `self` again, on the thread that was isolated from it; the domain of its own is quiet. */
void bz_worker_come_back(struct bz_worker *self);

/* Runs main(arg) on a cached thread, which is a solo worker meanwhile, for domains with the root of `self`, the calling
 * worker. 0, or an errno, and nothing has run. */
int bz_solo_run(struct bz_worker *self, void (*main)(void *), void *arg);

/* Ends a worker for good, and the isolated one that it kept. No thread runs on either any more. */
void bz_worker_destroy_all(struct bz_worker *worker);

#endif
