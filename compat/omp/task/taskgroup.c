/* Taskgroups: where they begin and end. What they count is in task.c. */
#include "omp/bomp.h"
#include "omp/state/group.h"
#include "omp/state/team.h"
#include "omp/task/reduction.h"
#include "omp/task/task.h"

void bomp_taskgroup_start(void) {
    struct bomp_member *self = bomp_self();
    struct bomp_group *group = bz_worker_alloc(self->worker, sizeof *group);
    if (!group)
        bz_fatal("out of memory for a taskgroup");
    bomp_taskgroup_init(group, self->current->group, self->worker);
    self->current->group = group;
}

void bomp_taskgroup_end(void) {
    struct bomp_member *self = bomp_self();
    struct bomp_group *group = self->current->group;
    if (!group) {
        bz_warn("the end of a taskgroup without its start: ignored");
        return;
    }
    if (!bz_tally_untouched(&group->members))
        bomp_task_wait_for(self, &group->members, BOMP_SITE);
    bz_tsan_after(group);
    struct bomp_reduction *reduction = group->reduction;
    self->current->group = group->outer;
    bz_worker_free(self->worker, group);
    if (bz_unlikely(reduction))
        bomp_reduction_group_ended(reduction);
}
