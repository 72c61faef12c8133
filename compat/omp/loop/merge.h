/* How the members of a team merge their parts of a reduction.
 *
 * Gathered: a member leaves its part to the next one, or combines a part that was left into its own and continues with
 * both. The member with all parts merges them alone. Only before a barrier: elsewhere others may wait for what this member
 * does next. Not with cancellation: a member may jump over a reduction.
 *
 * One at a time: by a lock of the team, since a combiner may open a region with reductions. With BLITZ_DETERMINISTIC in the
 * order of numbers; a turn is the number of parts before. */
#ifndef BOMP_MERGE_H
#define BOMP_MERGE_H

#include "omp/team/team_data.h"

struct bomp_merge_part;

struct bomp_merge_team {
    BZ_ALIGN_LINE struct bz_a32 turn; /* parts merged in this region; raised by the member whose turn it is */
    uint32_t lock;                    /* an owned lock: of the member that merges alone */
    struct bz_a32 sleepers; /* that wait for their turn, or for their part to be taken; each counts itself */
    BZ_ALIGN_LINE struct bz_a32 eventcount; /* raised by wakers */
    /* A part left to the next member; NULL: none. Changed by any member. */
    BZ_ALIGN_LINE struct { struct bomp_merge_part *v; } waiting;
};

/* Whether members merge in order. */
bool bomp_merge_is_ordered(void);

/* With the order: by the primary thread at the end of a region. */
void bomp_merge_close(struct bomp_team *team);

/* Around a merge: with an order, waits for the turn and passes it on. */
void bomp_merge_start(void);
void bomp_merge_end(void);

/* In the child of a fork: a reduction may have been left in the middle. */
void bomp_merge_forget(struct bomp_team *team);

/* Wakes members that wait for their turn, or for their part to be taken. */
void bomp_merge_notify(struct bomp_merge_team *merge);

#endif
