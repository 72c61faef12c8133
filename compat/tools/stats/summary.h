/* summary.h: the counts of all threads together, in ns, with what the system says of the process. */
#ifndef BOMP_STATS_SUMMARY_H
#define BOMP_STATS_SUMMARY_H

#include "tools/stats/thread.h"

struct bomp_stats_summary {
    struct bomp_stats_places places[BOMP_STATS_WAITS]; /* times in ns */
    struct bz_a64 waits[BOMP_STATS_STATES][BOMP_WAIT_COUNTS];
    uint64_t wall, cpu; /* of the process, since it began or was forked */
    uint64_t serial;    /* of that, while no thread was in a region */
    uint64_t delayed;   /* that its threads could have run, but others had the CPUs; UINT64_MAX: not known */
    uint64_t throttled; /* that a CPU quota kept its threads, or others of its group, from CPUs */
    unsigned tables;    /* threads that had one at the same time */
    unsigned cpus;      /* that the process may use */
    bool has_any;       /* anything of OpenMP has happened */
};

/* Notes when the process began, for a tool that begins now; or when it was forked. */
void bomp_stats_process_begin(bool is_forked);

/* The calling thread ends: how long it waited for CPUs is added to what others did. */
void bomp_stats_delay_note(void);

/* Sums up all counts; unfinished regions and tasks count as if they ended now. `cpus`: that the process may use. False: out
 * of memory. */
bool bomp_stats_summary_make(struct bomp_stats_summary *summary, uint64_t now, unsigned cpus);
void bomp_stats_summary_free(struct bomp_stats_summary *summary);

/* a / b in thousandths, rounded; 0 if b is 0. */
uint64_t bomp_stats_per_mille(uint64_t a, uint64_t b);

#endif
