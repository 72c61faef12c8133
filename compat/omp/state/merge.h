/* Who merges its part of a reduction, and with BLITZ_DETERMINISTIC whose turn it is (loop/merge.h). */
#ifndef BOMP_STATE_MERGE_H
#define BOMP_STATE_MERGE_H

#include "omp/base/tuning.h"
#include "runtime.h"

struct bomp_merge_part;

/* What is known of a combiner, or of nobody (NULL). It is large: its variables are many, and to merge them by atomic
 * instructions takes longer than by the lock. */
struct bomp_merge_known {
    void (*combine)(void *into, void *from);
    bool is_small;
    uint8_t regions; /* in which it was timed, without atomic instructions and with them in turns */
    uint32_t lock_ns, atomic_ns; /* the least times so far */
};

struct bomp_merge_team {
    BZ_ALIGN_LINE struct bz_a32 turn; /* parts merged in this region; raised by the member whose turn it is */
    uint32_t lock; /* owned, of the member that merges alone; changed by any member (sync/lock.h) */
    /* Members that sleep until it is their turn, or others have taken their part; changed by them. */
    struct bz_a32 sleepers;
    BZ_ALIGN_LINE struct bz_a32 eventcount; /* what they sleep on; raised by whoever wakes them */
    /* A part that waits for whoever comes next; NULL: none. Changed by any member. */
    BZ_ALIGN_LINE struct { struct bomp_merge_part *v; } waiting;
    struct bz_a64 gathered; /* reductions whose parts became one; raised by the member that has it then */
    /* By addresses; primary thread, between two regions: constant in each. */
    struct bomp_merge_known known[BOMP_MERGE_KNOWN];
    /* Of the combiner that is timed in this region, NULL: none yet; primary thread. */
    void (*timed)(void *into, void *from);
    bool meets;        /* the members meet after it */
    uint64_t began_ns; /* it is being timed since then; 0: it is not */
    uint64_t least_ns;
};

#endif
