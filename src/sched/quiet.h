/* Quiescence of a domain without a shared counter: every worker counts the units of work that it began and ended, each in
 * its own cache line. The domain is quiet when the sums are equal.
 *
 * The reader sums all `ended` first, then all `begun` (Mattern's four-counter idea, 1987, with one pass since both only
 * grow). Proof: let t be the moment between the two passes. ended(t) >= E and begun(t) <= B, so begun(t) - ended(t) <= B -
 * E = 0. A unit begun by a running unit is begun before that one ends, on the same thread; the acquire of `ended` makes it
 * visible. Quiet is stable only if units alone begin units: the caller knows (all have arrived).
 *
 * A worker that arrives at a meeting reports whether it has begun anything since its last arrival. If no worker has, no
 * sums are needed. Check: tests/check/barrier.c. */
#ifndef BZ_QUIET_H
#define BZ_QUIET_H

#include "base/atomic.h"

/* One per worker: written by its owner only. */
struct bz_quiet_pair {
    struct bz_a64 begun;
    struct bz_a64 ended;
    /* `begun` when it last arrived at a meeting; any other value: it has to report again. Owner only. */
    uint64_t last_reported;
};

#endif
