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

struct bz_plan bz_outlook_plan(const struct bz_outlook *outlook, uint64_t look_ns) {
    struct range waited = range_of(outlook->waited);
    uint64_t width = waited.high - waited.low;
    uint64_t margin = 2 * range_of(outlook->late).high + BZ_NAP_MARGIN_NS;
    uint64_t nap = bz_ns_minus(waited.low, width + margin);
    if (nap < BZ_NAP_LEAST_NS)
        nap = 0;
    uint64_t look = waited.high + width + margin;
    uint64_t most = look_ns + waited.low / BZ_NAP_SHARE;
    if (waited.high - nap > most) /* cannot be told so exactly */
        return (struct bz_plan){0, waited.low > look_ns ? 0 : look_ns};
    if (nap == 0)
        return (struct bz_plan){0, look < look_ns ? look_ns : look < most ? look : most};
    return (struct bz_plan){nap, look};
}
