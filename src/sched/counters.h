/* The sleep counters of a domain in one word: sleeping (16 bits), inactive (16), jobs event counter (32).
 *
 *   sleeping  workers that are parked, or about to park; subtracted by the waker
 *   inactive  workers that search or sleep; at least `sleeping`, except between a waker's exchange and its subtraction
 *             (both also count threads that could be started)
 *   JEC       odd: active, work was posted since the last announcement; even: sleepy, announced and no post since
 *
 * Each change is a seq_cst read-modify-write. Protocol: sleep.md. */
#ifndef BZ_COUNTERS_H
#define BZ_COUNTERS_H

#include "base/atomic.h"
#include "base/config.h"

#define BZ_ONE_SLEEPING ((uint64_t)1)
#define BZ_ONE_INACTIVE ((uint64_t)1 << 16)
#define BZ_ONE_JEC ((uint64_t)1 << 32)
_Static_assert(BZ_DOMAIN_MAX < BZ_ONE_INACTIVE, "both 16-bit fields hold the count of all workers");

struct bz_counters {
    struct bz_a64 word;
};

static inline unsigned bz_counters_sleeping(uint64_t word) {
    return (unsigned)(word & 0xffff);
}
static inline unsigned bz_counters_inactive(uint64_t word) {
    return (unsigned)(word >> 16 & 0xffff);
}
static inline uint32_t bz_counters_jec(uint64_t word) {
    return (uint32_t)(word >> 32);
}
static inline bool bz_counters_is_sleepy(uint64_t word) {
    return (bz_counters_jec(word) & 1) == 0;
}
/* No worker sleeps or has announced sleep: a poster is done. */
static inline bool bz_counters_all_awake(uint64_t word) {
    return bz_counters_sleeping(word) == 0 && !bz_counters_is_sleepy(word);
}

static inline void bz_counters_add_inactive(struct bz_counters *c) {
    bz_fetch_add_seq_cst(&c->word, BZ_ONE_INACTIVE); /* C1: pairs with C4 */
}
/* Returns the new word. */
static inline uint64_t bz_counters_sub_inactive(struct bz_counters *c) {
    return bz_fetch_sub_seq_cst(&c->word, BZ_ONE_INACTIVE) - BZ_ONE_INACTIVE; /* C2: pairs with C4 */
}
/* By the waker that took a latch out of SLEEPING. */
static inline void bz_counters_sub_sleeping(struct bz_counters *c) {
    bz_fetch_sub_seq_cst(&c->word, BZ_ONE_SLEEPING); /* C3: pairs with C6 */
}

/* Posters see threads that could be started as sleepers: `delta` more of them. */
static inline void bz_counters_add_unstarted(struct bz_counters *c, int delta) {
    uint64_t each = BZ_ONE_SLEEPING + BZ_ONE_INACTIVE;
    bz_fetch_add_seq_cst(&c->word, (uint64_t)(int64_t)delta * each); /* C7: pairs with C4 */
}

/* Poster: sleepy to active. Returns the new word. */
static inline uint64_t bz_counters_post(struct bz_counters *c) {
    uint64_t word = bz_load_seq_cst(&c->word); /* C4: pairs with C1, C2, C5, C6 and C7 */
    while (bz_counters_is_sleepy(word))
        if (bz_cas_seq_cst(&c->word, &word, word + BZ_ONE_JEC)) /* C4: pairs with C1, C2, C5, C6 and C7 */
            return word + BZ_ONE_JEC;
    return word;
}

/* Sleeper: active to sleepy. Returns the JEC for bz_counters_try_sleep. */
static inline uint32_t bz_counters_announce(struct bz_counters *c) {
    uint64_t word = bz_load_seq_cst(&c->word); /* C5: pairs with C4 */
    while (!bz_counters_is_sleepy(word))
        if (bz_cas_seq_cst(&c->word, &word, word + BZ_ONE_JEC)) /* C5: pairs with C4 */
            return bz_counters_jec(word + BZ_ONE_JEC);
    return bz_counters_jec(word);
}

/* Sleeper: counts itself as sleeping, and inactive if it is not yet, unless the JEC has changed. */
static inline bool bz_counters_try_sleep(struct bz_counters *c, uint32_t jec, bool inactive) {
    uint64_t more = inactive ? BZ_ONE_SLEEPING : BZ_ONE_SLEEPING + BZ_ONE_INACTIVE;
    uint64_t word = bz_load_seq_cst(&c->word); /* C6: pairs with C3 and C4 */
    while (bz_counters_jec(word) == jec)
        if (bz_cas_seq_cst(&c->word, &word, word + more)) /* C6: pairs with C3 and C4 */
            return true;
    return false;
}

#endif
