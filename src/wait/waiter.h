/* How a thread of ours waits for what another thread is to do, if it has nothing else to do meanwhile: it spins (spin.h), or
 * first parks for as long as is predicted (predictor.h), and in the end parks on a word until it is woken. A worker does
 * the same step by step, since it looks for jobs between two looks (sched/sleep.h). */
#ifndef BZ_WAITER_H
#define BZ_WAITER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/atomic.h"
#include "wait/predictor.h"
#include "wait/spin.h"

/* What is waited for, and how that wakes. */
struct bz_waiter {
    bool (*done)(void *arg); /* whether it has come about; asked at each look */
    /* Before each sleep, so that a wake cannot be missed: makes known that this thread sleeps. False: it has come about.
     * *value: what the word is while it has not. */
    bool (*parks)(void *arg, uint32_t *value);
    /* Before and after all sleeps; NULL: nothing to count. */
    void (*count)(void *arg, bool in);
    /* Sleeps while the word is `value`, without a deadline; NULL: as usual. */
    void (*sleep)(void *arg, uint32_t value);
    uint32_t *word; /* that it sleeps on */
    void *arg;      /* of the functions */
    bool spins;     /* `parks` does: the thread is awake between two sleeps (load.h) */
};

/* Spins. True: it has come about. */
bool bz_waiter_spin(const struct bz_waiter *waiter, struct bz_spin *spin);

/* Parks, until the clock is deadline_ns if that is not 0. False: it is, and whether it has come about since the last
 * question is not asked. Meanwhile the thread counts as not awake (load.h). */
bool bz_waiter_park(const struct bz_waiter *waiter, uint64_t deadline_ns);

/* A wait whose length is predicted from the waits before it at the same call site. */
struct bz_predicted {
    struct bz_history *history;      /* NULL: it is not predicted */
    struct bz_prediction prediction; /* from `began` on; its timed park is over if park_ns is 0 */
    uint64_t began, over;            /* clock; the same if it was over at once */
    uint64_t late; /* ns that its timed park ended too late; 0 without one, or if it was woken before */
};

/* It has lasted until `began`, when the clock was read. usual_ns: how long to spin where nothing is predicted; limit_ns: as
 * bz_history_predict says. */
void bz_predicted_begin(struct bz_predicted *predicted, uint64_t began, uint64_t usual_ns, uint64_t limit_ns);

/* The end of its timed park, 0: there is none, or not any more. */
static inline uint64_t bz_predicted_deadline(const struct bz_predicted *predicted) {
    uint64_t park_ns = predicted->prediction.park_ns;
    return park_ns > 0 ? predicted->began + park_ns : 0;
}

/* Its timed park is over. The clock. */
uint64_t bz_predicted_parked(struct bz_predicted *predicted);

/* Came about at `hint`, if that is within the wait, or else when it was seen. A thread that was asleep does not take the way
 * out of its sleep for a part of the wait, or it would be as late the next time. */
void bz_predicted_came(struct bz_predicted *predicted, const struct bz_a64 *hint);

/* What it says of the next one. */
void bz_predicted_learn(const struct bz_predicted *predicted);

/* Waits: parks for a time, spins and parks as predicted. `predicted` has begun; *spin says how to spin, and for how long
 * where threads outnumber the CPUs. */
void bz_waiter_wait(const struct bz_waiter *waiter, struct bz_spin *spin, struct bz_predicted *predicted);

#endif
