/* The thread cache: the process's own threads, for pools and teams. A dismissed thread returns here; a thread is created
 * only when none is idle or returning. */
#ifndef BZ_THREAD_CACHE_H
#define BZ_THREAD_CACHE_H

#include <stdbool.h>
#include <stdint.h>

/* Runs main(arg) on a cached thread, for a domain with that root (domain.h). A thread that last served another root is as
 * if the caller had created it now (os/inherited.h). 0, or the errno of a thread that could not be created, and nothing has
 * run. After a failure the answer stays the same for BZ_REFUSED_NS. Any thread. Cost: a futex wake, and some system calls
 * if the thread comes from another root; or the creation of a thread. */
int bz_thread_cache_run(uint64_t root, void (*main)(void *), void *arg);

/* The same for a worker of a team that wants `more` threads, with this one. Before a thread is created, other teams with
 * that root that are not in a run give theirs; with is_last_resort only if none can be created. */
int bz_thread_cache_run_below(uint64_t root, unsigned index, unsigned more, bool is_last_resort,
                              void (*main)(void *), void *arg);

/* Warns, once in a process, that thread `number` of `wanted` failed. */
void bz_thread_cache_warn(unsigned number, unsigned wanted, int error);

/* Before `n` threads are dismissed: threads that need some wait for them instead of creating more. */
void bz_thread_cache_expect(unsigned n);

/* The same for the number that `leave` returns, which ends their reclaiming, under one lock. */
void bz_thread_cache_expect_of(unsigned (*leave)(void *arg), void *arg);

/* Any thread: adds to `all` the CPUs of threads that the program has bound elsewhere than `own`. Cost: a system call for
 * each. */
void bz_thread_cache_add_cpus(const uint64_t *own, uint64_t *all);

/* Any thread: ends the threads that are idle or expected. With `last`, no host thread is left, and threads that return later
 * end as well. */
void bz_thread_cache_dismiss(bool last);

/* Names the calling cached thread "blitz/N", N its bz_thread_number from 0. Cost: a system call. */
void bz_thread_cache_rename(void);

/* Threads alive, idle ones included. */
unsigned bz_thread_cache_size(void);

/* In the child of a fork: the cache is empty. A cached thread that returns there ends the process. */
void bz_thread_cache_forget(void);

#endif
