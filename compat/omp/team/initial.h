/* Initial threads: what runs outside of all regions. A thread that comes to OpenMP on its own is one, made at its first
 * call. The body of a target region and each team of a teams region is run as a new one, by the thread that meets the
 * construct: at level 0, with control variables of its own, in a team of one without threads of its own (a root team).
 *
 * Such a body must not meet the tasks of the team around it: its thread is isolated from it (bz_worker_isolate), and what
 * the body queues (detached tasks) and waits for is in a domain of its own. Regions that it opens use the team that the
 * thread has for nested ones, as any other. */
#ifndef BOMP_INITIAL_H
#define BOMP_INITIAL_H

#include <stdbool.h>

#include "omp/icv/icv.h"
#include "omp/team/team_data.h"
#include "runtime.h"

/* The start of an initial thread. */
struct bomp_initial_spec {
    const struct bomp_icv *icv;
    uintptr_t allocator;   /* def-allocator-var */
    unsigned thread_limit; /* thread-limit-var; 0: as icv says */
    unsigned threads;      /* at most, of its regions without a num_threads clause; 0: as in icv */
    unsigned team_num, num_teams;
    bool is_league;           /* it is a team of one */
    struct bomp_team *league; /* as in struct bomp_initial (team_data.h), both */
    struct bomp_tool_region *region;
    /* With a league: called when the team is over, for tools. True: there is no other team for its thread, which
     * waits for the others' threads. */
    bool (*is_last)(const struct bomp_initial_spec *);
    bool has_region;     /* tools see its code as that of a region within (hooks.h, team_begin) */
    const void *code;    /* the program's, which fn runs; NULL: fn is it */
    enum bomp_bind bind; /* how its league goes to the places of its thread; FALSE: each team has all */
    bool all_places;     /* its place partition is the whole list and not its thread's, if that is bound */
};

/* Runs fn(data) on the calling thread as an initial thread. Its changes of control variables are gone afterwards.
 * Cost: the first time on a worker, a few allocations; then that of a region of one thread. */
void bomp_run_initial(void (*fn)(void *), void *data, const struct bomp_initial_spec *spec);

#endif
