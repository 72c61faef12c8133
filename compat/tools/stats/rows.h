/* rows.h: the places of a summary, sorted by time, with their names. */
#ifndef BOMP_STATS_ROWS_H
#define BOMP_STATS_ROWS_H

#include "tools/stats/summary.h"

#define BOMP_ROW_NAME 200

struct bomp_stats_row {
    struct bomp_stats_place *place;
    uint64_t weight;
    char name[BOMP_ROW_NAME]; /* of a critical construct or variable; else its source line */
    char site[BOMP_ROW_NAME]; /* of a mutex: where it was first acquired */
};

struct bomp_stats_rows {
    const struct bomp_stats_summary *summary;
    struct bomp_stats_row *row[BOMP_STATS_WAITS]; /* by kind; those with counts */
    unsigned count[BOMP_STATS_WAITS];
};

/* Merges places with the same name. False: no memory. */
bool bomp_stats_rows_make(struct bomp_stats_rows *rows, struct bomp_stats_summary *summary);
void bomp_stats_rows_free(struct bomp_stats_rows *rows);

/* Whether nested regions have most of the time of a region's threads: its busy time and imbalance are unknown then. */
bool bomp_stats_is_outer(const struct bomp_stats_row *region);

/* One of a row's counts: BOMP_REGION_CALLS and so on. */
static inline uint64_t bomp_count_of(const struct bomp_stats_row *row, unsigned count) {
    return row->place->counts[count].v;
}

#endif
