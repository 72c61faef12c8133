/* How a waiter spins before it parks (policy.h). */
#ifndef BZ_SPIN_H
#define BZ_SPIN_H

#include "base/compiler.h"
#include "wait/backoff.h"
#include "wait/competitor.h"
#include "wait/placement.h"
#include "wait/policy.h"

/* One spin. */
struct bz_spin {
    /* The waiter sets class, policy, chosen_ns, and competitor for a prediction; bz_predicted_begin the prediction. */
    struct bz_wait_facts facts;
    bool dated;                     /* the clock is read after each poll */
    struct bz_placement *placement; /* the waiter's; NULL: it has none */

    /* Its progress. */
    struct bz_wait_plan plan;
    bool asked;         /* the plan is that for the facts */
    unsigned rounds;    /* failed polls so far */
    unsigned doublings; /* of the polls up to the next yield: one for each that found no thread */
    bool handed_over;   /* another thread ran briefly in the last yield, just before this poll */
    uint64_t started;   /* clock at the first reading, 0 before */
    uint64_t now;       /* clock at the last reading */
};

/* Counts a failed poll. True: spin on; false: park. */
bool bz_spin_on(struct bz_spin *spin);

/* Polls that many times, with back-offs that double up to `most`. True: it is done. */
BZ_INLINE bool bz_spin_briefly(bool (*done)(void *arg), void *arg, unsigned polls, unsigned most) {
    for (unsigned backoffs = most > 0; polls > 0; polls--) {
        bz_backoff(backoffs);
        if (done(arg))
            return true;
        backoffs = backoffs < most ? 2 * backoffs : backoffs;
    }
    return false;
}

/* The spin that the user chose, for domains made from now on; BZ_SPIN_AUTO: none. */
void bz_set_spin_ns(uint64_t ns);
uint64_t bz_spin_ns(void);

/* Some of the process's first sleeps measure how late a wake comes, in less than 100 us each. True: it has slept. */
bool bz_wake_measure(uint32_t *word, uint32_t value, uint32_t bits);

#endif
