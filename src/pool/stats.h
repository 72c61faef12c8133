/* What workers have counted, summed up for users. */
#ifndef BZ_STATS_H
#define BZ_STATS_H

/* Has the global pool's line printed on standard error when the process exits. */
void bz_stats_print_at_exit(void);

#endif
