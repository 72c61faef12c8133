/* How an idle worker goes to sleep: look, announce, look once more, park. The protocol and its proof are in sleep.md. */
#ifndef BZ_SLEEP_H
#define BZ_SLEEP_H

#include "base/config.h"
#include "sched/worker.h"
#include "wait/spin.h"
#include "wait/tuning.h"
#include "wait/waiter.h"

/* The state of one idle spell; starts as all zero. */
struct bz_idle {
    struct bz_spin spin;
    bool sleeps;                   /* after the first look */
    bool announced;                /* the next fruitless look parks */
    uint32_t jec;                  /* the jobs event counter of the announcement */
    struct bz_predicted predicted; /* no history: not, or the clock has not been read yet */
    bool kept;                     /* from its timed park, once */
    bool woken;                    /* somebody woke it, and it has not looked in vain since */
    unsigned kept_up; /* sleeps, one after the other, that were none: something was there to be taken */
};

/* Whether to expose for others (worker.c) after that many fruitless looks. Whoever is about something short has
 * answered after some; then it is tried ever more rarely, up to a point; and in the last look before sleep, since
 * nobody else may come. */
static inline bool bz_idle_exposes(const struct bz_idle *idle) {
    unsigned n = idle->spin.rounds;
    return idle->announced || (n >= BZ_SPIN_ROUNDS && ((n & (n - 1)) == 0 || n % BZ_EXPOSE_ROUNDS == 0));
}

/* Called after a fruitless look. Waits a little, announces or parks; returns when it is time to look again. */
void bz_sleep_no_work(struct bz_worker *self, struct bz_idle *idle, const struct bz_wait *wait);

/* How a worker had better spin that waits for its turn within a run. */
struct bz_spin bz_spin_for_turn(const struct bz_worker *self);

/* At the end of a spell: what that says of the next ones at its call site. */
void bz_sleep_learn(const struct bz_worker *self, struct bz_idle *idle);

#endif
