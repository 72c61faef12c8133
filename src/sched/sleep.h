/* How an idle worker goes to sleep: search, announce, search once more, park. Protocol and proof: sleep.md. */
#ifndef BZ_SLEEP_H
#define BZ_SLEEP_H

#include "base/config.h"
#include "sched/worker.h"
#include "wait/spin.h"
#include "wait/waiter.h"

/* The state of one idle spell; starts as all zero. */
struct bz_idle {
    struct bz_spin spin;
    bool announced;                /* the next failed search parks */
    uint32_t jec;                  /* the jobs event counter of the announcement */
    struct bz_predicted predicted; /* no history: not, or the clock has not been read yet */
    bool kept;                     /* there was work to take at its last attempt to sleep */
    bool woken;                    /* a thread woke it, and no search has failed since */
};

/* Whether to expose for others (worker.c). An owner with short work answers after a few searches; then attempts become
 * rarer. The last search before sleep tries as well, since no other thief may come. */
static inline bool bz_idle_exposes(const struct bz_idle *idle) {
    unsigned n = idle->spin.rounds;
    return idle->announced || (n >= BZ_POLLS && ((n & (n - 1)) == 0 || n % BZ_EXPOSE_ROUNDS == 0));
}

/* After a failed search: waits a little, announces or parks, until it is time to search again. */
void bz_sleep_no_work(struct bz_worker *self, struct bz_idle *idle, const struct bz_wait *wait);

/* How to spin for a turn within a run. */
struct bz_spin bz_spin_for_turn(struct bz_worker *self);

/* At the end of a spell. */
void bz_sleep_learn(const struct bz_worker *self, struct bz_idle *idle);

#endif
