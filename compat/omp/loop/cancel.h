/* Cancellation (task/cancelled.h): who says so, and what a member does that has noticed. See cancel.md. */
#ifndef BOMP_CANCEL_H
#define BOMP_CANCEL_H

#include "omp/task/cancelled.h"

/* When a team is made; before a region of it, by its primary thread, when `on`. */
void bomp_cancel_team_init(struct bomp_team *team);
void bomp_cancel_team_open(struct bomp_team *team);

/* The member knows that its region is cancelled. It enters no more constructs, and others do not wait for it there. True. */
bool bomp_cancel_go(struct bomp_member *self);

/* When `on`: whether the worksharing construct that the member is in is cancelled. */
bool bomp_cancel_construct_signalled(const struct bomp_member *self);

/* When `on`: whether the member may take no more of the worksharing construct that it is in; whether nobody may wait for
 * the turn of another one in it any more. */
bool bomp_cancel_construct_seen(const struct bomp_member *self);
bool bomp_cancel_construct_abandoned(const struct bomp_member *self);

#endif
