/* Noticing that a region, a construct or a taskgroup is cancelled.
 *
 * Pairing table (its other sides: loop/cancel.c)
 *   CN1 bomp_cancel_seen, _any_seen             CN2 cancel_region, cancel_construct
 *   CN4 bomp_cancel_gone       CN5 bomp_cancel_go
 */
#include "omp/state/cancel.h"

#include "omp/state/group.h"
#include "omp/state/team.h"

bool bomp_cancel_seen(const struct bomp_member *self) {
    return bz_load_seq_cst(&self->team->cancel.region) != 0; /* CN1: pairs with CN2 */
}

bool bomp_cancel_any_seen(const struct bomp_member *self) {
    return bz_load_seq_cst(&self->team->cancel.construct) != 0 || bomp_cancel_seen(self); /* CN1: likewise */
}

bool bomp_cancel_gone(const struct bomp_member *member) {
    return bz_load_seq_cst(&member->gone) != 0; /* CN4: pairs with CN5 */
}

bool bomp_cancel_gone_num(const struct bomp_team *team, unsigned num) {
    return bomp_cancel_gone(bz_worker_context(bz_team_worker(team->thread_team, num)));
}

static bool group_seen(const struct bomp_group *group) {
    while (group && !bz_load_relaxed(&group->cancelled)) /* relaxed: there is only less to do */
        group = group->outer;
    return group;
}

bool bomp_cancel_discards(const struct bomp_member *self, const struct bomp_group *group) {
    return bomp_cancel_seen(self) || group_seen(group);
}
