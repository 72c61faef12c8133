/* How to wait, by the last waits at a call site (waiting.md). */
#ifndef BZ_PREDICTOR_H
#define BZ_PREDICTOR_H

#include <stdbool.h>
#include <stdint.h>

enum {
    BZ_PREDICTOR_WAITS = 16, /* that are remembered of one call site */
    BZ_PREDICTOR_RANGED = 8, /* the last of these give the range of the next wait */
    BZ_PREDICTOR_SITES = 32,
    BZ_PREDICTOR_RECENT = 3, /* waits in a row that agree say what the next one will be... */
    BZ_PREDICTOR_ALIKE = 16, /* ...if they differ by no more than 1/ALIKE */
};

/* The last times in a ring; the first one stands for all until there are more. */
struct bz_times {
    uint32_t next;
    uint32_t ns[BZ_PREDICTOR_WAITS];
};

void bz_times_add(struct bz_times *times, uint64_t ns);

/* The waits at one call site; all zero: nothing is known. */
struct bz_history {
    struct bz_times waited; /* how long the waits took */
    struct bz_times late;   /* how much too late timed parks in them ended by themselves */
};

/* Owner only. Starts as all zero. */
struct bz_predictor {
    const void *sites[BZ_PREDICTOR_SITES];
    uint32_t next; /* to be forgotten for one more */
    struct bz_history histories[BZ_PREDICTOR_SITES];
};

/* In ns from the beginning: park until `park_ns`, spin until `spin_ns`, then sleep. */
struct bz_prediction {
    uint64_t park_ns, spin_ns;
};

/* a - b, or 0 where that is less. */
static inline uint64_t bz_ns_minus(uint64_t a, uint64_t b) {
    return a > b ? a - b : 0;
}

static inline uint64_t bz_ns_least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* The oldest site may be forgotten for it. */
struct bz_history *bz_predictor_history(struct bz_predictor *predictor, const void *site);

/* within_run: the waiter had better spin than be late. */
struct bz_prediction bz_history_predict(const struct bz_history *history, bool within_run);

/* Whether the next wait probably takes longer. */
bool bz_history_outlasts(const struct bz_history *history, uint64_t ns);

#endif
