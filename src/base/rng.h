/* Victim choice: xorshift64* (Vigna, "An experimental exploration of Marsaglia's xorshift generators", 2016). Owned by one
 * worker. */
#ifndef BZ_RNG_H
#define BZ_RNG_H

#include <stdint.h>

struct bz_rng {
    uint64_t state; /* never 0 */
};

static inline void bz_rng_seed(struct bz_rng *rng, uint64_t seed) {
    rng->state = (seed + 1) * 0x9e3779b97f4a7c15u | 1;
}

/* A number in [0, n), n > 0, by the multiply-shift reduction (no division). */
static inline uint32_t bz_rng_below(struct bz_rng *rng, uint32_t n) {
    uint64_t x = rng->state;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    rng->state = x;
    return (uint32_t)(((x * 0x2545f4914f6cdd1du >> 32) * n) >> 32);
}

#endif
