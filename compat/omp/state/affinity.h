/* What a region does about the places of its threads (team/affinity.h). */
#ifndef BOMP_STATE_AFFINITY_H
#define BOMP_STATE_AFFINITY_H

#include <stdbool.h>
#include <stdint.h>

#include "omp/affinity/place_assignment.h"
#include "runtime.h"

/* In its team, set when it is opened. */
struct bomp_team_affinity {
    uint8_t policy; /* enum bomp_bind; FALSE: members have no assignments */
    bool show;      /* members say where they are */
    /* Of the last region that was shown; with size and assignment of its primary thread. */
    uint8_t shown_policy;
    unsigned shown_size;                /* 0: none was */
    struct bomp_place_assignment shown; /* see above */
    struct bz_a32 turn;                 /* the member that says its line next */
};

#endif
