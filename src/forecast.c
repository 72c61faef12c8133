#include "forecast.h"

#include "config.h"

struct bz_outlook *bz_forecast_after(struct bz_forecast *forecast, const void *place) {
    for (unsigned i = 0; i < BZ_FORECAST_PLACES; i++)
        if (forecast->places[i] == place)
            return &forecast->outlooks[i];
    unsigned at = forecast->next++ % BZ_FORECAST_PLACES;
    forecast->places[at] = place;
    forecast->outlooks[at] = (struct bz_outlook){0};
    return &forecast->outlooks[at];
}

void bz_outlook_learn(struct bz_outlook *outlook, uint64_t waited_ns, uint64_t late_ns) {
    uint32_t at = outlook->next++ % BZ_FORECAST_WAITS;
    outlook->waited[at] = waited_ns < UINT32_MAX ? (uint32_t)waited_ns : UINT32_MAX;
    outlook->late[at] = late_ns < UINT32_MAX ? (uint32_t)late_ns : UINT32_MAX;
}

/* Least and greatest of the times, but for one outlier each. */
struct range {
    uint64_t low, high;
};

static struct range range_of(const uint32_t *times) {
    uint32_t least = UINT32_MAX, low = UINT32_MAX, high = 0, greatest = 0;
    for (unsigned i = 0; i < BZ_FORECAST_WAITS; i++) {
        uint32_t t = times[i];
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

/* Whether looks of that length would have taken no more than half of the time of the waits. */
static bool takes_half(const struct bz_outlook *outlook, uint64_t look) {
    uint64_t looked = 0, waited = 0;
    for (unsigned i = 0; i < BZ_FORECAST_WAITS; i++) {
        uint64_t t = outlook->waited[i];
        looked += t < look ? t : look;
        waited += t;
    }
    return looked <= waited / 2;
}

/* The length of a look where the waits are irregular: that of the longest one which is short enough; 0: none is. */
static uint64_t look_of_irregular(const struct bz_outlook *outlook, uint64_t most) {
    uint64_t look = 0;
    for (unsigned i = 0; i < BZ_FORECAST_WAITS; i++) {
        uint64_t t = outlook->waited[i];
        if (t > look && t <= most && takes_half(outlook, t))
            look = t;
    }
    return look;
}

struct bz_plan bz_outlook_plan(const struct bz_outlook *outlook, uint64_t look_ns) {
    struct range waited = range_of(outlook->waited);
    uint64_t width = waited.high - waited.low;
    uint64_t margin = 2 * range_of(outlook->late).high + BZ_NAP_MARGIN_NS;
    uint64_t nap = bz_ns_minus(waited.low, width + margin);
    if (nap < BZ_NAP_LEAST_NS)
        nap = 0;
    uint64_t look = waited.high + width + margin;
    uint64_t most = look_ns + waited.low / BZ_NAP_SHARE;
    if (waited.high - nap > most) { /* cannot be told so exactly */
        uint64_t longer = look_of_irregular(outlook, BZ_IRREGULAR_LOOKS * look_ns);
        if (longer > look_ns)
            return (struct bz_plan){0, longer + BZ_NAP_MARGIN_NS};
        return (struct bz_plan){0, waited.low > look_ns ? 0 : look_ns};
    }
    if (nap == 0)
        return (struct bz_plan){0, look < look_ns ? look_ns : look < most ? look : most};
    return (struct bz_plan){nap, look};
}
