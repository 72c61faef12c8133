/* Who merges its part of a reduction, and with BLITZ_DETERMINISTIC whose turn it is (loop/merge.h). */
#ifndef BOMP_STATE_MERGE_H
#define BOMP_STATE_MERGE_H

#include "runtime.h"

struct bomp_merge_part;

struct bomp_merge_team {
    BZ_ALIGN_LINE struct bz_a32 turn; /* parts merged in this region; raised by the member whose turn it is */
    uint32_t lock; /* owned, of the member that merges alone; changed by any member (sync/lock.h) */
    /* Members that sleep until it is their turn, or others have taken their part; changed by them. */
    struct bz_a32 sleepers;
    BZ_ALIGN_LINE struct bz_a32 eventcount; /* what they sleep on; raised by whoever wakes them */
    /* A part that waits for whoever comes next; NULL: none. Changed by any member. */
    BZ_ALIGN_LINE struct { struct bomp_merge_part *v; } waiting;
    struct bz_a64 gathered; /* reductions whose parts became one; raised by the member that has it then */
};

#endif
