#include "sched/sleep.h"

#include "base/config.h"
#include "env/error.h"
#include "env/options.h"
#include "os/os.h"
#include "os/topology.h"
#include "wait/backoff.h"
#include "wait/fence.h"

/* Both hints, any thread writes. */
static struct {
    BZ_ALIGN_LINE struct bz_a32 awake; /* changed by every thread that parks or wakes, and by each region */
    /* Hardly ever written; every thread that waits asks whether it is crowded again and again. */
    BZ_ALIGN_LINE struct bz_aflag crowded; /* what follows from `awake` and `cpus`, see judge */
    struct bz_a32 cpus;                    /* affinity count, 0 until first asked */
} threads;

static struct bz_a64 spin_ns = {BZ_SPIN_AUTO}; /* set at start-up, read when domains are made */

/* After the change of either number, or a fence: of two who change one each, one sees what the other has changed. */
static bool outnumber_cpus(uint32_t count) {
    uint32_t cpus = bz_load_seq_cst(&threads.cpus); /* A4: pairs with A3 */
    return (int32_t)count > (int32_t)(bz_likely(cpus != 0) ? cpus : bz_cpu_count());
}

/* After a change of either number, with what is true by then. Of two who come here at the same time, either the one who
 * writes sees what the other one has changed, or that one sees what was written. */
static void judge(bool now) {
    while (bz_load_seq_cst(&threads.crowded) != now) { /* A2: pairs with A3 */
        bz_store_relaxed(&threads.crowded, now);
        bz_fence_seq_cst(); /* A3: pairs with A1, A2 and A4 */
        now = outnumber_cpus(bz_load_relaxed(&threads.awake));
    }
}

void bz_awake_add(int delta) {
    uint32_t count =
        bz_fetch_add_seq_cst(&threads.awake, (uint32_t)delta) + (uint32_t)delta; /* A1: pairs with A3 */
    judge(outnumber_cpus(count));
}

void bz_awake_reset(uint32_t count) {
    bz_store_relaxed(&threads.awake, count); /* relaxed, both: the only thread */
    /* Nothing that allocates after a fork: whoever has never asked for the CPUs has found nothing crowded. */
    if (bz_load_relaxed(&threads.cpus) != 0)
        judge(outnumber_cpus(count));
}

void bz_set_spin_ns(uint64_t ns) {
    bz_store_relaxed(&spin_ns, ns);
}

uint64_t bz_spin_ns(void) {
    return bz_spin_adapts() ? BZ_SPIN_NS : bz_load_relaxed(&spin_ns);
}

bool bz_spin_adapts(void) {
    return bz_load_relaxed(&spin_ns) == BZ_SPIN_AUTO;
}

void bz_set_cpus(uint32_t n) {
    bz_store_relaxed(&threads.cpus, n);
    bz_fence_seq_cst(); /* A3: pairs with A1, A2 and A4 */
    judge(outnumber_cpus(bz_load_relaxed(&threads.awake)));
}

uint32_t bz_cpu_count(void) {
    uint32_t n = bz_load_relaxed(&threads.cpus);
    if (bz_unlikely(n == 0)) {
        uint32_t none = 0;
        n = bz_topology_affinity_count();
        if (!bz_cas_relaxed(&threads.cpus, &none, n)) /* relaxed: the number alone counts */
            n = none;                                 /* somebody has set it meanwhile */
    }
    return n;
}

bool bz_crowded(void) {
    return bz_load_relaxed(&threads.crowded); /* relaxed: a hint */
}

bool bz_cpus_left(void) {
    return (int32_t)bz_load_relaxed(&threads.awake) < (int32_t)bz_cpu_count();
}

/* Whether the next sleep is to end before the expected end of the wait. */
static bool parks_timed(const struct bz_idle *idle) {
    return idle->prediction.park_ns > 0;
}

/* It is not for something that has been begun: its thread serves a pool, as its own or a lent one. */
static bool serves_a_pool(const struct bz_wait *wait) {
    return wait->filter.injected;
}

/* How a park ended. */
enum park_result { STAYED_UP, WOKEN, TIME_OVER };

/* Counted as sleeping: sleeps on the latch unless what it waits for has come meanwhile; no longer than until `end`, if that
 * is not 0. */
