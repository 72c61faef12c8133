/* cpus.h: sets of CPUs, of any number of them, and which of them a thread may run on.
 *
 * A set is bz_cpus_words() words; CPU c is bit c % 64 of word c / 64. All sets of a process have the same length.
 *
 * A pin binds a thread to a set. It is the thread's own: threads that it makes through bz_os_thread_start begin
 * without one, and so does the process that it forks. Programs that it starts without fork handlers (exec alone, vfork,
 * posix_spawn, system, popen) inherit the pin. */
#ifndef BZ_OS_CPUS_H
#define BZ_OS_CPUS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/atomic.h"

#define BZ_CPUS_WORD_BITS 64

static inline bool bz_cpus_has(const uint64_t *set, unsigned cpu) {
    return set[cpu / BZ_CPUS_WORD_BITS] >> (cpu % BZ_CPUS_WORD_BITS) & 1;
}

static inline void bz_cpus_add(uint64_t *set, unsigned cpu) {
    set[cpu / BZ_CPUS_WORD_BITS] |= UINT64_C(1) << (cpu % BZ_CPUS_WORD_BITS);
}

static inline void bz_cpus_remove(uint64_t *set, unsigned cpu) {
    set[cpu / BZ_CPUS_WORD_BITS] &= ~(UINT64_C(1) << (cpu % BZ_CPUS_WORD_BITS));
}

/* The first CPU of a set of words words that is at least from, or UINT_MAX. */
unsigned bz_cpus_next(const uint64_t *set, size_t words, unsigned from);

/* How many CPUs there are in it. */
unsigned bz_cpus_count(const uint64_t *set, size_t words);

/* The words that hold every CPU that the system is configured for. Any thread. Cost: system calls once, then a load. */
size_t bz_cpus_words(void);

/* Before each yield of the calling thread: whether it had better sleep, since its yields are for threads of its own priority
 * only, and it has yielded often. Cost: a few ns, and now and then a system call. */
bool bz_cpus_sleep_is_due(void);

/* The CPUs of the calling thread, or of the process (its initial thread, unless bz_cpus_keep was called), as the system
 * has them now. 0 or an errno value. */
int bz_cpus_of_thread(uint64_t *set);
int bz_cpus_of_process(uint64_t *set);

/* Adds the CPUs of a thread to `all` unless they hold all of `own`: then the thread is not bound apart from its creator.
 * Cost: a system call. */
void bz_cpus_add_apart(uint32_t thread, const uint64_t *own, uint64_t *all);

/* Another thread, which has no pin, runs on the caller's CPUs from now on, or on those of the process if the caller has a
 * pin. False: the system refuses. Cost: two system calls; one more if it ran on others. */
bool bz_cpus_give(uint32_t thread);

/* The calling thread runs on these from now on, and has no pin; unless the system refuses. Cost: a system call. */
void bz_cpus_take(const uint64_t *set);

/* Take some CPUs from the calling thread, for a sleep or a move. False, and nothing is different: it may run on none of
 * them anyway, or nowhere else, or the system has refused it once, or bz_cpus_stay was called. Else bz_cpus_return ends
 * that, unless the thread has been given other CPUs meanwhile, which it keeps. (Exactly those that it has meanwhile are
 * taken for ours.) `off` is what it is to leave, `had` and `without` are what it had and has, bz_cpus_words() words each.
 * Both leave errno alone. Cost: two system calls each; up to four if somebody else has set the mask. */
bool bz_cpus_leave(const uint64_t *off, uint64_t *had, uint64_t *without);
void bz_cpus_return(const uint64_t *had, const uint64_t *without);

/* The calling thread's own; one block, as static memory of threads is scarce. */
extern _Thread_local struct bz_cpus_own {
    struct bz_aflag away; /* bz_cpus_leave holds; set by the thread, read by bz_thread_cache_add_cpus */
    bool missed;          /* it is not where its pin says: the system has refused that */
    uint16_t yields;      /* so far: for bz_cpus_sleep_is_due */
    uint32_t stack; /* how far below this its stack ends, in units of 16 bytes; 0: not known. See linux.c */
} bz_cpus_own __attribute__((tls_model("initial-exec")));

/* From now on these are the CPUs of the process, whatever its initial thread is bound to: for bz_cpus_of_process, for
 * topology.h, and for threads that lose their pin. Before the first pin; the set is copied. The first call counts, later
 * ones do nothing. 0 or ENOMEM. */
int bz_cpus_keep(const uint64_t *set);

/* What bz_cpus_keep was given, or NULL. Cost: one load. */
const uint64_t *bz_cpus_kept(void);

/* The set that the calling thread is pinned to: the address that bz_pin got; NULL: none. */
extern _Thread_local const uint64_t *bz_pinned __attribute__((tls_model("initial-exec")));

int bz_pin_slow(const uint64_t *set);
void bz_unpin_slow(void);

/* Pin the calling thread to a set, which must stay as it is and be one of the few that the caller always uses: two are
 * the same if their address is. After bz_cpus_keep. Returns 0, or the system's refusal, with the thread where it was;
 * it is not tried again before the thread has had another pin. Cost: a load; a system call if it had another one. */
static inline int bz_pin(const uint64_t *set) {
    return bz_pinned == set ? 0 : bz_pin_slow(set);
}

/* Whether the calling thread was pinned to this set, and nothing is known to have moved it since. Cost: two loads. */
static inline bool bz_is_pinned(const uint64_t *set) {
    return bz_pinned == set && !bz_cpus_own.missed;
}

/* Take the pin of the calling thread, if it has one: it runs on the CPUs of the process again. Cost: a load. */
static inline void bz_unpin(void) {
    if (bz_pinned)
        bz_unpin_slow();
}

#endif
