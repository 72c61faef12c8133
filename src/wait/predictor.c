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

static void add_time(struct bz_times *times, uint64_t ns) {
    uint32_t t = ns < UINT32_MAX ? (uint32_t)ns : UINT32_MAX;
    unsigned n = times->next == 0 ? BZ_PREDICTOR_WAITS : 1;
    for (unsigned i = 0; i < n; i++)
        times->ns[(times->next + i) % BZ_PREDICTOR_WAITS] = t;
    times->next++;
}

void bz_history_add(struct bz_history *history, uint64_t waited_ns) {
    add_time(&history->waited, waited_ns);
}

void bz_history_add_late(struct bz_history *history, uint64_t late_ns) {
    add_time(&history->late, late_ns);
}

/* Least and greatest of some times. */
struct range {
    uint64_t low, high;
};

/* The last one, the one before it, and so on. */
static uint32_t last(const struct bz_times *times, unsigned i) {
    return times->ns[(times->next - 1 - i) % BZ_PREDICTOR_WAITS];
}

/* Of the last ones, but for one outlier each. */
static struct range range_of(const struct bz_times *times) {
    uint32_t least = UINT32_MAX, low = UINT32_MAX, high = 0, greatest = 0;
    for (unsigned i = 0; i < BZ_PREDICTOR_RANGED; i++) {
        uint32_t t = last(times, i);
        if (t < low)
            low = t < least ? least : t;
        if (t < least)
            least = t;
        if (t > high)
            high = t > greatest ? greatest : t;
        if (t > greatest)
            greatest = t;
    }
    return (struct range){low, high};
}

/* Of the last few. */
static struct range recent_of(const struct bz_times *times) {
    struct range range = {UINT32_MAX, 0};
    for (unsigned i = 0; i < BZ_PREDICTOR_RECENT; i++) {
        uint32_t t = last(times, i);
        range.low = t < range.low ? t : range.low;
        range.high = t > range.high ? t : range.high;
    }
    return range;
}

/* Of the next wait: if the last few agree, what was before them is over. */
static struct range expected(const struct bz_times *waited) {
    struct range recent = recent_of(waited);
    return recent.high - recent.low <= recent.low / BZ_PREDICTOR_ALIKE ? recent : range_of(waited);
}

bool bz_history_outlasts(const struct bz_history *history, uint64_t ns) {
    return expected(&history->waited).low > ns;
}

/* Of the next timed park: the first one is as late as a wake. */
static uint64_t lateness(const struct bz_times *late, uint64_t wake_ns) {
    return late->next == 0 ? wake_ns : range_of(late).high;
}

/* Twice its own cost in CPU time: a shorter park is none. */
static uint64_t least_park(uint64_t wake_ns) {
    return 2 * wake_ns / 5;
}

/* A timed park ends that long before the expected end. */
static uint64_t margin_of(const struct bz_history *history, uint64_t wake_ns) {
    return 2 * lateness(&history->late, wake_ns) + BZ_PARK_MARGIN_NS;
}

/* The cost of a plan in the recorded waits: its spins, and a long one for each wait that it sleeps through. That sleeper's
 * team waits, and its CPU is slower for a while. */
static uint64_t cost_of(const struct bz_history *history, uint64_t wake_ns, struct bz_prediction plan) {
    uint64_t spins_from = plan.park_ns > 0 ? plan.park_ns + lateness(&history->late, wake_ns) : 0, cost = 0;
    for (unsigned i = 0; i < BZ_PREDICTOR_WAITS; i++) {
        uint64_t t = history->waited.ns[i];
        cost += bz_ns_minus(t < plan.spin_ns ? t : plan.spin_ns, spins_from);
        cost += t < plan.park_ns || t > plan.spin_ns ? bz_long_spin(wake_ns) : 0;
    }
    return cost;
}

/* The cheapest plan: `best`, or that park and a spin until the end of one of the waits, if that is after `from`. */
static struct bz_prediction best_plan(const struct bz_history *history, uint64_t wake_ns,
                                      struct bz_prediction best, uint64_t park_ns, uint64_t from) {
    uint64_t least = cost_of(history, wake_ns, best);
    for (unsigned i = 0; i < BZ_PREDICTOR_WAITS; i++) {
        struct bz_prediction plan = {park_ns, (uint64_t)history->waited.ns[i] + BZ_PARK_MARGIN_NS};
        if (plan.spin_ns <= from || plan.spin_ns - park_ns > bz_long_spin(wake_ns))
            continue;
        uint64_t cost = cost_of(history, wake_ns, plan);
        if (cost < least) {
            least = cost;
            best = plan;
        }
    }
    return best;
}

/* The waits cannot be predicted so exactly that spinning would take `most` at the most. */
static struct bz_prediction predict_irregular(const struct bz_history *history, uint64_t wake_ns,
                                              uint64_t low) {
    uint64_t spin_ns = bz_usual_spin(wake_ns);
    struct bz_prediction usual = {0, low > spin_ns ? 0 : spin_ns};
    uint64_t park_ns = bz_ns_minus(low, margin_of(history, wake_ns));
    struct bz_prediction best = best_plan(history, wake_ns, usual, 0, usual.spin_ns);
    return park_ns < least_park(wake_ns) ? best : best_plan(history, wake_ns, best, park_ns, park_ns);
}

/* The same where a worker had better spin than be late. */
static struct bz_prediction predict_within_run(const struct bz_history *history, uint64_t wake_ns,
                                               uint64_t low) {
    uint64_t most = bz_long_spin(wake_ns), park_ns = bz_ns_minus(low, margin_of(history, wake_ns));
    if (low > most)
        return (struct bz_prediction){0, 0};
    if (park_ns < least_park(wake_ns))
        park_ns = 0;
    return (struct bz_prediction){park_ns, park_ns + most};
}

/* The waits take from `low` to `high`, and no spin takes more than `most`. */
static struct bz_prediction predict_regular(const struct bz_history *history, uint64_t wake_ns,
                                            struct range waited, uint64_t most) {
    uint64_t around = waited.high - waited.low + margin_of(history, wake_ns);
    uint64_t park_ns = bz_ns_minus(waited.low, around);
    uint64_t least =
        bz_ns_minus(waited.high, most); /* where timed parks end that late, spinning has its bounds */
    uint64_t end = waited.high + (around < most ? around : most);
    if (park_ns < least)
        park_ns = least;
    if (park_ns >= least_park(wake_ns))
        return (struct bz_prediction){park_ns, end};
    uint64_t usual = bz_usual_spin(wake_ns), longest = most + least_park(wake_ns);
    return (struct bz_prediction){0, end < usual ? usual : end < longest ? end : longest};
}

struct bz_prediction bz_history_predict(const struct bz_history *history, uint64_t wake_ns, bool within_run) {
    struct range waited = expected(&history->waited);
    uint64_t most = bz_usual_spin(wake_ns) + waited.low / BZ_SPIN_SHARE;
    if (within_run && most > bz_long_spin(wake_ns))
        most = bz_long_spin(wake_ns);
    if (2 * (waited.high - waited.low) + BZ_PARK_MARGIN_NS > most)
        return within_run ? predict_within_run(history, wake_ns, waited.low)
                          : predict_irregular(history, wake_ns, waited.low);
    struct bz_prediction plan = predict_regular(history, wake_ns, waited, most);
    return within_run || plan.park_ns > 0 ? plan : best_plan(history, wake_ns, plan, 0, plan.spin_ns);
}
