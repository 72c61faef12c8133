/* Mutual exclusion on words of the program: omp_lock_t, named criticals.
 *
 * A mutex does not know its holder, an owned lock does. In the child of a fork a mutex that another thread held stays held,
 * as POSIX's do; an owned lock of such a thread is free. The forking thread keeps its locks, and may unlock them.
 *
 * A mutex is one 32-bit word, zero when free, without anything to destroy. Any thread may unlock it. No order among
 * waiters. Not recursive. Its memory may be gone as soon as it is unlocked. Unlocking is a release only (OpenMP 5.0,
 * implicit flushes). The protocol is the scheduler's mutex. */
#ifndef BOMP_LOCK_H
#define BOMP_LOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime.h"

static inline struct bz_a32 *bomp_mutex(uint32_t *word) {
    return (struct bz_a32 *)word;
}

static inline bool bomp_mutex_try(uint32_t *word) {
    bool got = bz_mutex_trylock(bomp_mutex(word));
    if (got)
        bz_tsan_after(word);
    return got;
}

/* The holder may be a task that is suspended on this thread: other tasks continue meanwhile. */
void bomp_mutex_lock_slow(uint32_t *word);

static inline void bomp_mutex_lock(uint32_t *word) {
    if (bz_unlikely(!bomp_mutex_try(word)))
        bomp_mutex_lock_slow(word);
}

static inline void bomp_mutex_unlock(uint32_t *word) {
    bz_tsan_before(word);
    bz_mutex_unlock(bomp_mutex(word));
}

/* An owned lock is one 32-bit word: zero, or the owner's bz_thread_number(), plus BOMP_OWNED_WAITED if a thread may sleep on
 * it, or ThreadSanitizer needs the slow unlock. Otherwise as a mutex (src/wait/mutex.md), for one load more. */
#define BOMP_OWNED_WAITED (2 * BZ_THREAD_NUMBERS)

bool bomp_owned_try_slow(uint32_t *word);
void bomp_owned_lock_slow(uint32_t *word);
void bomp_owned_unlock_slow(uint32_t *word);

/* Fails for a thread without a number, and under ThreadSanitizer or a tool. */
static inline bool bomp_owned_lock_free(uint32_t *word) {
    uint32_t none = bz_thread_mark.none;
    return bz_cas_acquire(bomp_mutex(word), &none, bz_thread_mark.number); /* OW1: pairs with OW2 */
}

static inline bool bomp_owned_unlock_free(uint32_t *word) {
    return !bz_unlikely(bz_attended) && bz_parking_unlock(bomp_mutex(word)); /* OW2: pairs with OW1 and OW3 */
}

static inline bool bomp_owned_try(uint32_t *word) {
    return bz_likely(bomp_owned_lock_free(word)) || bomp_owned_try_slow(word);
}

static inline void bomp_owned_lock(uint32_t *word) {
    if (bz_unlikely(!bomp_owned_lock_free(word)))
        bomp_owned_lock_slow(word);
}

/* Whether the calling thread holds it. Relaxed: only its own writes change the answer. */
static inline bool bomp_owned_is_mine(const uint32_t *word) {
    uint32_t owner = bz_load_relaxed((const struct bz_a32 *)word) & ~BOMP_OWNED_WAITED;
    return owner != 0 && owner == bz_thread_mark.number;
}

static inline void bomp_owned_unlock(uint32_t *word) {
    if (bz_unlikely(bz_tsan || !bz_parking_unlock(bomp_mutex(word)))) /* OW2: pairs with OW1 and OW3 */
        bomp_owned_unlock_slow(word);
}

#endif
