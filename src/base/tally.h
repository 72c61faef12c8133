/* A biased count of children (after Choi et al., PACT 2018): the owner's worker counts in a plain word, others in an
 * atomic one.
 *
 *   outstanding = local + shared count, both in units of BZ_TALLY_ONE
 *   biased, and only the owner adds: shared count <= 0, so local == 0 implies that none is outstanding
 *
 * Only the owner's thread changes `local`, while biased. `shared` also has two flags:
 *   WAITING  the owner may sleep: each completion elsewhere wakes it
 *   ENDED    the owner has moved `local` into `shared` for good; the completion that brings the count to zero releases
 *            the object that holds the tally
 *
 * Model: tests/model/tally.pml. */
#ifndef BZ_TALLY_H
#define BZ_TALLY_H

#include "base/atomic.h"

struct bz_tally {
    int64_t local; /* BZ_TALLY_ONE x count; owner only */
    /* BZ_TALLY_ONE x count + flags; written by others, and by the owner that waits or ends. */
    struct bz_ai64 shared;
};

enum { BZ_TALLY_WAITING = 1, BZ_TALLY_ENDED = 2, BZ_TALLY_FLAGS = 3, BZ_TALLY_ONE = 4 };

enum bz_tally_result {
    BZ_TALLY_COUNTED,
    BZ_TALLY_WAKE,    /* the tally may be gone */
    BZ_TALLY_RELEASE, /* no other thread will access the object that holds the tally */
};

static inline void bz_tally_init(struct bz_tally *tally) {
    tally->local = 0;
    bz_store_relaxed(&tally->shared, 0); /* relaxed: published with the first child */
}

/* Owner, while biased: adds a child; a child has completed. */
static inline void bz_tally_add(struct bz_tally *tally) {
    tally->local += BZ_TALLY_ONE;
}
static inline void bz_tally_sub(struct bz_tally *tally) {
    tally->local -= BZ_TALLY_ONE;
}

/* Others: adds a child, by the holder of an outstanding one, whose completion (T1) comes later: relaxed. */
static inline void bz_tally_add_shared(struct bz_tally *tally) {
    bz_fetch_add_relaxed(&tally->shared, BZ_TALLY_ONE);
}

/* Owner, while biased: merges the shared count; true: none is outstanding. */
static inline bool bz_tally_none(struct bz_tally *tally) {
    int64_t others = bz_load_acquire(&tally->shared) & ~(int64_t)BZ_TALLY_FLAGS; /* T2: pairs with T1 */
    if (others != 0) {
        tally->local += others;
        bz_fetch_sub_relaxed(&tally->shared, others); /* relaxed: later ones stay in it */
    }
    return tally->local == 0;
}

/* Owner, while biased: none is outstanding, and no other thread has counted since the merge. */
static inline bool bz_tally_untouched(const struct bz_tally *tally) {
    return (tally->local | bz_load_acquire(&tally->shared)) == 0; /* T2: pairs with T1 */
}

/* Owner, while biased: bz_tally_none without the merge. */
static inline bool bz_tally_peek_none(const struct bz_tally *tally) {
    int64_t others = bz_load_acquire(&tally->shared); /* T2: pairs with T1 */
    return tally->local + (others & ~(int64_t)BZ_TALLY_FLAGS) == 0;
}

/* Owner, while biased: an estimate. */
static inline int64_t bz_tally_count(const struct bz_tally *tally) {
    return (tally->local + bz_load_relaxed(&tally->shared)) >> 2; /* BZ_TALLY_ONE is 4 */
}

/* Owner, before it may sleep until bz_tally_none(), and after its wait. */
static inline void bz_tally_set_waiting(struct bz_tally *tally) {
    bz_fetch_or_relaxed(&tally->shared, BZ_TALLY_WAITING); /* relaxed: T1 sees it, or T2 sees T1 */
}
static inline void bz_tally_clear_waiting(struct bz_tally *tally) {
    bz_fetch_sub_relaxed(&tally->shared, BZ_TALLY_WAITING); /* relaxed: set by this thread */
}

/* Others, and all threads after ENDED: a child has completed. For a wake, the caller has read the owner before. */
static inline enum bz_tally_result bz_tally_sub_shared(struct bz_tally *tally) {
    int64_t now =
        bz_fetch_sub_acq_rel(&tally->shared, BZ_TALLY_ONE) - BZ_TALLY_ONE; /* T1: pairs with T1, T2, T4 */
    if (now == BZ_TALLY_ENDED)
        return BZ_TALLY_RELEASE;
    return now & BZ_TALLY_WAITING ? BZ_TALLY_WAKE : BZ_TALLY_COUNTED;
}

/* Owner, if only it adds: ends the bias. True: none is outstanding, and the caller releases the object. */
static inline bool bz_tally_end(struct bz_tally *tally) {
    if (tally->local == 0)
        return true;
    int64_t add = tally->local + BZ_TALLY_ENDED;
    return bz_fetch_add_acq_rel(&tally->shared, add) + add == BZ_TALLY_ENDED; /* T4: pairs with T1 */
}

#endif
