/* stats.h: statistics of a program, as a tool that listens to the events of OMPT. */
#ifndef BOMP_STATS_H
#define BOMP_STATS_H

#include <omp-tools.h>

#include "tools/common/text.h"

/* The tool, if BLITZ_STATS asks for one; NULL: it does not. */
ompt_start_tool_result_t *bomp_stats_tool(void);

/* The table for people as it would be now, for another report. False: no statistics are made, or there is no memory. The
 * text is to be freed in any case. For the thread that writes reports (ending.h). */
bool bomp_stats_now(struct bomp_text *text);

#endif
