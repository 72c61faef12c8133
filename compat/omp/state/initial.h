/* What is known of an initial thread in the regions below it (team/initial.h). */
#ifndef BOMP_STATE_INITIAL_H
#define BOMP_STATE_INITIAL_H

#include <stdbool.h>

#include "runtime.h"

struct bomp_team;
struct bomp_tool_region;

/* What all teams below an initial thread have in common. */
struct bomp_initial {
    /* Threads at work in its contention group, itself included; exact where regions have a thread limit. Changed by the
     * threads that open and end such regions. */
    struct bz_a32 busy;
    /* Its number in its league of teams, and their number. Changed by itself, between regions. */
    unsigned team_num, num_teams;
    struct bomp_team *league;        /* whose members run its league's teams at the same time; NULL: none */
    struct bomp_tool_region *region; /* its league's, if it is observed; else NULL */
    bool inside;                     /* a region of more than one thread is around it */
    bool helps; /* it runs tasks for helpers (task/helper.h), or is below one that does; constant */
};

#endif
