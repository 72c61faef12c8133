#include "sched/sleep.h"

#include "base/hooks.h"
#include "base/probe.h"
#include "env/error.h"
#include "os/os.h"
#include "wait/backoff.h"
#include "wait/competitor.h"
#include "wait/fence.h"
#include "wait/load.h"

/* Whether the next sleep ends before the expected end of the wait. */
static bool parks_timed(const struct bz_idle *idle) {
    return idle->spin.facts.predicted.park_ns > 0;
}

/* A pool's thread without work: it waits for nothing that has begun. */
static bool serves_a_pool(const struct bz_wait *wait) {
    return wait->filter.injected;
}

/* How a park ended. */
enum park_result { STAYED_UP, WOKEN, TIME_OVER };

static bool is_sleeping(const struct bz_worker *self) {
    return bz_load_acquire(&self->sleeper.latch.state) == BZ_LATCH_SLEEPING; /* L3: pairs with L4 */
}

/* The eventcount first: a waker advances it after it has set the latch. */
static bool parks_on_eventcount(void *arg, uint32_t *value) {
    const struct bz_worker *self = arg;
    *value = bz_load_acquire(bz_domain_eventcount(self->domain, self->index)); /* S13: pairs with S12 */
    return is_sleeping(self);
}

/* Counted as sleeping: sleeps unless the wait is over, until `end` if that is not 0. */
static enum park_result sleep_counted(struct bz_worker *self, const struct bz_wait *wait, uint64_t end) {
    struct bz_core_latch *latch = &self->sleeper.latch;
    bz_fence_seq_cst(); /* S3: pairs with S4: either the waker sees us counted or we see what it did */
    if (bz_wait_over(wait) || (wait->filter.injected && bz_injector_has_jobs(&self->domain->injector)) ||
        bz_worker_pqueue_has_allowed(self, &wait->filter) || !bz_core_latch_fall_asleep(latch)) {
        bz_counters_sub_sleeping(
            &self->domain->counters); /* a waker subtracts only a worker that it found SLEEPING */
        return STAYED_UP;
    }
    /* A thread may have woken it and ended since: is_sleeping comes last. */
    if (bz_unlikely(self->domain->orphaned) && !serves_a_pool(wait) && bz_os_thread_count() == 1 &&
        is_sleeping(self))
        bz_fatal(
            "a process that was forked inside a region or a task waits for a thread of its parent, which "
            "it lacks");
    bz_store_relaxed(&self->stats.parks, self->stats.parks.v + 1); /* relaxed: single writer, statistics */
    const struct bz_waiter waiter = {.parks = parks_on_eventcount,
                                     .word = &bz_domain_eventcount(self->domain, self->index)->v,
                                     .bits = bz_domain_event_bit(self->index),
                                     .arg = self};
    if (bz_waiter_park(&waiter, end))
        return WOKEN;
    (void)bz_worker_set_latch(self); /* its time is over: it wakes itself, as any waker would */
    return TIME_OVER;
}

/* Sleeps unless work was posted since idle->jec, the latch was set, or the wait is over. A filtered waiter counts as
 * inactive only here, since no poster may rely on it. */
static enum park_result park(struct bz_worker *self, const struct bz_idle *idle, const struct bz_wait *wait) {
    struct bz_domain *domain = self->domain;
    bool filtered = self->sleeper.filtered.v;
    if (!bz_core_latch_get_sleepy(&self->sleeper.latch) ||
        !bz_counters_try_sleep(&domain->counters, idle->jec, !filtered)) {
        bz_core_latch_reset(&self->sleeper.latch);
        return STAYED_UP;
    }
    uint64_t end = bz_predicted_deadline(&idle->predicted, &idle->spin.facts);
    BZ_PROBE1(park, self);
    if (bz_unlikely(domain->start && bz_hooks)) /* in a pool */
        bz_hooks->sleeps();
    enum park_result result = sleep_counted(self, wait, end != 0 ? end : wait->deadline_ns);
    bz_core_latch_reset(&self->sleeper.latch);
    BZ_PROBE1(unpark, self);
    if (filtered)
        bz_domain_stop_searching(domain, self);
    return result;
}

/* Between two polls: longer later on, so that searching workers leave the victims' cache lines alone. */
static void pause_a_little(const struct bz_idle *idle, const struct bz_wait *wait) {
    const struct bz_spin *spin = &idle->spin;
    unsigned n = spin->facts.crowded ? 0 : spin->rounds < BZ_POLLS ? 1 : BZ_LATER_BACKOFFS;
    for (; n > 0 && !wait->done(wait->arg); n--)
        bz_backoff(1);
}

