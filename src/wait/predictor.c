#include "wait/predictor.h"

#include "wait/policy.h"

struct bz_history *bz_predictor_history(struct bz_predictor *predictor, const void *site) {
    for (unsigned i = 0; i < BZ_PREDICTOR_SITES; i++)
        if (predictor->sites[i] == site)
            return &predictor->histories[i];
    unsigned at = predictor->next++ % BZ_PREDICTOR_SITES;
    predictor->sites[at] = site;
    predictor->histories[at] = (struct bz_history){0};
    return &predictor->histories[at];
}

void bz_times_add(struct bz_times *times, uint64_t ns) {
    uint32_t t = ns < UINT32_MAX ? (uint32_t)ns : UINT32_MAX;
    unsigned n = times->next == 0 ? BZ_PREDICTOR_WAITS : 1;
    for (unsigned i = 0; i < n; i++)
        times->ns[(times->next + i) % BZ_PREDICTOR_WAITS] = t;
    times->next++;
}

struct range {
    uint64_t low, high;
};

/* Of the last `count` times, without the least and the greatest of each kind if there are `outliers`. */
static struct range range_of(const struct bz_times *times, unsigned count, bool outliers) {
    uint32_t least[2] = {UINT32_MAX, UINT32_MAX}, greatest[2] = {0, 0};
    for (unsigned i = 1; i <= count; i++) {
        uint32_t t = times->ns[(times->next - i) % BZ_PREDICTOR_WAITS];
        if (t < least[1])
            least[1] = t < least[0] ? least[0] : t;
        if (t < least[0])
            least[0] = t;
        if (t > greatest[1])
            greatest[1] = t > greatest[0] ? greatest[0] : t;
        if (t > greatest[0])
            greatest[0] = t;
    }
    return (struct range){least[outliers], greatest[outliers]};
}

/* Of the next wait: if the last few agree, what was before them is over. */
static struct range expected(const struct bz_times *waited) {
    struct range recent = range_of(waited, BZ_PREDICTOR_RECENT, false);
    bool agree = recent.high - recent.low <= recent.low / BZ_PREDICTOR_ALIKE;
    return agree ? recent : range_of(waited, BZ_PREDICTOR_RANGED, true);
}

bool bz_history_outlasts(const struct bz_history *history, uint64_t ns) {
    return expected(&history->waited).low > ns;
}

/* Of the next timed park: the first one is expected to be late by the price of a wake. */
static uint64_t lateness(const struct bz_times *late) {
    return late->next == 0 ? bz_usual_spin() / 2 : range_of(late, BZ_PREDICTOR_RANGED, true).high;
}

/* Twice its own cost in CPU time: a shorter park is none. */
static uint64_t least_park(void) {
    return bz_usual_spin() / 5;
}

/* A timed park ends that long before the expected end. */
static uint64_t margin_of(const struct bz_history *history) {
    return 2 * lateness(&history->late) + BZ_PARK_MARGIN_NS;
}

/* The cost of a plan in the recorded waits: its spins, and a long one for each wait that it sleeps through. That sleeper's
 * team waits, and its CPU is slower for a while. */
static uint64_t cost_of(const struct bz_history *history, struct bz_prediction plan) {
    uint64_t spins_from = plan.park_ns > 0 ? plan.park_ns + lateness(&history->late) : 0, cost = 0;
    for (unsigned i = 0; i < BZ_PREDICTOR_WAITS; i++) {
        uint64_t t = history->waited.ns[i];
        cost += bz_ns_minus(t < plan.spin_ns ? t : plan.spin_ns, spins_from);
        cost += t < plan.park_ns || t > plan.spin_ns ? bz_long_spin() : 0;
    }
    return cost;
}

/* The cheapest plan: `best`, or that park and a spin until the end of one of the waits, if that is after `from`. */
static struct bz_prediction best_plan(const struct bz_history *history, struct bz_prediction best,
                                      uint64_t park_ns, uint64_t from) {
    uint64_t least = cost_of(history, best);
    for (unsigned i = 0; i < BZ_PREDICTOR_WAITS; i++) {
        struct bz_prediction plan = {park_ns, (uint64_t)history->waited.ns[i] + BZ_PARK_MARGIN_NS};
        if (plan.spin_ns <= from || plan.spin_ns - park_ns > bz_long_spin())
            continue;
        uint64_t cost = cost_of(history, plan);
        if (cost < least) {
            least = cost;
            best = plan;
        }
    }
    return best;
}

/* The waits cannot be predicted so exactly that spinning would take `most` at the most. */
static struct bz_prediction predict_irregular(const struct bz_history *history, uint64_t low) {
    struct bz_prediction usual = {0, low > bz_usual_spin() ? 0 : bz_usual_spin()};
    uint64_t park_ns = bz_ns_minus(low, margin_of(history));
    struct bz_prediction best = best_plan(history, usual, 0, usual.spin_ns);
    return park_ns < least_park() ? best : best_plan(history, best, park_ns, park_ns);
}

/* The same where a worker had better spin than be late. */
static struct bz_prediction predict_within_run(const struct bz_history *history, uint64_t low) {
    uint64_t park_ns = bz_ns_minus(low, margin_of(history));
    if (low > bz_long_spin())
        return (struct bz_prediction){0, 0};
    if (park_ns < least_park())
        park_ns = 0;
    return (struct bz_prediction){park_ns, park_ns + bz_long_spin()};
}

/* The waits take from `low` to `high`, and no spin takes more than `most`. */
static struct bz_prediction predict_regular(const struct bz_history *history, struct range waited,
                                            uint64_t most) {
    uint64_t around = waited.high - waited.low + margin_of(history);
    uint64_t park_ns = bz_ns_minus(waited.low, around);
    /* Where timed parks end that late, spinning has its bounds. */
    uint64_t least = bz_ns_minus(waited.high, most), longest = most + least_park();
    uint64_t end = waited.high + (around < most ? around : most);
    if (park_ns < least)
        park_ns = least;
    if (park_ns >= least_park())
        return (struct bz_prediction){park_ns, end};
    end = end < bz_usual_spin() ? bz_usual_spin() : end;
    return (struct bz_prediction){0, end < longest ? end : longest};
}

struct bz_prediction bz_history_predict(const struct bz_history *history, bool within_run) {
    struct range waited = expected(&history->waited);
    uint64_t most = bz_usual_spin() + waited.low / BZ_SPIN_SHARE;
    if (within_run && most > bz_long_spin())
        most = bz_long_spin();
    if (2 * (waited.high - waited.low) + BZ_PARK_MARGIN_NS > most)
        return within_run ? predict_within_run(history, waited.low) : predict_irregular(history, waited.low);
    struct bz_prediction plan = predict_regular(history, waited, most);
    return within_run || plan.park_ns > 0 ? plan : best_plan(history, plan, 0, plan.spin_ns);
}
