#include "sched/sleep.h"

#include "base/hooks.h"
#include "base/probe.h"
#include "env/error.h"
#include "os/os.h"
#include "wait/backoff.h"
#include "wait/fence.h"
#include "wait/load.h"
#include "wait/rival.h"
#include "wait/tuning.h"

/* Whether the next sleep ends before the expected end of the wait. */
static bool parks_timed(const struct bz_idle *idle) {
    return idle->predicted.prediction.park_ns > 0;
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

static void sleep_on_eventcount(void *arg, uint32_t value) {
    const struct bz_worker *self = arg;
    bz_os_futex_wait_as(&bz_domain_eventcount(self->domain, self->index)->v, value,
                        bz_domain_event_bit(self->index));
}

/* Counted as sleeping: sleeps unless the wait is over, until `end` if that is not 0. */
static enum park_result sleep_counted(struct bz_worker *self, const struct bz_wait *wait, uint64_t end) {
    struct bz_core_latch *latch = &self->sleeper.latch;
    bz_fence_seq_cst(); /* S3: pairs with S4: either the waker sees us counted or we see what it did */
    if (bz_wait_over(wait) || (wait->filter.injected && bz_injector_has_jobs(&self->domain->injector)) ||
        bz_worker_pqueue_offers(self, &wait->filter) || !bz_core_latch_fall_asleep(latch)) {
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
                                     .sleep = sleep_on_eventcount,
                                     .word = &bz_domain_eventcount(self->domain, self->index)->v,
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
    uint64_t end = bz_predicted_deadline(&idle->predicted);
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
    unsigned n = bz_crowded() ? 0 : idle->spin.rounds < BZ_SPIN_ROUNDS ? 1 : BZ_SPIN_BACKOFFS;
    for (unsigned i = 0; i < n && !wait->done(wait->arg); i++)
        bz_backoff(1);
}

struct bz_spin bz_spin_for_turn(const struct bz_worker *self) {
    uint64_t ns = self->predictor ? BZ_TURN_SPIN_NS : self->domain->spin_ns;
    return (struct bz_spin){.limit_ns = ns, .crowded_ns = ns};
}

/* With far more threads than CPUs it sleeps at once. */
static bool is_overcrowded(const struct bz_worker *self) {
    return bz_overcrowded(bz_load_relaxed(&self->domain->count)); /* relaxed: a hint */
}

/* How long to spin from the first reading of the clock on. A spell that has lasted until then is predicted. */
static void set_limits(const struct bz_worker *self, struct bz_idle *idle, const struct bz_wait *wait) {
    struct bz_spin *spin = &idle->spin;
    struct bz_predicted *predicted = &idle->predicted;
    uint64_t usual_ns = self->domain->spin_ns;
    /* As it goes to sleep it finds out whether that would be forever. */
    if (bz_unlikely(self->domain->orphaned) && !serves_a_pool(wait) && usual_ns > BZ_SPIN_NS)
        usual_ns = BZ_SPIN_NS;
    if (!predicted->history && wait->site && self->predictor && spin->started != 0) {
        predicted->history = bz_predictor_history(self->predictor, wait->site);
        bz_predicted_begin(predicted, spin->started, self->domain->spin_ns, BZ_LONG_SPIN_NS);
    }
    spin->limit_ns = predicted->history ? predicted->prediction.spin_ns : usual_ns;
    if (idle->sleeps || parks_timed(idle) || (is_overcrowded(self) && usual_ns <= BZ_SPIN_NS))
        spin->limit_ns = 0;
    spin->crowded_ns = spin->limit_ns < usual_ns ? spin->limit_ns : usual_ns;
}

/* A barrier on all threads, by the first of many sleepers: while the JEC stays, all posters since have found it even. */
static void fence_for(struct bz_domain *domain, uint32_t jec) {
    if (bz_load_relaxed(&domain->fenced) == jec) { /* relaxed, both: between fences */
        bz_fence_seq_cst(); /* S2: pairs with S1, by the fence of the worker that stored the JEC */
        return;
    }
    bz_domain_fence_sleeper(domain); /* S2: as in announce */
    bz_store_relaxed(&domain->fenced, jec);
}

static void announce(struct bz_worker *self, struct bz_idle *idle) {
    idle->jec = bz_counters_announce(&self->domain->counters);
    idle->announced = true;
    if (parks_timed(idle) && idle->predicted.prediction.park_ns <= BZ_PARK_LIGHT_NS)
        return; /* what a poster leaves to it for want of S2 is found when the park is over */
    if (bz_unlikely(is_overcrowded(self) || bz_rival_is_here()))
        fence_for(self->domain, idle->jec);
    else /* S2: a poster that missed the announcement has made its job visible */
        bz_domain_fence_sleeper(self->domain);
}

/* After a timed park it spins as predicted; if that was cut short, and after a sleep, as usual. One that failed is
 * tried once more: a wake for the last wait often comes after that was seen to be over. */
static void end_park(const struct bz_worker *self, struct bz_idle *idle, enum park_result result) {
    idle->announced = false;
    if (parks_timed(idle) && result == TIME_OVER) {
        (void)bz_predicted_parked(&idle->predicted);
        idle->spin.rounds = BZ_SPIN_ROUNDS;
        return;
    }
    if (parks_timed(idle) && result == STAYED_UP && !idle->kept) {
        idle->kept = true;
        return;
    }
    idle->spin = (struct bz_spin){0};
    idle->sleeps = false;
    idle->predicted.prediction = (struct bz_prediction){0, self->domain->spin_ns};
    idle->woken = result == WOKEN;
}

/* Something is there, and yet it is not to be had: the thread that is taking it may need this CPU. */
static void yield_if_kept_up(struct bz_idle *idle, enum park_result result) {
    idle->kept_up = result == STAYED_UP ? idle->kept_up + 1 : 0;
    if (idle->kept_up > BZ_KEPT_UP)
        bz_os_yield();
}

void bz_sleep_no_work(struct bz_worker *self, struct bz_idle *idle, const struct bz_wait *wait) {
    if (idle->announced) {
        enum park_result result = park(self, idle, wait);
        end_park(self, idle, result);
        yield_if_kept_up(idle, result);
        return;
    }
    idle->woken = false;
    set_limits(self, idle, wait);
    if (bz_spin_on(&idle->spin))
        pause_a_little(idle, wait);
    else
        announce(self, idle);
}

void bz_sleep_learn(const struct bz_worker *self, struct bz_idle *idle) {
    struct bz_predicted *predicted = &idle->predicted;
    if (!predicted->history)
        return;
    predicted->over = bz_os_now_ns();
    bz_predicted_came(predicted, &self->domain->last_wake);
    if (idle->woken)
        bz_predicted_came(predicted, &self->sleeper.woken);
    bz_predicted_learn(predicted);
}
