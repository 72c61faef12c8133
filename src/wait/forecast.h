/* A forecast: from how long the last waits after a piece of code took, when the next one will be over, and how to wait
 * for that. No clock and no thread in here: whoever waits says how it went. The reasons are in forecast.md. */
#ifndef BZ_FORECAST_H
#define BZ_FORECAST_H

#include <stdbool.h>
#include <stdint.h>

enum {
    BZ_FORECAST_WAITS = 8, /* that are remembered of one place */
    BZ_FORECAST_PLACES = 32,
    BZ_FORECAST_RECENT = 3, /* waits in a row that agree say what the next one will be... */
    BZ_FORECAST_ALIKE = 16, /* ...if they differ by no more than one part in so many */
};

/* The last times of one kind, in ns, in a ring; the first one stands for all until there are more. */
struct bz_times {
    uint32_t next; /* slot for the next one */
    uint32_t ns[BZ_FORECAST_WAITS];
};

/* What is known of the waits that follow one place in the program; all zero: nothing. */
struct bz_outlook {
    struct bz_times waited; /* how long the waits took */
    struct bz_times late;   /* how much too late naps in them ended */
};

/* Owner only. Starts as all zero. */
struct bz_forecast {
    const void *places[BZ_FORECAST_PLACES];
    uint32_t next; /* to be forgotten for one more place */
    struct bz_outlook outlooks[BZ_FORECAST_PLACES];
};

/* How to wait, in ns from the beginning: sleep until `nap` (0: not at all), look until `look` (less than `nap`: not at
 * all), then sleep until woken. */
struct bz_plan {
    uint64_t nap, look;
};

/* a - b, or 0 where that is less. */
static inline uint64_t bz_ns_minus(uint64_t a, uint64_t b) {
    return a > b ? a - b : 0;
}

/* The outlook for the wait after `place`. That of the place that has been known for longest may be forgotten for it. */
struct bz_outlook *bz_forecast_after(struct bz_forecast *forecast, const void *place);

/* How to wait this time. look_ns: how long looking in vain costs as much as being woken. limit_ns: how long to
 * look at the most, also where the waits are irregular; 0: no longer than that saves CPU time. */
struct bz_plan bz_outlook_plan(const struct bz_outlook *outlook, uint64_t look_ns, uint64_t limit_ns);

/* A wait is over: how long it took. */
void bz_outlook_learn(struct bz_outlook *outlook, uint64_t waited_ns);

/* A nap is over, so much too late. Not for one that a start has ended before its time, which says nothing. */
void bz_outlook_learn_late(struct bz_outlook *outlook, uint64_t late_ns);

#endif
