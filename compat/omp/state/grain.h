/* A member's batches of tasks that run at once for being fine (task/grain.h). */
#ifndef BOMP_STATE_GRAIN_H
#define BOMP_STATE_GRAIN_H

#include <stdint.h>

/* Owner only. */
struct bomp_grain_batch {
    uint32_t left;    /* tasks in this one; at least 1 */
    uint32_t skip;    /* tasks to be queued before the next one */
    uint32_t penalty; /* that many when the next one takes too long */
    uint32_t strikes; /* grows with every one that took long, by less with others */
    uint64_t since;   /* when this one began, in nanoseconds; 0: none has */
};

#endif
