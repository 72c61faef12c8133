/* The process's own threads, for pools and teams. A thread is created only if none is idle or returning. */
#ifndef BZ_THREAD_CACHE_H
#define BZ_THREAD_CACHE_H

#include <stdbool.h>
#include <stdint.h>

/* Runs main(arg) on a cached thread, for a domain with that root (domain.h). A thread that last served another root
 * inherits from the caller as a new one does (os/inherited.h). 0; or the errno of a failed creation, the same for
 * BZ_REFUSED_NS, and nothing has run. If none can be created, teams with that root that are not in a run give theirs.
 * Any thread. Cost: a futex wake, and some system calls for a thread of another root; or a creation. */
int bz_thread_cache_run(uint64_t root, void (*main)(void *), void *arg);

/* The same for a team that wants `more` threads, this one included. Such teams give theirs before a thread is
 * created; with is_last_resort only if none can be. */
int bz_thread_cache_run_below(uint64_t root, unsigned index, unsigned more, bool is_last_resort,
                              void (*main)(void *), void *arg);

/* Warns, once in a process. */
void bz_thread_cache_warn(unsigned number, unsigned wanted, int error);

/* Before `n` threads are dismissed: others wait for these instead of creating more. */
void bz_thread_cache_expect(unsigned n);
/* The same for the number that `leave` returns; it runs under the lock, and ends their reclaiming. */
void bz_thread_cache_expect_of(unsigned (*leave)(void *arg), void *arg);

/* Any thread: adds to `all` the CPUs of threads that the program has bound elsewhere than `own`. Cost: a system call for
 * each. */
void bz_thread_cache_add_cpus(const uint64_t *own, uint64_t *all);

/* Any thread: ends idle and expected threads; with `last`, when no host thread is left, also those that return later. */
void bz_thread_cache_dismiss(bool last);

/* Names the calling cached thread "blitz/N", N its bz_thread_number from 0. Cost: a system call. */
void bz_thread_cache_rename(void);

/* Idle ones included. */
unsigned bz_thread_cache_size(void);

/* In the child of a fork: empties the cache. A cached thread that returns there ends the process. */
void bz_thread_cache_forget(void);

#endif
