/* What workers have counted, summed up for users. */
#ifndef BZ_STATS_H
#define BZ_STATS_H

#include "blitz.h"

#define BZ_STATS_LINE 256 /* bytes that a line needs at the most */

/* blitz_stats_line of a pool with that many workers. */
int bz_stats_line(blitz_pool *pool, unsigned workers, char *line, size_t size);

/* Has the global pool's line printed on standard error when the process exits. */
void bz_stats_print_at_exit(void);

/* Calls fn(line, arg) with what blitz_stats_line says of each pool, for a report at the end of the process, perhaps in a
 * signal handler: without a lock. A pool must not end meanwhile. */
void bz_stats_each_pool(void (*fn)(const char *line, void *arg), void *arg);

#endif
