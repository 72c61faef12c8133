/* Quiescence of a domain without a shared counter: each worker counts the units of work that it began and ended. The domain
 * is quiet when the sums are equal; the reader sums all `ended`, then all `begun` (after Mattern's four counters, 1987).
 * Quiet is stable if only units begin units. Proof: barrier.md. Check: tests/check/barrier.c. */
#ifndef BZ_QUIET_H
#define BZ_QUIET_H

#include "base/atomic.h"

/* One per worker: written by its owner only. */
struct bz_quiet_pair {
    struct bz_a64 begun;
    struct bz_a64 ended;
    uint64_t last_reported; /* `begun` at its last arrival at a meeting; owner only */
};

#endif
