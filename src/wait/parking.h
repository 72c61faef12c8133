/* Where threads sleep that wait for a lock, so that an unlock need not ask the lock: it stores 0 and then checks whether
 * a thread sleeps. Store and check have no fence in between; a sleeper makes up for it (fence.h). Mostly no thread
 * sleeps, and an unlock is a store and three loads instead of an atomic exchange.
 *
 * The lock's own word cannot say that a thread sleeps: the store would overwrite it, and after the store the word may be
 * gone. So a hash table says it, in the bucket of the word's address. Several words may share a bucket; that costs only
 * time. The protocol is in mutex.md. Check: tests/check/mutex.c. */
#ifndef BZ_PARKING_H
#define BZ_PARKING_H

#include "base/atomic.h"
#include "base/compiler.h"
#include "base/config.h"
#include "wait/fence.h"
#include "wait/thread.h"

#define BZ_PARKING_BITS 6
#define BZ_PARKING_BUCKETS (1 << BZ_PARKING_BITS)

/* States of a bucket. */
enum {
    BZ_PARKING_QUIET, /* no thread sleeps */
    BZ_PARKING_CALLED, /* a thread is about to, and waits until all unlocking threads see that the bucket is not quiet */
    BZ_PARKING_KNOWN,    /* they see it: other sleepers need not wait for that */
    BZ_PARKING_QUIETING, /* the same, while a thread tries to make it quiet; a new sleeper forbids that */
};

struct bz_parking_bucket {
    /* Read by all unlocks, written by threads that go to sleep, and rarely by unlocks. */
    BZ_ALIGN_LINE struct bz_a32 state;
    /* Threads between enter and leave; written by these, read by the thread that makes the bucket quiet */
    BZ_ALIGN_LINE struct bz_a32 sleepers;
    /* A try-lock of unlocking threads that make it quiet. */
    struct bz_aflag quieting_lock;
    struct bz_a32 skips; /* long spins to skip after one that failed; by waiters: a hint */
    /* A word, and how many threads wait for its lock; 0: no word. Changed by these, the last time when they have the
     * lock; read by unlocking threads. */
    struct bz_a64 awaited;
};

/* The word of a lock that is handed over, with the number of the thread that did so: held by no thread, and only for
 * others. */
#define BZ_PARKING_RESERVED BZ_THREAD_NUMBERS

extern struct bz_parking_bucket bz_parking[BZ_PARKING_BUCKETS];

static inline struct bz_parking_bucket *bz_parking_of(const struct bz_a32 *word) {
    return &bz_parking[(uint64_t)(uintptr_t)word * 0x9E3779B97F4A7C15u >> (64 - BZ_PARKING_BITS)];
}

void bz_parking_wake(struct bz_a32 *word);

/* The holder of a lock: stores 0 if its bucket is quiet, and wakes one sleeper if it no longer is. False: nothing has
 * been done. */
BZ_INLINE bool bz_parking_unlock(struct bz_a32 *word) {
    const struct bz_parking_bucket *bucket = bz_parking_of(word);
    if (bz_unlikely(bz_load_relaxed(&bucket->state) !=
                    BZ_PARKING_QUIET)) /* relaxed: if it is stale, M4 counts */
        return false;
    bz_store_release(word, 0); /* M2: pairs with M1 and M3 */
    bz_fence_light();          /* M4: pairs with M5: either we see the sleeper, or it our store */
    /* relaxed: ordered by M4. The word may be gone. */
    if (bz_unlikely(bz_load_relaxed(&bucket->state) != BZ_PARKING_QUIET))
        bz_parking_wake(word);
    return true;
}

/* Before a thread may sleep until the word changes: from now on each thread that stores 0 there wakes one, or finds the
 * mark in the word. Cost: an atomic addition; many microseconds where no thread has slept for long. */
void bz_parking_enter(const struct bz_a32 *word);
/* It will not sleep any more. */
void bz_parking_leave(const struct bz_a32 *word);

/* Whether a word that was `seen` is free and the calling thread may take it. */
bool bz_parking_is_free(const struct bz_a32 *word, uint32_t seen);

/* The values that the word of a lock is swapped for. A reserved one is only taken with the mark that others may sleep. */
struct bz_lock_kind {
    bool (*take)(struct bz_a32 *word, bool marked); /* free for held, with the mark or without */
    /* Free for held with the mark; or, if a thread holds it, leaves the mark (false): *value is the word's value then. */
    bool (*mark)(struct bz_a32 *word, uint32_t *value);
};

/* Spins on the word of a held lock, and finally parks, until the lock is taken (mutex.md). */
void bz_parking_wait(struct bz_a32 *word, const struct bz_lock_kind *kind);

/* The holder of a lock whose bucket is not quiet, before it unlocks: now and then the lock is handed over instead, if
 * another thread waits for it (true). */
bool bz_parking_hand_over(struct bz_a32 *word);

/* After an unlock that found no mark in the word. After many of them the bucket is made quiet, if no thread sleeps. */
void bz_parking_note_unlock(const struct bz_a32 *word);

/* In the child of a fork: no thread sleeps. */
void bz_parking_forget(void);

#endif
