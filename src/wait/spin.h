/* How a waiter spins before it parks: it looks, with a back-off between two looks (backoff.h), gives its CPU away now and
 * then, and stops when its time is over (waiting.md). */
#ifndef BZ_SPIN_H
#define BZ_SPIN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/compiler.h"
#include "wait/backoff.h"

/* When a waiter first gives its CPU away (waiting.md). */
enum bz_spin_policy {
    BZ_YIELD_USUAL,
    BZ_YIELD_EARLY, /* the last time, that was what brought what it waited for */
    BZ_YIELD_LATE   /* it has just woken a thread */
};

/* One spin. All zero: it does not spin. */
struct bz_spin {
    /* How; the waiter's. */
    uint64_t limit_ns;   /* for how long, from the first reading of the clock on; 0: not at all */
    uint64_t crowded_ns; /* the same while threads outnumber the CPUs */
    enum bz_spin_policy policy;
    bool dated; /* the clock is read after each look: the time of what is waited for is of interest */
    /* Instead of yields while there is a CPU for each thread: false, it had better park. NULL: yields. */
    bool (*make_room)(void *arg);
    void *arg;

    /* How far it is. */
    unsigned rounds; /* fruitless looks so far */
    /* Yields in vain: each doubles the looks up to the next one, BZ_YIELD_DOUBLINGS times at most. */
    unsigned vain;
    bool handed_over; /* the last look followed a yield in which somebody else ran, and not for long */
    uint64_t started; /* clock at the first reading, 0 before */
    uint64_t now;     /* clock at the last reading */
};

/* Counts a fruitless look; whether to go on spinning rather than park. Gives the CPU away now and then. */
bool bz_spin_on(struct bz_spin *spin);

/* Looks that many times, without a clock, and backs off before each: once, then twice as long each time, up to `most`. True:
 * it is done. */
BZ_INLINE bool bz_spin_briefly(bool (*done)(void *arg), void *arg, unsigned looks, unsigned most) {
    for (unsigned backoffs = most > 0; looks > 0; looks--) {
        bz_backoff(backoffs);
        if (done(arg))
            return true;
        backoffs = backoffs < most ? 2 * backoffs : backoffs;
    }
    return false;
}

/* How long idle workers of domains made from now on spin before they sleep, in ns; the policy of the process. BZ_SPIN_AUTO,
 * as it is at first: that is left to us. */
void bz_set_spin_ns(uint64_t ns);
uint64_t bz_spin_ns(void);
bool bz_spin_adapts(void);

#endif