static enum park_result sleep_counted(struct bz_worker *self, const struct bz_wait *wait, uint64_t end) {
    struct bz_core_latch *latch = &self->latch;
    enum park_result result = WOKEN;
    bz_fence_seq_cst(); /* S3: pairs with S4: either the waker sees us counted or we see what it did */
    if (bz_wait_over(wait) || (wait->filter.injected && bz_injector_has_jobs(&self->domain->injector)) ||
        bz_worker_pqueue_offers(self, &wait->filter) || !bz_core_latch_fall_asleep(latch)) {
        bz_counters_sub_sleeping(&self->domain->counters); /* a waker subtracts only whom it found SLEEPING */
        return STAYED_UP;
    }
    if (bz_unlikely(self->domain->orphaned) && !serves_a_pool(wait) && bz_os_thread_count() == 1)
        bz_fatal(
            "a process that was forked inside a region or a job waits for what a thread of its parent was "
            "to do");
    bz_store_relaxed(&self->stats.parks, self->stats.parks.v + 1); /* relaxed: single writer, statistics */
    bz_awake_add(-1);
    while (bz_load_acquire(&latch->state) == BZ_LATCH_SLEEPING) { /* L3: pairs with L4 */
        if (end == 0) {
            bz_os_futex_wait(&latch->state.v, BZ_LATCH_SLEEPING);
        } else if (bz_os_futex_wait_until(&latch->state.v, BZ_LATCH_SLEEPING, end)) {
            bz_worker_wake(self); /* its time is over: it wakes itself, as anybody else would */
            result = TIME_OVER;
        }
    }
    bz_awake_add(1);
    return result;
}

/* Sleeps on the worker's latch unless work was posted since idle->jec, the latch was set, or the wait is over. A worker that
 * may run only some jobs does not count as one that looks, or posters would rely on it: it counts as inactive from here,
 * and serves those who relied on it while it woke up as it stops. */
static enum park_result park(struct bz_worker *self, const struct bz_idle *idle, const struct bz_wait *wait) {
    struct bz_domain *domain = self->domain;
    bool filtered = self->filtered.v;
    if (!bz_core_latch_get_sleepy(&self->latch) ||
        !bz_counters_try_sleep(&domain->counters, idle->jec, !filtered)) {
        bz_core_latch_reset(&self->latch);
        return STAYED_UP;
    }
    enum park_result result = sleep_counted(
        self, wait, parks_timed(idle) ? idle->began + idle->prediction.park_ns : wait->deadline_ns);
    bz_core_latch_reset(&self->latch);
    if (filtered)
        bz_domain_stop_looking(domain, self);
    return result;
}

/* Between two looks: longer later on, so that lookers leave the victims' cache lines alone. */
static void pause_a_little(const struct bz_idle *idle, const struct bz_wait *wait) {
    unsigned n = bz_crowded() ? 0 : idle->rounds < BZ_SPIN_ROUNDS ? 1 : BZ_SPIN_BACKOFFS;
    for (unsigned i = 0; i < n && !wait->done(wait->arg); i++)
        bz_backoff(1);
}

bool bz_hand_over(void) {
    uint64_t before = bz_os_now_ns();
    bz_os_yield();
    uint64_t away = bz_os_now_ns() - before;
    return away >= BZ_SWITCH_NS && away < BZ_SPIN_NS;
}

/* Until somebody who was woken may have come. */
static bool keeps_cpu(struct bz_idle *idle, uint64_t limit_ns) {
    uint64_t now = bz_os_now_ns();
    if (idle->started == 0)
        idle->started = now;
    return now - idle->started < (limit_ns < BZ_WAKE_NS ? limit_ns : BZ_WAKE_NS);
}

/* Whether to yield after that many looks in vain. */
static bool yield_is_due(struct bz_idle *idle, uint64_t limit_ns) {
    unsigned first = idle->spin_policy == BZ_YIELD_EARLY ? BZ_YIELD_EARLY_ROUNDS : BZ_SPIN_ROUNDS;
    if (idle->rounds < first || (idle->rounds - first) % BZ_YIELD_ROUNDS != 0)
        return false;
    return idle->spin_policy != BZ_YIELD_LATE || !keeps_cpu(idle, limit_ns);
}

bool bz_spin_on(struct bz_idle *idle, uint64_t limit_ns) {
    idle->rounds++;
    idle->handed_over = false;
    if (limit_ns == 0)
        return false;
    /* Whoever we wait for may need this CPU: we do not see what else the machine runs. */
    if (bz_crowded())
        bz_os_yield();
    else if (yield_is_due(idle, limit_ns))
        idle->handed_over = bz_hand_over();
    else
        return true;
    uint64_t now = bz_os_now_ns();
    if (idle->started == 0)
        idle->started = now;
    return now - idle->started < limit_ns;
}

