/* The row of constructs that a team has in flight (state/workshare.h): entering one, leaving them at a barrier, and what
 * regions do about them. See workshare.md. */
#ifndef BOMP_WORKSHARE_H
#define BOMP_WORKSHARE_H

#include <stdbool.h>

#include "omp/state/workshare.h"

struct bomp_member;
struct bomp_team;

/* A team begins with zeroed memory. When it goes: no member is in a region. */
void bomp_workshare_team_destroy(struct bomp_team *team);

/* Before a region, by its primary thread: the team's size and ICVs are set. Then, before the members start, perhaps
 * bomp_loop_install or bomp_sections_install. */
void bomp_workshare_team_start(struct bomp_team *team);
/* When a member goes. */
void bomp_workshare_member_destroy(struct bomp_member *member);
/* At the start of a region, by each member, before anything that may meet a barrier or a construct. */
void bomp_workshare_member_start(struct bomp_member *member);

/* Goes on to the shared state of the next construct. Only in a team of several. Cannot fail: without memory it waits
 * for the others. */
struct bomp_workshare *bomp_workshare_enter(struct bomp_member *member, enum bomp_construct kind);

/* A construct that hands nothing out by its count: somebody is there. Relaxed: whoever asks does so behind a barrier. */
static inline void bomp_workshare_mark(struct bomp_workshare *ws) {
    if (bz_load_relaxed(&ws->taken) == 0)
        bz_store_relaxed(&ws->taken, 1);
}

/* A barrier of the team: all leave the constructs before it. False: the region is cancelled; no more constructs may be
 * entered in it, and the barrier may be void. `site`: where in the program. */
bool bomp_workshare_barrier(struct bomp_member *member, const void *site, enum bomp_barrier kind);

/* With BLITZ_DEBUG, by the primary thread at the end of a region, when the members are through: whether all have met the
 * same constructs, static loops and singles included. If not, a line, once. */
void bomp_workshare_check(const struct bomp_team *team);

/* In the child of a fork, of a thread in a region: what is left of the construct that it is in stays with the parent. */
void bomp_workshare_alone(struct bomp_member *member);

/* Cancelled regions: before the next one; and while members may sleep in a construct (ordered.c), to wake them all. */
void bomp_workshare_team_void(struct bomp_team *team);
void bomp_workshare_notify(struct bomp_team *team);

#endif
