/* Latches: one-way signals that a worker can park on (sleep.md). A count latch may be gone right after its last decrement; a
 * core latch's domain outlives the set (C3, S12). Check: tests/check/latch.c. */
#ifndef BZ_LATCH_H
#define BZ_LATCH_H

#include "base/atomic.h"

struct bz_worker;

enum bz_latch_state { BZ_LATCH_UNSET = 0, BZ_LATCH_SLEEPY = 1, BZ_LATCH_SLEEPING = 2, BZ_LATCH_SET = 3 };

/* One per worker, reusable. Written by the owner (to SLEEPY, SLEEPING, UNSET) and by any waker (to SET). */
struct bz_core_latch {
    struct bz_a32 state;
};

/* Owner: announces that it may sleep. False: the latch is SET. */
static inline bool bz_core_latch_get_sleepy(struct bz_core_latch *latch) {
    uint32_t expected = BZ_LATCH_UNSET;
    return bz_cas_seq_cst(&latch->state, &expected, BZ_LATCH_SLEEPY); /* L1: pairs with L4 */
}

/* Owner: from SLEEPY to SLEEPING. False: it was set meanwhile. */
static inline bool bz_core_latch_fall_asleep(struct bz_core_latch *latch) {
    uint32_t expected = BZ_LATCH_SLEEPY;
    return bz_cas_seq_cst(&latch->state, &expected, BZ_LATCH_SLEEPING); /* L2: pairs with L4 */
}

/* Owner: back to UNSET. Returns the old state; the setter's earlier stores are visible. */
static inline enum bz_latch_state bz_core_latch_reset(struct bz_core_latch *latch) {
    return bz_exchange_seq_cst(&latch->state, BZ_LATCH_UNSET); /* L3: pairs with L4 */
}

/* Waker: SET. True: the owner was SLEEPING; the caller subtracts it from the count and wakes it (bz_worker_wake). */
static inline bool bz_core_latch_set(struct bz_core_latch *latch) {
    uint32_t before = bz_exchange_seq_cst(&latch->state, BZ_LATCH_SET); /* L4: pairs with L1, L2 and L3 */
    return before == BZ_LATCH_SLEEPING;
}

/* Counts down to zero; the owner waits for that by bz_worker_wait_until. */
struct bz_count_latch {
    struct bz_a32 count; /* raised by threads that hold a count, lowered at its end */
    /* Constant, read by threads that count down; outlives their calls. */
    struct bz_worker *owner;
};

static inline void bz_count_latch_init(struct bz_count_latch *latch, struct bz_worker *owner,
                                       uint32_t count) {
    latch->owner = owner;
    bz_store_relaxed(&latch->count, count); /* relaxed: published with whatever holds the latch */
}

/* By a thread that holds a count, so that zero is final. */
static inline void bz_count_latch_up(struct bz_count_latch *latch, uint32_t n) {
    bz_fetch_add_relaxed(&latch->count, n); /* relaxed: the job that will count down is published after it */
}

static inline bool bz_count_latch_probe(struct bz_count_latch *latch) {
    return bz_load_acquire(&latch->count) == 0; /* L7: pairs with L8 */
}

/* The last one wakes the owner. The latch may be gone when this returns. */
void bz_count_latch_down(struct bz_count_latch *latch);

#endif
