/* Sums of the workers' counters. */
#ifndef BZ_STATS_H
#define BZ_STATS_H

#include "blitz.h"

#define BZ_STATS_LINE 256 /* bytes of a line at most */

/* blitz_stats_line of a pool with that many workers. */
int bz_stats_line(blitz_pool *pool, unsigned workers, char *line, size_t size);

/* Prints the global pool's line on standard error when the process exits. */
void bz_stats_print_at_exit(void);

/* Calls fn(line, arg) for each pool (blitz_stats_line), without a lock, for signal handlers: pools that begin or end
 * meanwhile may be missing. fn must not end a pool. */
void bz_stats_each_pool(void (*fn)(const char *line, void *arg), void *arg);

#endif
