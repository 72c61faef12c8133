/* Whose turn it is to merge its part of a reduction, with BLITZ_DETERMINISTIC (loop/merge.h). */
#ifndef BOMP_STATE_MERGE_H
#define BOMP_STATE_MERGE_H

#include "runtime.h"

struct bomp_merge_team {
    BZ_ALIGN_LINE struct bz_a32 turn; /* parts merged in this region; raised by the member whose turn it is */
    struct bz_a32 sleepers;           /* members that sleep until it is their turn; changed by them */
    BZ_ALIGN_LINE struct bz_a32 eventcount; /* what they sleep on; raised by whoever wakes them */
};

#endif
