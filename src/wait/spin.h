/* How a waiter spins before it parks: it polls, with a back-off between two polls (backoff.h), yields its CPU now and
 * then, and stops at its limit, as the policy says (policy.h). */
#ifndef BZ_SPIN_H
#define BZ_SPIN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/compiler.h"
#include "env/options.h"
#include "wait/backoff.h"
#include "wait/placement.h"
#include "wait/policy.h"

/* One spin. */
struct bz_spin {
    /* Set by the waiter: class, policy, chosen_ns, the prediction, the team. The rest is filled in at each poll. */
    struct bz_wait_facts facts;
    bool dated;                     /* the clock is read after each poll: the time of the event matters */
    struct bz_placement *placement; /* the waiter's, if it may move; or NULL */

    /* Its progress. */
    unsigned rounds; /* failed polls so far */
    /* Yields that found no other thread: each doubles the polls up to the next one, up to a limit. */
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

/* How long idle workers of domains made from now on spin before they sleep, in ns. BZ_SPIN_AUTO, the initial value: the
 * policy decides. */
void bz_set_spin_ns(uint64_t ns);
uint64_t bz_spin_ns(void);
bool bz_spin_adapts(void);

/* How late a woken thread comes on this machine. */
uint64_t bz_wake_ns(void);

/* Before a sleep while the word is `value`: one of the first ones of the process measures that, in less than 100 us. True:
 * it has slept. */
bool bz_wake_measure(uint32_t *word, uint32_t value);

#endif
