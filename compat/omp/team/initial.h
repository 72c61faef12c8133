/* Initial threads run outside of all regions. A thread becomes one at its first call. The thread that meets a target region
 * or a teams region runs its body, or each team, as a new one: at level 0, with its own control variables, in a team of one
 * (a root team).
 *
 * Such a body runs no tasks of the team around it: its thread is isolated (bz_worker_isolate), with a domain for its own
 * tasks. */
#ifndef BOMP_INITIAL_H
#define BOMP_INITIAL_H

#include <stdbool.h>

#include "omp/icv/icv.h"
#include "omp/team/team_data.h"

/* The start of an initial thread. */
struct bomp_initial_spec {
    const struct bomp_icv *icv;
    uintptr_t allocator;   /* def-allocator-var */
    unsigned thread_limit; /* 0: as in icv */
    unsigned threads;      /* limit of its regions without a num_threads clause; 0: as in icv */
    unsigned team_num, num_teams;
    bool is_league;                  /* it is a team of a league */
    struct bomp_team *league;        /* as in struct bomp_initial (team_data.h) */
    struct bomp_tool_region *region; /* likewise */
    /* With a league, for tools: called after the team. True: its thread has no other team, and waits for the other
     * threads. */
    bool (*is_last)(const struct bomp_initial_spec *);
    bool has_region;     /* tools see its code in a region within (hooks.h, team_begin) */
    const void *code;    /* the program's function, which fn runs; NULL: fn is it */
    enum bomp_bind bind; /* how the league uses the places of its thread; FALSE: each team has all */
    bool all_places;     /* if bound: its place partition is the whole list, not its thread's */
};

/* Runs fn(data) on the calling thread as an initial thread. */
void bomp_run_initial(void (*fn)(void *), void *data, const struct bomp_initial_spec *spec);

#endif
