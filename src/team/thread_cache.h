/* The thread cache: the process's threads that run for pools and teams. A dismissed thread returns here and waits for the
 * next place; a thread is created only when none is idle or on its way back. Threads end only when the cache dismisses
 * them. */
#ifndef BZ_THREAD_CACHE_H
#define BZ_THREAD_CACHE_H

#include <stdbool.h>
#include <stdint.h>

/* Runs main(arg) on a cached thread, for a domain with that root (domain.h). A thread that last served another root is as
 * if the caller had created it now: settings of the program stay with the root for which it made them (os/inherited.h). 0,
 * or the errno of a thread that could not be created (nothing has run then). After a failure the answer stays the same
 * for a while, at first short and then longer, without another attempt. Any thread. Cost: a futex wake, and some system
 * calls if the thread comes from another root; or the creation of a thread. */
int bz_thread_cache_run(uint64_t root, void (*main)(void *), void *arg);

/* The same for the worker with that index of a team that wants `more` threads, this one included: before a thread is
 * created, other teams with that root that are not in a run give theirs; as a last resort, only if no thread can be
 * created. */
int bz_thread_cache_run_below(uint64_t root, unsigned index, unsigned more, bool is_last_resort,
                              void (*main)(void *), void *arg);

/* Warns the user, once in the life of the process, that bz_thread_cache_run failed for thread `number` of that many. */
void bz_thread_cache_warn(unsigned number, unsigned wanted, int error);

/* `n` threads are about to leave their places: threads that need some wait for them instead of creating more. Called
 * before they are dismissed. */
void bz_thread_cache_expect(unsigned n);

/* The same for the number that `leave` returns, which removes these from reclaiming: under one lock, so that no thread is
 * created while they can be neither reclaimed nor expected. It must not call the thread cache. */
void bz_thread_cache_expect_of(unsigned (*leave)(void *arg), void *arg);

/* Adds to `all`, a set of CPUs, those of the threads that the program has bound apart from `own`: they may not run on all of
 * its CPUs. Any thread. Cost: a system call for each thread alive, under the cache's lock. */
void bz_thread_cache_add_cpus(const uint64_t *own, uint64_t *all);

/* Ends the threads that are idle or expected; they may exist for a moment longer. With `last`, no host thread is left,
 * and threads that return later end as well. Any thread. */
void bz_thread_cache_dismiss(bool last);

/* On a cached thread that had another name: gives it its own again, "blitz/N", where N is its bz_thread_number, counted from
 * 0. Cost: a system call. */
void bz_thread_cache_rename(void);

/* Threads alive, idle ones included. */
unsigned bz_thread_cache_size(void);

/* In the child of a fork: the cache is empty. If the only thread is a cached one and returns, the process ends, since no
 * thread can give it work. */
void bz_thread_cache_forget(void);

#endif
