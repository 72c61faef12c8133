/* Cancellation: OMP_CANCELLATION=true. A region, the worksharing construct that a member is in, or a taskgroup is asked to
 * end early; threads notice at cancellation points and at barriers, and go on at its end. See loop/cancel.md. Here is what
 * there is to notice; who says so is loop/cancel.h.
 *
 * When it is off, `on` of the team is false, no task has BOMP_TASK_CANCELLABLE, and nothing here is called. */
#ifndef BOMP_STATE_CANCEL_H
#define BOMP_STATE_CANCEL_H

#include <stdbool.h>

#include "runtime.h"

struct bomp_group;
struct bomp_member;
struct bomp_team;

/* What the members of a team share. */
struct bomp_cancel_team {
    bool on;                 /* OMP_CANCELLATION; constant */
    bool special;            /* on, or something observes the team; constant */
    struct bz_a32 region;    /* 1: cancelled. Set by any member, 0 when a region is opened; read by all */
    struct bz_a64 construct; /* place + 1 of the worksharing construct that was cancelled last; as region */
    struct bz_a64
        reduced; /* place behind the barrier of the last reduction; set by each member that comes to that */
    /* All meetings of the region but its end: members leave them when the region is cancelled. */
    struct bz_barrier barrier;
};

/* When `on`: whether the member's region is cancelled; whether that is, or any construct in it was. */
bool bomp_cancel_seen(const struct bomp_member *self);
bool bomp_cancel_any_seen(const struct bomp_member *self);

/* When `on`: whether this member of the team knows that and goes to the end of the region. Until it does it takes part
 * in all constructs. A thread that sleeps on an eventcount (turn.c) and asks this, or whether the construct is
 * abandoned, after it was counted is woken. */
bool bomp_cancel_gone(const struct bomp_member *member);
bool bomp_cancel_gone_num(const struct bomp_team *team, unsigned num);

/* When `on`: whether tasks of this group, or of none (NULL), that have not begun never shall. */
bool bomp_cancel_discards(const struct bomp_member *self, const struct bomp_group *group);

#endif