bool bz_spin_no_yield(struct bz_idle *idle, uint64_t limit_ns) {
    idle->rounds++;
    if (limit_ns == 0)
        return false;
    if (!bz_idle_asks(idle))
        return true;
    uint64_t now = bz_os_now_ns();
    if (idle->started == 0)
        idle->started = now;
    return now - idle->started < limit_ns;
}

uint64_t bz_spin_ns_for_turn(const struct bz_worker *self) {
    return self->predictor && !bz_crowded() ? BZ_TURN_SPIN_NS : self->domain->spin_ns;
}

/* A spell that has lasted until the clock was read is predicted from then on. */
static void predict(const struct bz_worker *self, struct bz_idle *idle, const void *site) {
    uint64_t usual = self->domain->spin_ns;
    idle->began = idle->started;
    idle->history = bz_predictor_history(self->predictor, site);
    idle->prediction = (struct bz_prediction){0, usual};
    if (!bz_crowded())
        idle->prediction = bz_history_predict(idle->history, usual, BZ_RUN_SPIN_NS);
}

/* How long to spin from idle->started on. */
static uint64_t spin_limit(const struct bz_worker *self, struct bz_idle *idle, const struct bz_wait *wait) {
    uint64_t usual = self->domain->spin_ns;
    if (idle->sleeps)
        return 0;
    /* As it goes to sleep it finds out whether that would be forever. */
    if (bz_unlikely(self->domain->orphaned) && !serves_a_pool(wait) && usual > BZ_SPIN_NS)
        usual = BZ_SPIN_NS;
    if (!idle->history && wait->site && self->predictor && idle->started != 0)
        predict(self, idle, wait->site);
    if (!idle->history)
        return usual;
    if (parks_timed(idle))
        return 0;
    return bz_crowded() && idle->prediction.spin_ns > usual ? usual : idle->prediction.spin_ns;
}

static void announce(struct bz_worker *self, struct bz_idle *idle) {
    idle->jec = bz_counters_announce(&self->domain->counters);
    idle->announced = true;
    if (parks_timed(idle) && idle->prediction.park_ns <= BZ_PARK_LIGHT_NS)
        return;       /* what a poster leaves to it for want of S2 is found when the park is over */
    bz_fence_heavy(); /* S2: pairs with S1: a poster that missed the announcement has made its job visible */
}

/* After a timed park it spins as predicted; if that was cut short, and after a sleep, as usual. One that failed is
 * tried once more: a wake for the last wait often comes after that was seen to be over. */
static void end_park(const struct bz_worker *self, struct bz_idle *idle, enum park_result result) {
    idle->announced = false;
    if (parks_timed(idle) && result == TIME_OVER) {
        bz_history_add_late(idle->history,
                            bz_ns_minus(bz_os_now_ns(), idle->began + idle->prediction.park_ns));
        idle->prediction.park_ns = 0;
        idle->rounds = BZ_SPIN_ROUNDS;
        return;
    }
    if (parks_timed(idle) && result == STAYED_UP && !idle->kept) {
        idle->kept = true;
        return;
    }
    idle->rounds = 0;
    idle->started = 0;
    idle->sleeps = idle->handed_over = false;
    idle->spin_policy = BZ_YIELD_USUAL;
    idle->prediction = (struct bz_prediction){0, self->domain->spin_ns};
    idle->woken = result == WOKEN;
}

/* Something is there, and yet it is not to be had: by whom it is being taken, that thread may need this CPU. */
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
    if (bz_spin_on(idle, spin_limit(self, idle, wait)))
        pause_a_little(idle, wait);
    else
        announce(self, idle);
}

/* What came at `hint`, if that is of this spell, else at `over`. */
static uint64_t sooner(const struct bz_idle *idle, const struct bz_a64 *hint, uint64_t over) {
    uint64_t at = bz_load_relaxed(hint); /* relaxed: a hint */
    return at > idle->began && at < over ? at : over;
}

/* Whoever was asleep does not take its way out of that for a part of the wait, or it would be as late the next time. */
void bz_sleep_learn(const struct bz_worker *self, const struct bz_idle *idle) {
    if (!idle->history)
        return;
    uint64_t over = sooner(idle, &self->domain->last_wake, bz_os_now_ns());
    if (idle->woken)
        over = sooner(idle, &self->woken, over);
    bz_history_add(idle->history, over - idle->began);
}
