/* A core latch: the signal that a worker can park on (sleep.md). Its domain outlives the set (C3, S12). Check:
 * tests/check/latch.c. */
#ifndef BZ_LATCH_H
#define BZ_LATCH_H

#include "base/atomic.h"

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

#endif
