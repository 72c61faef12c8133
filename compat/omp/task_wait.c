/* Waiting inside a task: taskwait, taskyield and taskgroup. A waiting thread runs only descendants of the task that waits
 * (OpenMP 5.0, 2.10.6, task scheduling constraints): from its own deque what lies above the task's floor, from others'
 * what bomp_task_descends finds to be one. */
#include "team.h"

/* Whether the queued task `job` descends from the task `arg`. Called on a job that somebody else may take, run and free
 * at the same time: then the answer is worthless and not used, but every step must be safe. Tasks live in cells, which
 * stay mapped; depths shrink strictly on the way up, so it ends. */
static bool descends(const struct bz_job *job, const void *arg) {
    const struct bomp_task *ancestor = arg;
    const struct bomp_task *task = bz_container_of(job, struct bomp_task, job);
    uint32_t goal = bz_load_relaxed(&ancestor->depth);
    uint32_t depth =
        bz_load_relaxed(&task->depth); /* relaxed, all: made visible with the job (D5), or not used */
    while (depth > goal) {
        task = bz_load_relaxed(&task->parent);
        if (!task)
            return false;
        uint32_t up = bz_load_relaxed(&task->depth);
        if (up >= depth)
            return false;
        depth = up;
    }
    return task == ancestor;
}

static struct bz_filter descendants_of(const struct bomp_task *task) {
    return (struct bz_filter){.floor = task->floor, .may_take = descends, .arg = task};
}

struct tally_wait {
    struct bz_tally *tally;
    bool flagged; /* the tally says that its owner may sleep */
};

static bool is_none(void *arg) {
    struct tally_wait *wait = arg;
    return bz_tally_none(wait->tally);
}

/* Before this worker may sleep: from now on completions wake it. */
static bool flag_waiting(void *arg) {
    struct tally_wait *wait = arg;
    if (!wait->flagged) {
        bz_tally_set_waiting(wait->tally);
        wait->flagged = true;
    }
    return bz_tally_none(wait->tally);
}

static void wait_for(struct bomp_member *self, struct bz_tally *tally) {
    struct tally_wait arg = {tally, false};
    struct bz_wait wait = {
        .done = is_none, .settle = flag_waiting, .arg = &arg, .filter = descendants_of(self->current)};
    bz_worker_wait_until(self->worker, &wait);
    if (arg.flagged)
        bz_tally_clear_waiting(tally);
}

void bomp_taskwait(void) {
    struct bomp_member *self = bomp_self_if_any();
    if (!self || self->current->children.local == 0) /* exact: only the task itself adds children */
        return;
    wait_for(self, &self->current->children);
}

void bomp_taskyield(void) {
    struct bomp_member *self = bomp_self_if_any();
    if (!self || (self->current->flags & BOMP_TASK_STACK)) /* on the stack: it has no queued descendants */
        return;
    struct bz_filter filter = descendants_of(self->current);
    struct bz_job *job = bz_worker_find(self->worker, &filter);
    if (job)
        bz_worker_run(self->worker, job);
}

void bomp_taskgroup_start(void) {
    struct bomp_member *self = bomp_self();
    struct bomp_group *group = bz_cells_alloc(&self->worker->cells, sizeof *group);
    if (!group)
        bz_fatal("out of memory for a taskgroup");
    group->outer = self->current->group;
    group->owner = self->worker;
    bz_tally_init(&group->members);
    self->current->group = group;
}

void bomp_taskgroup_end(void) {
    struct bomp_member *self = bomp_self();
    struct bomp_group *group = self->current->group;
    if (!group) {
        bz_warn("the end of a taskgroup without its start: ignored");
        return;
    }
    if (!bz_tally_none(&group->members))
        wait_for(self, &group->members);
    self->current->group = group->outer;
    bz_cells_free(&self->worker->cells, group);
}
