/* Waits of undeferred tasks and taskwaits for dependences, and of undeferred detached tasks for their event. */
#include "omp/bomp.h"
#include "omp/task/depend_table.h"
#include "omp/task/event.h"
#include "omp/task/task_inner.h"
#include "omp/task/task_policy.h"
#include "omp/task/task_reserve.h"
#include "omp/task/tsan.h"
#include "omp/team/team_data.h"
#include "omp/tool/hooks.h"

static bool is_ready(void *arg) {
    struct bomp_node *node = arg;
    return bz_load_acquire(&node->ready); /* P6: pairs with P5 */
}

static bool is_this(const struct bz_job *job, const void *arg) {
    return job == arg;
}

/* Alone: takes a ready task, wherever it is queued. */
static bool take(struct bz_worker *worker, const struct bz_job *job) {
    const struct bz_filter filter = {.may_take = is_this, .arg = job};
    return bz_worker_take_out(worker, job) || bz_worker_find_anywhere(worker, &filter);
}

/* Alone: runs the predecessors of the node, depth first. Other tasks may wait for what the program does after this
 * wait. A node on the path stays, since its predecessor is not complete. A join may be freed, so its members lead to
 * the node behind it. */
static void run_needed(struct bomp_member *self, struct bomp_node *node) {
    struct bz_worker *worker = self->worker;
    for (struct bomp_node *at = node, *blocker; !is_ready(node);) {
        while ((blocker = bomp_node_blocker(at))) {
            blocker->asks = at->kind == BOMP_NODE_JOIN ? at->asks : at;
            at = blocker;
        }
        if (at == node || bz_worker_has_suspended(worker) || !bomp_task_may_search(worker) ||
            !bz_stack_is_left(worker) || !take(worker, &at->task->job))
            return;
        struct bz_job *job = &at->task->job;
        at = at->asks;
        bz_worker_run(worker, job);
    }
}

/* Waits as a task with the list would, as `node`. False: there is no node, and no need to wait. */
static bool await_depend(struct bomp_member *self, const struct bomp_depend_list *list, bool runs,
                         struct bomp_node *node) {
    struct bomp_table *table = list->count > 0 ? bomp_table_of(self->current) : NULL;
    bool waits = table && !bz_tally_peek_none(&self->current->children);
    if (waits)
        bomp_table_await(table, list, self->worker, runs, node);
    if (waits && !bomp_node_start(node)) {
        if (self->team->size == 1 && !table->detached) /* else other threads complete nodes */
            run_needed(self, node);
        if (!is_ready(node))
            bomp_task_wait_until(self, is_ready, node, "tasks that it depends on");
    }
    if (bz_tsan && (table = bomp_table_of(self->current)))
        bomp_tsan_depend(table, list);
    return waits;
}

/* ---- undeferred tasks ---- */

/* The event of an undeferred task: the one that the program knows already, or `new`. */
static struct bomp_event *undeferred_event(struct bomp_member *self, const struct bomp_task_spec *spec,
                                           struct bomp_event *new, struct bomp_tool_task *tool) {
    struct bomp_event *event = spec->reserved ? &bomp_task_of_reserved(spec->data)->extra->event : new;
    void *handle = spec->reserved ? NULL : bomp_event_init(event, NULL, self->worker);
    if (spec->reserved)
        bomp_event_await(event, self->worker);
    if (tool)
        bomp_event_known(event, tool);
    if (handle)
        bomp_task_store_handles(spec, handle);
    return event;
}

void bomp_task_run_awaited(struct bomp_member *self, const struct bomp_task_spec *spec) {
    struct bomp_tool_task *tool = bz_unlikely(bomp_is_observed(self)) ? self->tool.creates : NULL;
    struct bomp_node node;
    struct bomp_event own, *event = NULL;
    bool waited = await_depend(self, &spec->depend, true, &node);
    if (spec->detach)
        event = undeferred_event(self, spec, &own, tool);
    self->tool.creates = tool; /* tasks may have been created meanwhile */
    bomp_task_run_now(self, spec);
    if (event) {
        bomp_task_wait_until(self, bomp_event_is_fulfilled, event, "the event of a detached task");
        bz_tsan_after(event);
        bomp_event_end(event);
    }
    if (waited)
        bomp_node_end_wait(&node, self->worker);
}

/* ---- taskwait ---- */

BZ_COLD static void observe_wait(struct bomp_member *self, struct bomp_tool_task *tool,
                                 const struct bomp_depend_list *list) {
    const struct bomp_task_spec spec = {
        .depend = *list, .undeferred = true, .observed_as = BOMP_AS_TASKWAIT | BOMP_AS_MERGEABLE};
    bomp_hooks->task->enter(self);
    bomp_hooks->task->create(self, tool, &spec);
}

void bomp_taskwait_depend(const struct bomp_depend_list *list) {
    struct bomp_member *self = bomp_self_if_any();
    struct bomp_tool_task tool;
    struct bomp_node node;
    if (!self)
        return;
    const bool observed = bomp_is_observed(self);
    if (observed)
        observe_wait(self, &tool, list);
    if (await_depend(self, list, false, &node))
        bomp_node_end_wait(&node, self->worker);
    if (observed) {
        bomp_hooks->task->waited(&tool);
        bomp_hooks->task->leave(self);
    }
}

static void nothing(void *arg) {
    (void)arg;
}

void bomp_taskwait_depend_nowait(const struct bomp_depend_list *list) {
    bomp_task_create(&(struct bomp_task_spec){.fn = nothing, .align = 1, .depend = *list});
}
