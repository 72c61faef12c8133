/* Where threads sleep that wait for a lock: a hash table says for its address whether any may, so that an unlock is mostly a
 * plain store (mutex.md). Locks may share a bucket. Check: tests/check/mutex.c. */
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
    BZ_PARKING_QUIET,    /* no thread sleeps */
    BZ_PARKING_CALLED,   /* a thread is about to, once all unlocking threads see this */
    BZ_PARKING_KNOWN,    /* they see it */
    BZ_PARKING_QUIETING, /* the same, while a thread tries to make it quiet */
};

struct bz_parking_bucket {
    /* Read by unlocks; written by threads that go to sleep, rarely by unlocks. */
    BZ_ALIGN_LINE struct bz_a32 state;
    /* Threads that may sleep, from bz_parking_enter on; read by the quieting thread. */
    BZ_ALIGN_LINE struct bz_a32 sleepers;
    struct bz_aflag quieting_lock;
    struct bz_a32 skips; /* long spins to skip after one that failed; by waiters: a hint */
    /* A word, and how many threads wait for its lock; 0: for none. Changed by these, read by unlocking threads. */
    struct bz_a64 awaited;
};

/* With the number of a thread: a lock that it has handed over, only for others. */
#define BZ_PARKING_RESERVED BZ_THREAD_NUMBERS

extern struct bz_parking_bucket bz_parking[BZ_PARKING_BUCKETS];

static inline struct bz_parking_bucket *bz_parking_of(const struct bz_a32 *word) {
    return &bz_parking[(uint64_t)(uintptr_t)word * 0x9E3779B97F4A7C15u >> (64 - BZ_PARKING_BITS)];
}

void bz_parking_wake(struct bz_a32 *word);

/* Stores 0 if the bucket is quiet, and wakes one sleeper if it no longer is. False: the caller unlocks. */
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

/* Before a thread may sleep: from now on each store of 0 wakes one, or finds the mark. */
void bz_parking_enter(const struct bz_a32 *word);

/* Whether the calling thread may take a word that was `seen`. */
bool bz_parking_is_free(const struct bz_a32 *word, uint32_t seen);

/* A reserved word is only taken with the mark. */
struct bz_lock_kind {
    bool (*take)(struct bz_a32 *word, bool marked); /* free for held, with the mark or without */
    /* Takes it with the mark; or, if a thread holds it, leaves the mark (false): *value is the word's value then. */
    bool (*mark)(struct bz_a32 *word, uint32_t *value);
};

void bz_parking_wait(struct bz_a32 *word, const struct bz_lock_kind *kind);

/* Before an unlock at a bucket that is not quiet. True: a waiter gets the lock instead. */
bool bz_parking_hand_over(struct bz_a32 *word);

/* After an unlock that found no mark: many make the bucket quiet, if no thread sleeps. */
void bz_parking_note_unlock(const struct bz_a32 *word);

/* In the child of a fork. */
void bz_parking_forget(void);

#endif
