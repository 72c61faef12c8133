/* Opening and closing a team for a region, and the start of its members. */
#ifndef BOMP_TEAM_H
#define BOMP_TEAM_H

#include "omp/loop/merge.h"
#include "omp/loop/workshare.h"
#include "omp/team/team_data.h"

/* The memory of a team and of a member, with the parts of other rooms. */
struct bomp_team_memory {
    struct bomp_team team;
    struct bomp_workshare_team ws;
    struct bomp_merge_team merge;
};
struct bomp_member_memory {
    struct bomp_member member;
    struct bomp_workshare_member ws;
};

/* In zeroed memory. */
struct bomp_team *bomp_team_place(struct bomp_team_memory *memory);
struct bomp_member *bomp_member_place(struct bomp_member_memory *memory, struct bomp_team *team,
                                      struct bz_worker *worker, unsigned num);

/* Opens a region of `wanted` threads (0: as the ICVs say), which runs fn(data), inside outer's current task: sets what the
 * members need. copied: if not 0, bytes of the data that they get a copy of. Then the caller begins the scheduler's team. No
 * memory is fatal. */
struct bomp_team *bomp_team_open(struct bomp_member *outer, unsigned wanted, void (*fn)(void *), void *data,
                                 size_t copied);
/* What each member's thread, except the caller's, runs: the start, and fn(data). */
void bomp_team_body(unsigned num, void *team);
/* When it has ended, by the same thread. */
void bomp_team_close(struct bomp_team *team);

/* A region that only the runtime knows: its function, which runs teams of a league as initial threads (teams.c); and the
 * region, on up to `wanted` threads. code: the program's function. */
void bomp_league_run(void *league);
void bomp_team_run_league(struct bomp_member *outer, unsigned wanted, void *league, const void *code);

/* The start of a region for each member, on its own thread. */
void bomp_member_start(struct bomp_member *member);

#endif
