/* Taskgroups: where they begin and end. What they count is in task.c. */
#include "omp/bomp.h"
#include "omp/state/group.h"
#include "omp/state/team.h"
#include "omp/task/reduction.h"
#include "omp/task/task.h"
#include "omp/task/told.h"
#include "omp/tool/sync.h"

/* ---- where a tool is told ---- */

BZ_COLD static void start_told(struct bomp_member *self, struct bomp_group *group, const void *site) {
    const void *code = bomp_tool_code_or(site);
    if (!self->told.group)
        bomp_tell_sync_region(self, ompt_sync_region_taskgroup, ompt_scope_begin, code);
    self->told.group = false;
    self->current->group = group;
}

BZ_COLD static void wait_told(struct bomp_member *self, struct bomp_group *group, const void *site) {
    const ompt_sync_region_t kind = ompt_sync_region_taskgroup;
    const void *code = bomp_tool_code_or(site);
    bomp_told_enter(self);
    bomp_tell_sync_wait(self, kind, ompt_scope_begin, code);
    uint32_t state = bomp_tool_state(ompt_state_wait_taskgroup);
    if (!bz_tally_untouched(&group->members))
        bomp_task_wait_for(self, &group->members, site);
    bomp_tool_state((ompt_state_t)state);
    bomp_tell_sync_wait(self, kind, ompt_scope_end, code);
    bomp_tell_sync_region(self, kind, ompt_scope_end, code);
    bomp_told_leave(self);
}

/* ---- taskgroups ---- */

void bomp_taskgroup_start(void) {
    struct bomp_member *self = bomp_self();
    struct bomp_group *group = bz_worker_alloc(self->worker, sizeof *group);
    if (!group)
        bz_fatal("out of memory for a taskgroup");
    bomp_taskgroup_init(group, self->current->group, self->worker);
    if (bz_unlikely(self->current->flags & BOMP_TASK_TOOL)) { /* a jump: nothing is kept for it */
        start_told(self, group, BOMP_SITE);
        return;
    }
    self->current->group = group;
}

void bomp_taskgroup_end(void) {
    struct bomp_member *self = bomp_self();
    struct bomp_group *group = self->current->group;
    if (!group) {
        bz_warn("the end of a taskgroup without its start: ignored");
        return;
    }
    if (bz_unlikely(self->current->flags & BOMP_TASK_TOOL))
        wait_told(self, group, BOMP_SITE);
    else if (!bz_tally_untouched(&group->members))
        bomp_task_wait_for(self, &group->members, BOMP_SITE);
    bz_tsan_after(group);
    struct bomp_reduction *reduction = group->reduction;
    self->current->group = group->outer;
    bz_worker_free(self->worker, group);
    if (bz_unlikely(reduction))
        bomp_reduction_group_ended(reduction);
}
