#include "wait/waiter.h"

#include "os/os.h"
#include "wait/competitor.h"
#include "wait/load.h"

bool bz_waiter_spin(const struct bz_waiter *waiter, struct bz_spin *spin) {
    while (!waiter->done(waiter->arg))
        if (!bz_spin_on(spin))
            return false;
    return true;
}

/* True: the deadline has passed. */
static bool sleep_once(const struct bz_waiter *waiter, uint32_t value, uint64_t deadline_ns) {
    if (deadline_ns == 0 && bz_unlikely(bz_wake_measure(waiter->word, value, waiter->bits)))
        return false;
    if (deadline_ns != 0 || !waiter->sleep)
        return bz_os_futex_wait_until(waiter->word, value, deadline_ns, waiter->bits) != 0;
    waiter->sleep(waiter->arg, value);
    return false;
}

bool bz_waiter_park(const struct bz_waiter *waiter, uint64_t deadline_ns) {
    bool waits = true, late = false;
    uint32_t value;
    if (waiter->count)
        waiter->count(waiter->arg, true);
    while (!late && (waits = waiter->parks(waiter->arg, &value))) {
        bz_competitor_leave();
        bz_awake_add(-1);
        late = sleep_once(waiter, value, deadline_ns);
        bz_awake_add(1);
    }
    if (waiter->count)
        waiter->count(waiter->arg, false);
    return !waits;
}

void bz_predicted_begin(struct bz_predicted *predicted, uint64_t began, struct bz_wait_facts *facts) {
    const struct bz_history *history = predicted->history;
    bool crowded = bz_crowded() || facts->sharing > 1;
    uint64_t most = bz_shared_spin(bz_load_relaxed(&bz_wake_ns), facts->sharing); /* relaxed: a hint */
    predicted->began = predicted->over = began;
    facts->predicts = history && !facts->competitor;
    if (facts->predicts && crowded)
        facts->predicted = (struct bz_prediction){0, bz_history_outlasts(history, most) ? 0 : most};
    else if (facts->predicts)
        facts->predicted = bz_history_predict(history, facts->class > BZ_WAIT_CALL);
}

uint64_t bz_predicted_parked(struct bz_predicted *predicted, struct bz_wait_facts *facts) {
    uint64_t now = bz_os_now_ns();
    predicted->late = bz_ns_minus(now, bz_predicted_deadline(predicted, facts));
    facts->predicted.park_ns = 0;
    return now;
}

void bz_predicted_came(struct bz_predicted *predicted, const struct bz_a64 *hint) {
    uint64_t at = bz_load_relaxed(hint); /* relaxed: a hint; of an earlier event if this one woke no thread */
    if (at > predicted->began && at < predicted->over)
        predicted->over = at;
}

void bz_predicted_learn(const struct bz_predicted *predicted) {
    if (!predicted->history)
        return;
    bz_times_add(&predicted->history->waited, predicted->over - predicted->began);
    if (predicted->late > 0)
        bz_times_add(&predicted->history->late, predicted->late);
}

void bz_waiter_wait(const struct bz_waiter *waiter, struct bz_spin *spin, struct bz_predicted *predicted) {
    uint64_t deadline_ns = bz_predicted_deadline(predicted, &spin->facts);
    bool over = false;
    spin->started = spin->now = predicted->began;
    if (deadline_ns != 0) {
        over = bz_waiter_park(waiter, deadline_ns);
        /* A park that a wake has ended may have been too long as well. */
        spin->now = bz_predicted_parked(predicted, &spin->facts);
    }
    if (!over && bz_waiter_spin(waiter, spin)) {
        predicted->over = spin->now; /* what has come is not kept waiting for a clock */
        return;
    }
    if (!over)
        (void)bz_waiter_park(waiter, 0);
    predicted->over = over ? spin->now : bz_os_now_ns();
}
