/* How a waiter spins before it parks: it polls, with a back-off between two polls (backoff.h), yields its CPU now and
 * then, and stops at its limit (waiting.md). */
#ifndef BZ_SPIN_H
#define BZ_SPIN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/compiler.h"
#include "wait/backoff.h"

/* When a waiter first yields its CPU (waiting.md). */
enum bz_spin_policy {
    BZ_YIELD_USUAL,
    BZ_YIELD_EARLY, /* the last wait ended after a yield */
    BZ_YIELD_LATE   /* it has just woken a thread */
};

/* One spin. All zero: it does not spin. */
struct bz_spin {
    /* Set by the waiter. */
    uint64_t limit_ns;   /* for how long, from the first reading of the clock on; 0: not at all */
    uint64_t crowded_ns; /* the same while threads outnumber the CPUs */
    enum bz_spin_policy policy;
    bool dated; /* the clock is read after each poll: the time of the event matters */
    /* Called instead of a yield while there is a CPU for each thread: false, park now. NULL: yields. */
    bool (*make_room)(void *arg);
    void *arg;

    /* Its progress. */
    unsigned rounds; /* failed polls so far */
    /* Yields that found no other thread: each doubles the polls up to the next one, BZ_YIELD_DOUBLINGS times at most. */
    unsigned vain;
    bool handed_over; /* the last poll followed a yield during which another thread ran briefly */
    uint64_t started; /* clock at the first reading, 0 before */
    uint64_t now;     /* clock at the last reading */
};

/* Counts a failed poll. True: spin on; false: park. Yields the CPU now and then. */
bool bz_spin_on(struct bz_spin *spin);

/* Polls that many times, without a clock, and backs off before each: once, then twice as long each time, up to `most`.
 * True: it is done. */
BZ_INLINE bool bz_spin_briefly(bool (*done)(void *arg), void *arg, unsigned looks, unsigned most) {
    for (unsigned backoffs = most > 0; looks > 0; looks--) {
        bz_backoff(backoffs);
        if (done(arg))
            return true;
        backoffs = backoffs < most ? 2 * backoffs : backoffs;
    }
    return false;
}

/* How long idle workers of domains made from now on spin before they sleep, in ns; the policy of the process.
 * BZ_SPIN_AUTO, the initial value: the library decides. */
void bz_set_spin_ns(uint64_t ns);
uint64_t bz_spin_ns(void);
bool bz_spin_adapts(void);

#endif
