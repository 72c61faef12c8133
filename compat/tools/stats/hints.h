/* hints.h: advice from the figures. compat/tools/README.md lists the thresholds. */
#ifndef BOMP_STATS_HINTS_H
#define BOMP_STATS_HINTS_H

#include "tools/common/text.h"
#include "tools/stats/rows.h"

#define BOMP_HINTS_MAX 16 /* of the places with the most time */

struct bomp_stats_hints {
    unsigned count;
    struct bomp_stats_hint {
        const char *about; /* a word for programs that read it: "imbalance", "fine_tasks", ... */
        struct bomp_text text;
    } hint[BOMP_HINTS_MAX];
};

void bomp_stats_hints_make(struct bomp_stats_hints *hints, const struct bomp_stats_rows *rows);
void bomp_stats_hints_free(struct bomp_stats_hints *hints);

/* A time for people: "80 ns", "2.31 us", "1.20 s". */
void bomp_stats_print_time(struct bomp_text *text, uint64_t ns);

#endif
