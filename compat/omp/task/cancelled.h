/* Noticing that a region, a worksharing construct or a taskgroup is cancelled, at cancellation points and barriers.
 * loop/cancel.h does the cancelling; loop/cancel.md has the protocol.
 *
 * Without OMP_CANCELLATION `cancel.on` of the team is false, no task has BOMP_TASK_CANCELLABLE, and nothing here is
 * called.
 *
 * Pairing table (its other sides: loop/cancel.c)
 *   CN1 bomp_cancel_seen, _any_seen             CN2 cancel_region, cancel_construct
 *   CN4 bomp_cancel_gone       CN5 bomp_cancel_go
 * */
#ifndef BOMP_CANCELLED_H
#define BOMP_CANCELLED_H

#include "omp/team/team_data.h"

/* Whether the member's region is cancelled; whether the region or any construct in it is. */
static inline bool bomp_cancel_seen(const struct bomp_member *self) {
    return bz_load_seq_cst(&self->team->cancel.region) != 0; /* CN1: pairs with CN2 */
}
static inline bool bomp_cancel_any_seen(const struct bomp_member *self) {
    return bz_load_seq_cst(&self->team->cancel.construct) != 0 || bomp_cancel_seen(self); /* CN1: likewise */
}

/* Whether the member has noticed that its region is cancelled. Until then it takes part in all constructs. A thread that
 * checks this, or whether the construct is abandoned, once an eventcount (turn.c) counts it, is woken. */
static inline bool bomp_cancel_gone(const struct bomp_member *member) {
    return bz_load_seq_cst(&member->gone) != 0; /* CN4: pairs with CN5 */
}
static inline bool bomp_cancel_gone_num(const struct bomp_team *team, unsigned num) {
    return bomp_cancel_gone(bz_worker_context(bz_team_worker(team->thread_team, num)));
}

/* Whether tasks of this group, or of no group (NULL), that have not begun are discarded. */
static inline bool bomp_cancel_discards(const struct bomp_member *self, const struct bomp_group *group) {
    while (group && !bz_load_relaxed(&group->cancelled)) /* relaxed: a late answer only runs a task more */
        group = group->outer;
    return group || bomp_cancel_seen(self);
}

#endif
