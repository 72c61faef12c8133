/* Running and ending queued tasks. A task with an extra part (struct bomp_task_extra) has more steps. A detached one ends
 * twice: its body, its event. */
#include "omp/task/cancelled.h"
#include "omp/task/depend_table.h"
#include "omp/task/event.h"
#include "omp/task/task_inner.h"
#include "omp/task/task_run.h"
#include "omp/task/taskgroup.h"
#include "omp/task/tsan.h"
#include "omp/team/team_data.h"
#include "omp/tool/hooks.h"

/* ---- any task ---- */

/* Drops a reference to a task that runs or has ended before its children. A freed task drops its reference to its parent.
 * The count is of further references: the last dropper finds 0. */
static void drop(struct bomp_task *task, struct bz_worker *self) {
    /* H1: pairs with H1, H2 (what others did with the task) */
    while (bz_fetch_sub_acq_rel(&task->refs, 1) == 0) {
        struct bomp_task *parent = bz_load_relaxed(&task->parent); /* relaxed: constant since its creation */
        task_free(task, self);
        task = parent;
    }
}

void bomp_task_child_elsewhere(struct bomp_task *parent, struct bz_worker *owner, struct bz_worker *self) {
    switch (bz_tally_sub_shared(&parent->children)) {
    case BZ_TALLY_WAKE:
        bz_worker_wake(owner);
        break;
    case BZ_TALLY_RELEASE:
        drop(parent, self);
        break;
    case BZ_TALLY_COUNTED:
        break;
    }
}

static void group_leave(struct bomp_group *group, struct bz_worker *self) {
    struct bz_worker *owner = group->owner; /* read first: the last member's end may free the group */
    if (owner == self)
        bz_tally_sub(&group->members);
    else if (bz_tally_sub_shared(&group->members) == BZ_TALLY_WAKE)
        bz_worker_wake(owner);
}

void bomp_task_end_before_children(struct bomp_task *task, struct bz_worker *self) {
    struct bomp_task *parent = bz_load_relaxed(&task->parent); /* relaxed: constant since its creation */
    bz_store_relaxed(&task->owner, NULL);                      /* relaxed: T4 publishes it to the children */
    bz_fetch_add_relaxed(&parent->refs, 1); /* relaxed: dropped after H1 has seen this task go */
    if (bz_tally_end(&task->children))
        drop(task, self);
}

bool bomp_task_begins(struct bomp_task *task, const struct bomp_member *member) {
    const uint32_t phase = task->flags & BOMP_TASK_PHASE;
    if (phase == BOMP_TASK_COPIED || !bomp_cancel_discards(member, task->group))
        return true;
    if (phase == BOMP_TASK_CLEANS) {
        bomp_task_set_phase(task, BOMP_TASK_DISCARDED);
        task->fn(task->data);
    }
    return false;
}

/* False: the task was cancelled, and did not run. */
BZ_INLINE bool run_plain_body(struct bomp_task *task, struct bz_worker *self) {
    struct bomp_member *member = bz_worker_context(self);
    struct bomp_group *group = task->group;
    if (bz_likely(!group || !group->merges))
        return task_body_alone(task, member, self);
    bomp_reduction_task_begins(group, member);
    bool runs = task_body_alone(task, member, self);
    bomp_reduction_task_ended(group, member);
    return runs;
}

void bomp_task_complete(struct bomp_task *task, struct bz_worker *self) {
    struct bomp_task *parent = bz_load_relaxed(&task->parent); /* relaxed: constant since its creation */
    struct bomp_group *group = task->group;
    task_end(task, self);
    if (bz_unlikely(group))
        group_leave(group, self);
    task_child_complete(parent, self);
    bz_worker_end(self);
}

void bomp_task_run_small(struct bz_job *job, struct bz_worker *self) {
    struct bomp_member *member = bz_worker_context(self);
    task_run_small(bz_container_of(job, struct bomp_task, job), member, member->current, false, self);
}

/* ---- with an extra part ---- */

/* The body has ended, and the event, if there is one, is fulfilled. */
BZ_INLINE void complete(struct bomp_task *task, struct bz_worker *self) {
    struct bomp_task_extra *extra = task->extra;
    if (extra->tsan)
        bomp_tsan_complete(task, self);
    if (task->flags & BOMP_TASK_HAS_NODE && extra->helped) /* bomp_task_release_apart */
        bomp_node_unref_owed(extra->node.owed, self);
    else if (task->flags & BOMP_TASK_HAS_NODE)
        bomp_node_complete(&extra->node, self);
    if (!extra->detached) {
        bomp_task_complete(task, self);
        return;
    }
    if (task->group)
        group_leave(task->group, self);
    task_child_complete(bz_load_relaxed(&task->parent), self); /* relaxed: constant since its creation */
    drop(task, self);
    bz_worker_end(self);
}

