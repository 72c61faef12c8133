/* How the members of a team merge their parts of a reduction. Each member comes to each reduction of its region once.
 *
 * Gathered: a member that has come leaves its part to the next one, or takes the part that has been left and combines it
 * into its own, and goes on with both as one. Whoever has the parts of all merges them, alone. So members combine two by
 * two, as they come; nobody waits while there is a part to take; and whose part was taken goes on.
 *
 * That is only done where all will meet: else a member that need not wait does not wait for others, who may wait for what
 * it does next. Where there is cancellation it is not done at all: a member may jump over the reduction of a cancelled
 * construct.
 *
 * The atomic instructions that the compiler may have made are not used: the program does not say how many there are, one for
 * each element of an array.
 *
 * One at a time: by a lock. Each team has its own: a combiner may open a region with reductions while its thread holds the
 * lock of the team around that. With BLITZ_DETERMINISTIC in the order of their numbers, reduction by reduction, so that what
 * is rounded is rounded in the same way each time. A turn is a number: that of the parts that come before. */
#ifndef BOMP_MERGE_H
#define BOMP_MERGE_H

#include "omp/team/team_data.h"

struct bomp_merge_part;

struct bomp_merge_team {
    BZ_ALIGN_LINE struct bz_a32 turn; /* parts merged in this region; raised by the member whose turn it is */
    uint32_t lock; /* owned, of the member that merges alone; changed by any member (sync/lock.h) */
    /* Members that sleep until it is their turn, or others have taken their part; changed by them. */
    struct bz_a32 sleepers;
    BZ_ALIGN_LINE struct bz_a32 eventcount; /* what they sleep on; raised by whoever wakes them */
    /* A part that waits for whoever comes next; NULL: none. Changed by any member. */
    BZ_ALIGN_LINE struct { struct bomp_merge_part *v; } waiting;
};

/* Whether there is an order. */
bool bomp_merge_is_ordered(void);

/* With the order: at the start of a region, by each member; at its end, by the primary thread. */
void bomp_merge_member_start(struct bomp_member *member);
void bomp_merge_close(struct bomp_team *team);

/* A member's turn, from start to end, if there is an order; else nothing. */
void bomp_merge_start(void);
void bomp_merge_end(void);

/* In the child of a fork: nobody is in a reduction of the team, but one may have been left in the middle. */
void bomp_merge_forget(struct bomp_team *team);

/* Wakes those who wait for their turn: the region, or a construct in it, is cancelled. */
void bomp_merge_notify(struct bomp_team *team);

#endif
