/* The thread cache: the process's threads that run for pools and teams. A thread that is told to leave its place returns
 * here and waits for the next; a thread is created only when none is idle or on its way back. Threads end only when they
 * are dismissed. */
#ifndef BZ_THREAD_CACHE_H
#define BZ_THREAD_CACHE_H

#include <stdbool.h>
#include <stdint.h>

/* Runs main(arg) on a cached thread, for a domain with that root (domain.h). One that was there for another root last is
 * as if the caller had created it now: what the program has set on it stays with the one for which it did
 * (os/heritage.h). 0, or the errno of a thread that could not be created (nothing has run then). After that the same is
 * the answer for a while, at first short and then longer, without another attempt. Any thread. Cost: a futex wake, and
 * some system calls if it comes from another root; or the creation of a thread. */
int bz_thread_cache_run(uint64_t root, void (*main)(void *), void *arg);

/* The same for the worker with that index of a team that wants `more` threads, with this one: before a thread is created,
 * other teams with that root that are not in a run give theirs; as a last resort only where none can be created. */
int bz_thread_cache_run_below(uint64_t root, unsigned index, unsigned more, bool is_last_resort,
                              void (*main)(void *), void *arg);

/* Tells the user, once in the life of the process, that bz_thread_cache_run failed for thread `number` of that many. */
void bz_thread_cache_warn(unsigned number, unsigned wanted, int error);

/* `n` threads have been told to leave their places: whoever needs threads waits for them rather than create more. Called
 * before they are told. */
void bz_thread_cache_expect(unsigned n);

/* The same for as many as `leave` says, which takes them away from whoever reclaims: under one lock, so that nobody creates
 * another thread because these are neither to be reclaimed any more nor expected yet. It must not call the thread cache. */
void bz_thread_cache_expect_of(unsigned (*leave)(void *arg), void *arg);

/* Adds to `all`, a set of CPUs, those of the threads that the program has bound apart from `own`: they may not run on all of
 * its CPUs. Any thread. Cost: a system call for each thread alive, under the cache's lock. */
void bz_thread_cache_add_cpus(const uint64_t *own, uint64_t *all);

/* Ends the threads that are idle or expected; they may still be about for a moment. With `last`, no host thread is left, and
 * threads that come back later end, too. Any thread. */
void bz_thread_cache_dismiss(bool last);

/* On a cached thread that had another name: gives it its own again, "blitz/N", where N is its bz_thread_number, counted from
 * 0. Cost: a system call. */
void bz_thread_cache_rename(void);

/* Threads alive, idle ones included. */
unsigned bz_thread_cache_size(void);

/* In the child of a fork: there are no threads any more. If the only one is a cached thread and comes back, the process
 * ends: nobody is there to give it something to do. */
void bz_thread_cache_forget(void);

#endif
