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
    uint8_t long_regions; /* in which each merge took so long that it seems large */
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
    /* Of the combiner that is timed in this region, NULL: none yet; whoever has the lock. */
    void (*timed)(void *into, void *from);
    uint64_t began_ns; /* it is being timed since then; 0: it is not */
    uint64_t least_ns;
};

#endif
