/* Solo workers, each alone in its domain: of host threads, of threads isolated from their worker for a while, and of cached
 * threads outside teams.
 *
 * Host threads are the program's threads with a worker, and a registered main thread. With the last one, cached
 * threads end: else a process whose main thread calls pthread_exit would never end. */
#ifndef BZ_ADOPT_H
#define BZ_ADOPT_H

#include "sched/worker.h"

/* The calling thread's, made on demand. NULL: no memory. */
struct bz_worker *bz_worker_adopt(void);

/* Registers the caller if it is the main thread. Once, before its bz_worker_adopt. Cost: two system calls. */
void bz_host_register_main(void);
/* In the child of a fork, by its one thread. Once or more. */
void bz_host_forget(void);

/* The calling thread becomes a solo worker, isolated from its worker `self`: its jobs and waits do not mix with those of
 * self's domain. Meanwhile it has the team nested in self. NULL: no memory. Cost: at first a new worker. */
struct bz_worker *bz_worker_isolate(struct bz_worker *self);
/* The calling thread, whose solo domain is quiet, is `self` again. */
void bz_worker_come_back(struct bz_worker *self);

/* Runs main(arg) on a cached thread as a solo worker with self's root. 0, or an errno, and nothing has run. */
int bz_solo_run(struct bz_worker *self, void (*main)(void *), void *arg);

/* Destroys a worker without a thread, and its isolated one. */
void bz_worker_destroy_all(struct bz_worker *worker);

#endif
