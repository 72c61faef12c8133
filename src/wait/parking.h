/* Where threads sleep that wait for a lock, so that whoever unlocks one need not ask the lock: it stores 0 and then looks
 * whether anybody sleeps. Store and look have no fence between them; a sleeper makes up for it (fence.h). Nobody sleeping
 * is the usual case, and an unlock then is a store and three loads where it was an atomic exchange.
 *
 * The lock's own word cannot say who sleeps: a store would wipe that out, and when the store is done the word may be
 * gone. So it is said in a hash table, in the bucket of the word's address. Several words may share a bucket; that
 * costs time, no more. The protocol is in mutex.md. Check: tests/check/mutex.c. */
#ifndef BZ_PARKING_H
#define BZ_PARKING_H

#include "base/atomic.h"
#include "base/compiler.h"
#include "base/config.h"
#include "wait/fence.h"
#include "wait/thread.h"

#define BZ_PARKING_BITS 6
#define BZ_PARKING_BUCKETS (1 << BZ_PARKING_BITS)

/* What a bucket says. */
enum {
    BZ_PARKING_QUIET, /* nobody sleeps */
    BZ_PARKING_CALLED, /* somebody is about to, and waits until all who unlock see that the bucket is not quiet */
    BZ_PARKING_KNOWN,    /* they do: whoever comes need not wait for it */
    BZ_PARKING_QUIETING, /* the same, but somebody is about to make it quiet, and whoever comes forbids that */
};

struct bz_parking_bucket {
    /* Read by all who unlock, written by those who go to sleep and those who unlock: rarely. */
    BZ_ALIGN_LINE struct bz_a32 state;
    BZ_ALIGN_LINE struct bz_a32
        sleepers; /* threads between enter and leave; written by these, read by whoever makes it quiet */
    /* A lock among those who unlock, never waited for, of whoever makes it quiet. */
    struct bz_aflag quieting_lock;
    struct bz_a32 skips; /* long spins that are left out, since one was in vain; by waiters: a hint */
    /* A word, and how many threads wait for its lock; 0: none. Changed by these, the last time when they have the lock; read
     * by whoever unlocks. */
    struct bz_a64 awaited;
};

/* What a word is when its lock is handed over, with the number of the thread that did: nobody's, and only for others. */
#define BZ_PARKING_RESERVED BZ_THREAD_NUMBERS

extern struct bz_parking_bucket bz_parking[BZ_PARKING_BUCKETS];

static inline struct bz_parking_bucket *bz_parking_of(const struct bz_a32 *word) {
    return &bz_parking[(uint64_t)(uintptr_t)word * 0x9E3779B97F4A7C15u >> (64 - BZ_PARKING_BITS)];
}

void bz_parking_wake(struct bz_a32 *word);

/* The holder of a lock: stores 0, if its bucket is quiet, and wakes one who sleeps there all the same. False: nothing
 * has been done. */
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

/* Before a thread may sleep until the word changes: from now on everybody who stores 0 there wakes one, or finds the mark
 * that says so in the word. Cost: an atomic addition; many microseconds where nobody has slept for long. */
void bz_parking_enter(const struct bz_a32 *word);
/* It will not sleep any more. */
void bz_parking_leave(const struct bz_a32 *word);

/* Whether a word that was `seen` is nobody's and the calling thread may take it. */
bool bz_parking_is_free(const struct bz_a32 *word, uint32_t seen);

/* What the word of a lock is swapped for. One that is reserved is only taken with the mark that others may sleep. */
struct bz_lock_kind {
    bool (*take)(struct bz_a32 *word, bool marked); /* free for held, with the mark or without */
    /* Free for held with the mark; or, if somebody holds it, leaves the mark (false): *value is what the word is then. */
    bool (*mark)(struct bz_a32 *word, uint32_t *value);
};

/* Spins on the word of a lock that somebody holds, and parks in the end, until the lock is taken (mutex.md). */
void bz_parking_wait(struct bz_a32 *word, const struct bz_lock_kind *kind);

/* The holder of a lock whose bucket is not quiet, before it unlocks: now and then the lock is handed over instead, if
 * another thread waits for it (true). */
bool bz_parking_hand_over(struct bz_a32 *word);

/* Then it has found the word without a mark. After many unlocks the bucket is made quiet, if nobody sleeps. */
void bz_parking_note_unlock(const struct bz_a32 *word);

/* In the child of a fork: nobody sleeps. */
void bz_parking_forget(void);

#endif
