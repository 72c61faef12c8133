/* Sets of CPUs, and the CPUs of threads.
 *
 * A set has bz_cpus_words() words in the whole process; CPU c is bit c % 64 of word c / 64.
 *
 * A pin binds a thread to a set. Threads of bz_os_thread_start and forked processes begin without it; programs that are
 * started without fork handlers (exec, vfork, posix_spawn, system, popen) inherit it. */
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

/* The least CPU of a set of `words` words that is at least `from`; UINT_MAX: none. */
unsigned bz_cpus_next(const uint64_t *set, size_t words, unsigned from);
unsigned bz_cpus_count(const uint64_t *set, size_t words);

/* Words for all configured CPUs. Any thread. Cost: system calls once, then a load. */
size_t bz_cpus_words(void);

/* Whether the calling thread's next yield should be a sleep (bz_os_yield). */
bool bz_cpus_sleep_is_due(void);

/* Of the process: the set of bz_cpus_keep, else that of its initial thread. */
int bz_cpus_of_thread(uint64_t *set);
int bz_cpus_of_process(uint64_t *set);

/* Adds the CPUs of a thread to `all` unless they contain `own`, which its creator gave it. */
void bz_cpus_add_apart(uint32_t thread, const uint64_t *own, uint64_t *all);

/* Gives another thread without a pin the caller's CPUs; if the caller is pinned, those of the process. False: refused. */
bool bz_cpus_give(uint32_t thread);

/* The calling thread, which has no pin, runs on these CPUs unless the system refuses. */
void bz_cpus_take(const uint64_t *set);

/* Takes the CPUs `off` from the calling thread for a sleep or a move; `had` and `without` are its sets before and after.
 * False: nothing changed. bz_cpus_return gives them back, unless another thread assigned a set other than `without`. Both
 * keep errno. Cost: two to four system calls. */
bool bz_cpus_leave(const uint64_t *off, uint64_t *had, uint64_t *without);
void bz_cpus_return(const uint64_t *had, const uint64_t *without);

/* The calling thread's own; one block, since static memory of threads is scarce. */
extern _Thread_local struct bz_cpus_own {
    struct bz_aflag
        away; /* between bz_cpus_leave and return; written by the thread, read by bz_thread_cache_add_cpus */
    bool missed;     /* the system has refused its pin */
    uint16_t yields; /* for bz_cpus_sleep_is_due */
    uint32_t
        stack; /* distance from here to the end of its stack, in units of 16 bytes; 0: unknown (linux.c) */
} bz_cpus_own __attribute__((tls_model("initial-exec")));

/* Makes a copy of these the CPUs of the process, before the first pin. Only the first call counts. 0 or ENOMEM. */
int bz_cpus_keep(const uint64_t *set);

/* NULL: none. */
const uint64_t *bz_cpus_kept(void);

/* The calling thread's pin, the address that bz_pin got; NULL: none. */
extern _Thread_local const uint64_t *bz_pinned __attribute__((tls_model("initial-exec")));

int bz_pin_slow(const uint64_t *set);
void bz_unpin_slow(void);

/* Pins the calling thread to a constant set, which its address identifies. After bz_cpus_keep. Returns 0, or the system's
 * refusal. Cost: a load; with another pin a system call. */
static inline int bz_pin(const uint64_t *set) {
    return bz_pinned == set ? 0 : bz_pin_slow(set);
}

/* False also if the system has refused the pin. */
static inline bool bz_is_pinned(const uint64_t *set) {
    return bz_pinned == set && !bz_cpus_own.missed;
}

/* Then the thread runs on the CPUs of the process. */
static inline void bz_unpin(void) {
    if (bz_pinned)
        bz_unpin_slow();
}

#endif
