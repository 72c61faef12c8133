/* report.h: a summary as a table for people, or as JSON. */
#ifndef BOMP_STATS_REPORT_H
#define BOMP_STATS_REPORT_H

#include "tools/common/report_file.h"
#include "tools/stats/hints.h"

/* Writes it: to the file, or if that is NULL to standard error. */
void bomp_stats_report(struct bomp_stats_summary *summary, struct bomp_report_file *file);

/* Appends it. False: no memory for its rows. */
bool bomp_stats_report_text(struct bomp_text *text, struct bomp_stats_summary *summary, bool is_json);

/* Whether this value of BLITZ_STATS requests statistics, and the file; *file is NULL for a table. */
bool bomp_stats_asked(const char *value, const char **file);

void bomp_stats_table(struct bomp_text *text, const struct bomp_stats_rows *rows,
                      const struct bomp_stats_hints *hints);
void bomp_stats_json(struct bomp_text *text, const struct bomp_stats_rows *rows,
                     const struct bomp_stats_hints *hints);

/* The name of a state that is a wait, in both forms; by enum bomp_stats_state. NULL: it is not a wait. */
const char *bomp_stats_wait_name(unsigned state);

/* The program's file name without its folder; the whole path in JSON. To be freed by bz_free; may be NULL. */
char *bomp_stats_program(void);

#endif