struct bz_spin bz_spin_for_turn(struct bz_worker *self) {
    return (struct bz_spin){.facts = {.class = BZ_WAIT_TURN, .chosen_ns = self->domain->spin_ns},
                            .placement = &self->placement};
}

/* What it knows of this wait. */
static void set_facts(struct bz_worker *self, struct bz_idle *idle, const struct bz_wait *wait) {
    struct bz_wait_facts *facts = &idle->spin.facts;
    facts->class = serves_a_pool(wait) ? BZ_WAIT_WORK : wait->site ? BZ_WAIT_BARRIER : BZ_WAIT_JOIN;
    facts->chosen_ns = self->domain->spin_ns;
    /* As it goes to sleep it finds out whether that would be forever. */
    if (bz_unlikely(self->domain->orphaned) && !serves_a_pool(wait) && facts->chosen_ns != 0)
        facts->chosen_ns = BZ_SPIN_AUTO;
    idle->spin.placement = self->placement.map ? &self->placement : NULL;
    if (wait->site) /* its history ends spins of this length that fail */
        facts->sharing = bz_sharing(bz_load_relaxed(&self->domain->count)); /* relaxed: a hint */
}

/* A spell that has lasted until the first reading of the clock is predicted. */
static void predict(const struct bz_worker *self, struct bz_idle *idle, const struct bz_wait *wait) {
    struct bz_predicted *predicted = &idle->predicted;
    if (predicted->history || !wait->site || !self->predictor || idle->spin.started == 0)
        return;
    predicted->history = bz_predictor_history(self->predictor, wait->site);
    bz_predicted_begin(predicted, idle->spin.started, &idle->spin.facts);
    idle->spin.asked = false;
}

/* While the JEC stays, all posters since have found it even: one S2 serves all but thieves. A private push posts nothing, so
 * its owner must see the request of the thief that emptied its public part, or that thief the job. */
static void fence_for(struct bz_worker *self, uint32_t jec) {
    struct bz_domain *domain = self->domain;
    if (!self->sleeper.stole && bz_load_relaxed(&domain->fenced) == jec) { /* relaxed, both: between fences */
        bz_fence_seq_cst(); /* S2: pairs with S1, by the fence of the worker that stored the JEC */
        return;
    }
    self->sleeper.stole = false;
    bz_domain_fence_sleeper(domain); /* S2: a poster that missed the announcement has made its job visible */
    bz_store_relaxed(&domain->fenced, jec);
}

static void announce(struct bz_worker *self, struct bz_idle *idle) {
    idle->jec = bz_counters_announce(&self->domain->counters);
    idle->announced = true;
    if (parks_timed(idle) && idle->spin.facts.predicted.park_ns <= BZ_SLICE_NS)
        return; /* what a poster leaves to it for want of S2 is found when the park is over */
    fence_for(self, idle->jec);
}

/* After a timed park it spins as predicted; if that was cut short, and after a sleep, as usual. One that failed is tried
 * once more: a wake for the last wait often comes late. */
static void end_park(struct bz_idle *idle, enum park_result result) {
    bool again = idle->kept;
    idle->announced = false;
    idle->kept = result == STAYED_UP;
    if (idle->kept && again &&
        !bz_competitor_wants_parks()) /* something is there that it may not take: who takes it may need this CPU */
        bz_os_yield();
    if (parks_timed(idle) && result == TIME_OVER) {
        (void)bz_predicted_parked(&idle->predicted, &idle->spin.facts);
        idle->spin.rounds = BZ_POLLS;
        return;
    }
    if (parks_timed(idle) && idle->kept && !again)
        return;
    idle->spin = (struct bz_spin){.rounds = 0};
    idle->woken = result == WOKEN;
}

void bz_sleep_no_work(struct bz_worker *self, struct bz_idle *idle, const struct bz_wait *wait) {
    if (idle->announced) {
        end_park(idle, park(self, idle, wait));
        return;
    }
    idle->woken = false;
    predict(self, idle, wait);
    if (!idle->spin.asked)
        set_facts(self, idle, wait);
    if (parks_timed(idle) || !bz_spin_on(&idle->spin))
        announce(self, idle);
    else
        pause_a_little(idle, wait);
}

void bz_sleep_learn(const struct bz_worker *self, struct bz_idle *idle) {
    struct bz_predicted *predicted = &idle->predicted;
    if (!predicted->history)
        return;
    predicted->over = bz_os_now_ns();
    if (idle->woken)
        bz_predicted_came(predicted, &self->sleeper.woken);
    bz_predicted_learn(predicted);
}
