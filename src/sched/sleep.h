/* How an idle worker goes to sleep: look, announce, look once more, park. The protocol and its proof are in sleep.md. */
#ifndef BZ_SLEEP_H
#define BZ_SLEEP_H

#include "base/config.h"
#include "sched/worker.h"
#include "wait/predictor.h"

/* The state of one idle spell; starts as all zero. */
struct bz_idle {
    unsigned rounds;                 /* fruitless looks so far */
    enum bz_spin_policy spin_policy; /* of the waiting worker */
    bool sleeps;                     /* after the first look */
    bool handed_over; /* the last look followed a yield in which somebody else ran, and not for long */
    uint64_t started; /* clock at the first reading, 0 before */
    bool announced;   /* the next fruitless look parks */
    uint32_t jec;     /* the jobs event counter of the announcement */
    /* Where waits are predicted; NULL: not, or the clock has not been read yet. */
    struct bz_history *history;
    struct bz_prediction prediction; /* from `began` on: its timed park is over if that is 0 */
    uint64_t began;                  /* clock */
    bool kept;                       /* from its timed park, once */
    bool woken;                      /* somebody woke it, and it has not looked in vain since */
    unsigned kept_up; /* sleeps, one after the other, that were none: something was there to be taken */
};

/* Whether to expose for others (worker.c) after that many fruitless looks. Whoever is about something short has
 * answered after some; then it is tried ever more rarely, up to a point; and in the last look before sleep, since
 * nobody else may come. */
static inline bool bz_idle_exposes(const struct bz_idle *idle) {
    unsigned n = idle->rounds;
    return idle->announced || (n >= BZ_SPIN_ROUNDS && ((n & (n - 1)) == 0 || n % BZ_EXPOSE_ROUNDS == 0));
}

/* Counts a fruitless look; whether to go on spinning rather than sleep, for about limit_ns in all. Yields the CPU now
 * and then. */
bool bz_spin_on(struct bz_idle *idle, uint64_t limit_ns);

/* The same for somebody who has another CPU, as far as is known: never yields. On a busy machine a yield is for a program
 * that may keep the CPU for milliseconds. */
bool bz_spin_no_yield(struct bz_idle *idle, uint64_t limit_ns);

/* Whether to ask now what costs more than a look: after some looks in vain, and then once in a few. */
static inline bool bz_idle_asks(const struct bz_idle *idle) {
    return idle->rounds >= BZ_SPIN_ROUNDS && (idle->rounds - BZ_SPIN_ROUNDS) % BZ_YIELD_ROUNDS == 0;
}

/* A yield. Whether somebody else ran meanwhile, and gave the CPU back soon: if what one waits for is there now, it was
 * probably for whoever waited for it on this CPU. */
bool bz_hand_over(void);

/* Called after a fruitless look. Waits a little, announces or parks; returns when it is time to look again. */
void bz_sleep_no_work(struct bz_worker *self, struct bz_idle *idle, const struct bz_wait *wait);

/* How long a worker had better spin that waits for its turn within a run. Asked again as it spins. */
uint64_t bz_spin_ns_for_turn(const struct bz_worker *self);

/* At the end of a spell: what that says of the next ones at its call site. */
void bz_sleep_learn(const struct bz_worker *self, const struct bz_idle *idle);

/* Threads of this process that use the runtime and are not parked, against the CPUs that it may use. */
void bz_awake_add(int delta);
void bz_awake_reset(uint32_t count);

/* How long idle workers of domains made from now on spin before they sleep, in ns; the policy of the process. BZ_SPIN_AUTO,
 * as it is at first: that is left to us. */
void bz_set_spin_ns(uint64_t ns);
uint64_t bz_spin_ns(void);
bool bz_spin_adapts(void);

/* The CPUs that the process may use are now that many. Without this, those that it had when it was first asked for. */
void bz_set_cpus(uint32_t n);
uint32_t bz_cpu_count(void);

/* Whether some thread that we might wait for may have no CPU: then spinning for long is harmful. */
bool bz_crowded(void);

/* Whether there are more CPUs than threads that are awake. */
bool bz_cpus_left(void);

#endif
