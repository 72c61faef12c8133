/* Begin and end of taskgroups. task_end.c counts their members. */
#include "omp/task/taskgroup.h"
#include "omp/bomp.h"
#include "omp/task/reduction.h"
#include "omp/team/team_data.h"
#include "omp/tool/hooks.h"

void bomp_taskgroup_start(void) {
    struct bomp_member *self = bomp_self();
    struct bomp_group *group = bz_worker_alloc(self->worker, sizeof *group);
    if (!group)
        bz_fatal("out of memory for a taskgroup");
    bomp_taskgroup_init(group, self->current->group, self->worker);
    if (bz_unlikely(bomp_is_observed(self)))
        bomp_hooks->sync->group_begin(self, bomp_code_or(BOMP_SITE));
    self->current->group = group;
}

void bomp_taskgroup_end(void) {
    struct bomp_member *self = bomp_self();
    struct bomp_group *group = self->current->group;
    if (!group) {
        bz_warn("the end of a taskgroup without its start: ignored");
        return;
    }
    const bool observed = bomp_is_observed(self);
    struct bomp_tool_sync sync;
    if (bz_unlikely(observed)) {
        sync = (struct bomp_tool_sync){
            .kind = ompt_sync_region_taskgroup, .open = true, .code = bomp_code_or(BOMP_SITE)};
        bomp_hooks->sync->begin(self, &sync);
    }
    if (!bz_tally_untouched(&group->members))
        bomp_task_wait_for(self, &group->members, BOMP_SITE);
    if (bz_unlikely(observed))
        bomp_hooks->sync->end(self, &sync);
    bz_tsan_after(group);
    struct bomp_reduction *reduction = group->reduction;
    self->current->group = group->outer;
    bz_worker_free(self->worker, group);
    if (bz_unlikely(reduction))
        bomp_reduction_group_ended(reduction);
}
