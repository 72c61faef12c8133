/* How the members of a team merge their parts of a reduction. Each member comes to each reduction of its region once.
 *
 * Gathered: a member leaves its part to the next one that comes, or takes a part that was left, combines it into its own,
 * and continues with both as one. So members combine two by two, and a member waits only when there is no part to take. The
 * one that has the parts of all merges them, alone. This is done only before a barrier, since elsewhere others may wait for
 * what this member does next, and not with cancellation, since a member may jump over the reduction of a cancelled
 * construct. Atomic instructions that the compiler offers are not used: an array needs one for each element.
 *
 * One at a time: by a lock of the team, since a combiner may open a region with reductions while its thread holds the lock
 * of the team around that. With BLITZ_DETERMINISTIC in the order of numbers, reduction by reduction, so that rounding is the
 * same each time. Then a turn is the number of parts that come before. */
#ifndef BOMP_MERGE_H
#define BOMP_MERGE_H

#include "omp/team/team_data.h"

struct bomp_merge_part;

struct bomp_merge_team {
    BZ_ALIGN_LINE struct bz_a32 turn; /* parts merged in this region; raised by the member whose turn it is */
    uint32_t lock; /* owned, of the member that merges alone; changed by any member (sync/lock.h) */
    /* Members that sleep until their turn, or until their part is taken; changed by them. */
    struct bz_a32 sleepers;
    BZ_ALIGN_LINE struct bz_a32 eventcount; /* they sleep on it; raised by wakers */
    /* A part left to the next member; NULL: none. Changed by any member. */
    BZ_ALIGN_LINE struct { struct bomp_merge_part *v; } waiting;
};

/* Whether members merge in order. */
bool bomp_merge_is_ordered(void);

/* With the order: at the start of a region, by each member; at its end, by the primary thread. */
void bomp_merge_member_start(struct bomp_member *member);
void bomp_merge_close(struct bomp_team *team);

/* Around what a member merges: with an order, waits for the member's turn and passes it on. */
void bomp_merge_start(void);
void bomp_merge_end(void);

/* In the child of a fork: no member is in a reduction of the team, but one may have been left in the middle. */
void bomp_merge_forget(struct bomp_team *team);

/* Wakes members that wait for their turn: the region, or a construct in it, is cancelled. */
void bomp_merge_notify(struct bomp_team *team);

#endif
