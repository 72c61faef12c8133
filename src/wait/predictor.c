#include "wait/predictor.h"

#include "wait/tuning.h"

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

/* Of all that are remembered, but for one outlier each. */
static struct range range_of(const struct bz_times *times) {
    uint32_t least = UINT32_MAX, low = UINT32_MAX, high = 0, greatest = 0;
    for (unsigned i = 0; i < BZ_PREDICTOR_WAITS; i++) {
        uint32_t t = times->ns[i];
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
static struct range last_of(const struct bz_times *times) {
    struct range range = {UINT32_MAX, 0};
    for (unsigned i = 1; i <= BZ_PREDICTOR_RECENT; i++) {
        uint32_t t = times->ns[(times->next - i) % BZ_PREDICTOR_WAITS];
        range.low = t < range.low ? t : range.low;
        range.high = t > range.high ? t : range.high;
    }
    return range;
}

/* Within which the next wait is to be expected: if the last few agree, what was before them is over. */
static struct range expected(const struct bz_times *waited) {
    struct range last = last_of(waited);
    return last.high - last.low <= last.low / BZ_PREDICTOR_ALIKE ? last : range_of(waited);
}

/* How late the next timed park is expected to end. */
static uint64_t lateness(const struct bz_times *late) {
    return late->next == 0 ? BZ_PARK_LATE_NS : range_of(late).high;
}

/* Whether spins of that length would have taken no more than half of the time of the waits. */
static bool takes_half(const struct bz_history *history, uint64_t spin) {
    uint64_t spun = 0, waited = 0;
    for (unsigned i = 0; i < BZ_PREDICTOR_WAITS; i++) {
        uint64_t t = history->waited.ns[i];
        spun += t < spin ? t : spin;
        waited += t;
    }
    return spun <= waited / 2;
}

/* The length of a spin where the waits are irregular: that of the longest one which is short enough; 0: none is. */
static uint64_t spin_of_irregular(const struct bz_history *history, uint64_t most) {
    uint64_t spin = 0;
    for (unsigned i = 0; i < BZ_PREDICTOR_WAITS; i++) {
        uint64_t t = history->waited.ns[i];
        if (t > spin && t <= most && takes_half(history, t))
            spin = t;
    }
    return spin;
}

/* How long before the expected end a timed park has to end: how late it may be, and a little. */
static uint64_t margin_of(const struct bz_history *history) {
    return 2 * lateness(&history->late) + BZ_PARK_MARGIN_NS;
}

/* The waits cannot be predicted so exactly that spinning would take `most` at the most. */
static struct bz_prediction predict_irregular(const struct bz_history *history, uint64_t spin_ns,
                                              uint64_t low) {
    uint64_t longer = spin_of_irregular(history, BZ_IRREGULAR_SPINS * spin_ns);
    if (longer > spin_ns)
        return (struct bz_prediction){0, longer + BZ_PARK_MARGIN_NS};
    return (struct bz_prediction){0, low > spin_ns ? 0 : spin_ns};
}

/* The same where a worker had better spin than be late. */
static struct bz_prediction predict_within_run(const struct bz_history *history, uint64_t limit_ns,
                                               uint64_t low) {
    if (low > limit_ns)
        return (struct bz_prediction){0, 0};
    uint64_t park_ns = bz_ns_minus(low, margin_of(history));
    if (park_ns < BZ_PARK_LEAST_NS)
        park_ns = 0;
    return (struct bz_prediction){park_ns, park_ns + limit_ns};
}

struct bz_prediction bz_history_predict(const struct bz_history *history, uint64_t spin_ns,
                                        uint64_t limit_ns) {
    struct range waited = expected(&history->waited);
    uint64_t width = waited.high - waited.low;
    uint64_t most = spin_ns + waited.low / BZ_SPIN_SHARE;
    if (limit_ns > 0 && most > limit_ns)
        most = limit_ns;
    if (2 * width + BZ_PARK_MARGIN_NS > most)
        return limit_ns > 0 ? predict_within_run(history, limit_ns, waited.low)
                            : predict_irregular(history, spin_ns, waited.low);
    uint64_t margin = margin_of(history);
    uint64_t park_ns = bz_ns_minus(waited.low, width + margin);
    uint64_t least =
        bz_ns_minus(waited.high, most); /* where timed parks end that late, spinning has its bounds */
    uint64_t after = width + margin < most ? width + margin : most;
    if (park_ns < least)
        park_ns = least;
    if (park_ns >= BZ_PARK_LEAST_NS)
        return (struct bz_prediction){park_ns, waited.high + after};
    uint64_t spin = waited.high + after, longest = most + BZ_PARK_LEAST_NS;
    return (struct bz_prediction){0, spin < spin_ns ? spin_ns : spin < longest ? spin : longest};
}
