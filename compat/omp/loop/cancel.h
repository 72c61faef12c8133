/* Cancellation: requests, and what a member does that sees one (task/cancelled.h). See cancel.md. */
#ifndef BOMP_CANCEL_H
#define BOMP_CANCEL_H

#include "omp/task/cancelled.h"

/* When a team is made; and by its primary thread, if `on`, before each region. */
void bomp_cancel_team_init(struct bomp_team *team);
void bomp_cancel_team_open(struct bomp_team *team);

/* The member has seen that its region is cancelled: it enters no more constructs, and others do not wait for it there.
 * Returns true. */
bool bomp_cancel_go(struct bomp_member *self);

/* When `on`: whether the worksharing construct that the member is in is cancelled. */
bool bomp_cancel_construct_signalled(const struct bomp_member *self);

/* When `on`: whether the member takes no more of the worksharing construct that it is in; whether turns in it are not waited
 * for any more. */
bool bomp_cancel_construct_seen(const struct bomp_member *self);
bool bomp_cancel_construct_abandoned(const struct bomp_member *self);

#endif
