/* A whole wait of a thread that has nothing else to do: a timed park, a spin, a park. A worker takes these steps one by one,
 * and searches for jobs in between (sched/sleep.h). */
#ifndef BZ_WAITER_H
#define BZ_WAITER_H

#include "base/atomic.h"
#include "wait/predictor.h"
#include "wait/spin.h"

struct bz_waiter {
    bool (*done)(void *arg); /* whether it has happened */
    /* Before each sleep: publishes it. *value: the word's value until the event. False: it has happened. */
    bool (*parks)(void *arg, uint32_t *value);
    /* Before and after all sleeps; NULL: nothing to count. */
    void (*count)(void *arg, bool in);
    /* Sleeps without a deadline while the word is `value`; NULL: as usual. */
    void (*sleep)(void *arg, uint32_t value);
    uint32_t *word; /* the futex that it sleeps on */
    uint32_t bits;  /* of its sleeps there (bz_os_futex_wait_until) */
    void *arg;      /* of the functions */
};

/* True: the event has happened. */
bool bz_waiter_spin(const struct bz_waiter *waiter, struct bz_spin *spin);

/* Parks, until the clock is deadline_ns if that is not 0. False: that time has come. */
bool bz_waiter_park(const struct bz_waiter *waiter, uint64_t deadline_ns);

struct bz_predicted {
    struct bz_history *history; /* NULL: it is not recorded */
    uint64_t began, over;       /* clock */
    uint64_t late;              /* ns that its timed park ended too late */
};

/* At `began`, by the clock: adds the prediction to the facts. */
void bz_predicted_begin(struct bz_predicted *predicted, uint64_t began, struct bz_wait_facts *facts);

/* The end of its timed park; 0: no park, or it is over. */
static inline uint64_t bz_predicted_deadline(const struct bz_predicted *predicted,
                                             const struct bz_wait_facts *facts) {
    uint64_t park_ns = facts->predicted.park_ns;
    return park_ns > 0 ? predicted->began + park_ns : 0;
}

/* Its timed park is over. Returns the clock. */
uint64_t bz_predicted_parked(struct bz_predicted *predicted, struct bz_wait_facts *facts);

/* Ends the wait at `hint` if that is within it: a sleeper's wake is no part of the wait. */
void bz_predicted_came(struct bz_predicted *predicted, const struct bz_a64 *hint);

void bz_predicted_learn(const struct bz_predicted *predicted);

/* `predicted` has begun, with the facts of *spin. */
void bz_waiter_wait(const struct bz_waiter *waiter, struct bz_spin *spin, struct bz_predicted *predicted);

#endif