BZ_COLD static void discard_event(struct bomp_task *task, struct bz_worker *self) {
    bomp_event_discard(&task->extra->event);
    if (task->flags & BOMP_TASK_TOOL)
        bomp_hooks->task->discard(bz_worker_context(self), task->extra->tool);
}

void bomp_task_end_special(struct bomp_task *task, struct bz_worker *self, bool ran) {
    struct bomp_task_extra *extra = task->extra;
    if (extra->tsan && ran)
        bomp_tsan_end_body(task);
    if (extra->detached) {
        bz_tsan_before(&extra->event);
        task_end(task, self); /* it stays: it has one reference more */
        if (ran && !bomp_event_body_ended(&extra->event))
            return;
        if (!ran)
            discard_event(task, self);
        bz_tsan_after(&extra->event);
    }
    complete(task, self);
}

/* The same for a task with an extra part. */
BZ_INLINE bool run_body(struct bomp_task *task, struct bz_worker *self) {
    const bool observed = task->flags & BOMP_TASK_TOOL;
    if (task->extra->tsan) {
        bomp_tsan_take_turn(bz_worker_context(self));
        bomp_tsan_begin(task);
    }
    if (bz_unlikely(observed))
        bomp_hooks->task->begin(bz_worker_context(self), task);
    bool ran = run_plain_body(task, self);
    if (bz_unlikely(observed))
        bomp_hooks->task->end(bz_worker_context(self), task, ran);
    return ran;
}

void bomp_task_run_queued(struct bz_job *job, struct bz_worker *self) {
    struct bomp_task *task = bz_container_of(job, struct bomp_task, job);
    if (bz_unlikely(bomp_task_has_extra(task))) {
        bomp_task_end_special(task, self, run_body(task, self));
        return;
    }
    run_plain_body(task, self);
    if (task->flags & BOMP_TASK_HAS_NODE)
        bomp_node_complete(&task->extra->node, self);
    bomp_task_complete(task, self);
}

/* ---- elsewhere ---- */

void bomp_task_release_apart(struct bomp_task *task, struct bz_domain *domain, struct bomp_member *self) {
    struct bomp_task_extra *extra = task->extra;
    if (!(task->flags & BOMP_TASK_HAS_NODE))
        return;
    if (extra->tsan)
        bomp_tsan_release(task);
    bomp_node_release(&extra->node, domain, self);
}

void bomp_task_run_apart(struct bomp_task *task, struct bz_worker *self) {
    struct bomp_task_extra *extra = task->extra;
    extra->detached = true;
    bz_store_relaxed(&task->refs, 1); /* relaxed: the thread that took it is the only one that knows it */
    if (run_body(task, self) && extra->tsan)
        bomp_tsan_end_body(task);
    bz_tsan_before(&extra->event);
    task_end(task, self);
}

static void run_late(struct bz_job *job, struct bz_worker *self) {
    struct bomp_task *task = bz_container_of(job, struct bomp_task, job);
    bz_tsan_after(&task->extra->event);
    complete(task, self);
}

struct bz_pqueue_item *bomp_task_late_item(struct bomp_task *task) {
    struct bz_pqueue_item *item = &task->extra->item;
    task->job.run = run_late;
    item->job = &task->job;
    item->priority = BZ_PQUEUE_TOP; /* it costs next to nothing, and others may wait for it */
    return item;
}

/* In this deque the successors would pass for descendants of the current task. So they go to the priority queue, where
 * threads check descent. That wakes all threads: perhaps only one may run a successor. */
void bomp_task_complete_here(struct bomp_task *task, struct bz_worker *self) {
    int64_t mark = bz_worker_queue_end(self);
    struct bz_job *job;
    run_late(&task->job, self);
    while (bz_worker_queue_end(self) > mark && (job = bz_worker_pop(self))) {
        struct bomp_task *left = bz_container_of(job, struct bomp_task, job);
        struct bz_pqueue_item *item =
            &bomp_task_extra(left, self)->item; /* it had to wait, so it has a node */
        item->job = job;
        bz_domain_put_from_outside(bz_worker_domain(self), item);
    }
}

static bool is_late(const struct bz_job *job, const void *unused) {
    (void)unused;
    return job->run == run_late;
}

void bomp_task_complete_late(struct bz_worker *self) {
    struct bz_job *job;
    while ((job = bz_domain_take_put(bz_worker_domain(self), is_late)))
        bomp_task_complete_here(bz_container_of(job, struct bomp_task, job), self);
}
