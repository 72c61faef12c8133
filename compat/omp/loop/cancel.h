/* Cancellation: requests, and their effect on a member. See cancel.md. */
#ifndef BOMP_CANCEL_H
#define BOMP_CANCEL_H

#include "omp/task/cancelled.h"

/* For a new team; if `on`, before each region, by its primary thread. */
void bomp_cancel_team_init(struct bomp_team *team);
void bomp_cancel_team_open(struct bomp_team *team);

/* The member leaves its cancelled region: it enters no more constructs, and others do not wait for it. Returns true. */
bool bomp_cancel_go(struct bomp_member *self);

/* When `on`: whether the member's worksharing construct is cancelled. */
bool bomp_cancel_construct_signalled(const struct bomp_member *self);

/* When `on`: whether it takes no more of the construct; whether it stops waiting for turns there. */
bool bomp_cancel_construct_seen(const struct bomp_member *self);
bool bomp_cancel_construct_abandoned(const struct bomp_member *self);

#endif
