/* Tasks with clauses that change when they run or when they are complete: depend, detach, priority.
 *
 * A task that has to wait for others has a node (depend_node.h), which queues it when it may run; or its creator waits,
 * where there are too many (task_policy.c). One that runs at once needs no node: it is complete before its creator makes
 * another. A detached one always has a descriptor of its own, even when its body runs at once: its creator may be the one
 * to fulfill the event. */
#include "omp/bomp.h"
#include "omp/icv/icv.h"
#include "omp/task/agent.h"
#include "omp/task/depend_table.h"
#include "omp/task/event.h"
#include "omp/task/task_inner.h"
#include "omp/task/task_policy.h"
#include "omp/task/task_run.h"
#include "omp/task/tsan.h"
#include "omp/team/team_data.h"
#include "omp/tool/hooks.h"

/* ---- the end ---- */

/* Its body has ended, and its event, if it has one, has come about. */
static void complete(struct bomp_task *task, struct bz_worker *self) {
    if (task->extra->tsan)
        bomp_tsan_complete(task, self);
    if (task->extra->node)
        bomp_node_complete(task->extra->node, self);
    if (task->flags & BOMP_TASK_DETACHED) {
        if (bz_unlikely(task->extra->by == BOMP_BY_HELPERS))
            bomp_node_unref_owed(task->extra->owed, self);
        bomp_task_complete_late(task, self);
    } else {
        bomp_task_complete(task, self);
    }
}

BZ_COLD static void discard_event(struct bomp_task *task, struct bz_worker *self) {
    bomp_event_discard(&task->extra->event);
    if (task->flags & BOMP_TASK_TOOL)
        bomp_hooks->task->discard(bz_worker_context(self), task->extra->head.tool);
}

void bomp_task_end_special(struct bomp_task *task, struct bz_worker *self, bool ran) {
    struct bomp_task_extra *extra = task->extra;
    if (extra->tsan && ran)
        bomp_tsan_end_body(task);
    if (task->flags & BOMP_TASK_DETACHED) {
        bz_tsan_before(&extra->event);
        bomp_task_end_body(task, self);
        if (ran && !bomp_event_body_ended(&extra->event))
            return;
        if (!ran)
            discard_event(task, self);
        bz_tsan_after(&extra->event);
    }
    complete(task, self);
}

/* False: it has been cancelled, and did not run. */
static bool run_body(struct bomp_task *task, struct bz_worker *self) {
    const bool observed = task->flags & BOMP_TASK_TOOL;
    if (bz_unlikely(observed))
        bomp_hooks->task->begin(bz_worker_context(self), task);
    bool ran = bomp_task_body(task, self);
    if (bz_unlikely(observed))
        bomp_hooks->task->end(bz_worker_context(self), task, ran);
    return ran;
}

void bomp_task_run_special(struct bomp_task *task, struct bz_worker *self) {
    if (task->extra->tsan) {
        bomp_tsan_take_turn(bz_worker_context(self));
        bomp_tsan_begin(task);
    }
    bomp_task_end_special(task, self, run_body(task, self));
}

void bomp_task_release_apart(struct bomp_task *task, struct bz_domain *domain, struct bomp_member *self) {
    struct bomp_task_extra *extra = task->extra;
    extra->owed = NULL;
    if (!extra->node)
        return;
    if (extra->tsan)
        bomp_tsan_release(task);
    extra->owed = bomp_node_release(extra->node, domain, self);
    extra->node = NULL;
}

void bomp_task_run_apart(struct bomp_task *task, struct bz_worker *self) {
    struct bomp_task_extra *extra = task->extra;
    task->flags |= BOMP_TASK_DETACHED;
    bz_store_relaxed(&task->refs, 1); /* relaxed: nobody has seen it but who took it */
    if (extra->tsan) {
        bomp_tsan_take_turn(bz_worker_context(self));
        bomp_tsan_begin(task);
    }
    if (run_body(task, self) && extra->tsan)
        bomp_tsan_end_body(task);
    bz_tsan_before(&extra->event);
    bomp_task_end_body(task, self);
}

/* The job of a detached task whose body had ended before its event came about, or had run apart. */
void bomp_task_run_late(struct bz_job *job, struct bz_worker *self) {
    struct bomp_task *task = bz_container_of(job, struct bomp_task, job);
    bz_tsan_after(&task->extra->event);
    complete(task, self);
}

struct bz_pqueue_item *bomp_task_late_item(struct bomp_task *task) {
    struct bz_pqueue_item *item = &task->extra->item;
    task->job.run = bomp_task_run_late;
    item->job = &task->job;
    item->priority = BZ_PQUEUE_TOP; /* it costs next to nothing, and others may wait for it */
    return item;
}

/* What becomes ready by it need not descend from the current task, but would be taken for that in the deque: it goes to the
 * priority queue, where everybody looks at what it is. All are woken, since it may be for one of them only. */
void bomp_task_complete_here(struct bomp_task *task, struct bz_worker *self) {
    int64_t mark = bz_worker_queue_end(self);
    struct bz_job *job;
    bomp_task_run_late(&task->job, self);
    while (bz_worker_queue_end(self) > mark && (job = bz_worker_pop(self))) {
        struct bomp_task *left = bz_container_of(job, struct bomp_task, job);
        left->extra->item.job = job; /* it has one: it had to wait */
        bz_domain_put_from_outside(bz_worker_domain(self), &left->extra->item);
    }
}

/* ---- the start ---- */

static struct bomp_table *need_table(struct bomp_task *parent, struct bz_worker *self) {
    struct bomp_task_extra *extra = bomp_task_extra(parent, self);
    if (extra && !extra->table)
        extra->table = bomp_table_new();
    return extra ? extra->table : NULL;
}

void bomp_task_store_handles(const struct bomp_task_spec *spec, void *handle) {
    for (int i = 0; i < 2; i++)
        if (spec->handles[i])
            *spec->handles[i] = handle;
}

/* ThreadSanitizer and tools. False: no memory. */
BZ_COLD static bool notify_created(struct bomp_member *self, struct bomp_task *task,
                                   const struct bomp_task_spec *spec) {
    if (task->flags & BOMP_TASK_TSAN && !bomp_tsan_record(task, spec, self->current))
        return false;
    if (task->flags & BOMP_TASK_TOOL)
        bomp_hooks->task->create(self, task->extra->head.tool, spec);
    return true;
}

/* Detached, pooled, or for helpers. */
BZ_COLD static void equip_rare(struct bomp_member *self, struct bomp_task *task,
                               const struct bomp_task_spec *spec) {
    struct bomp_task_extra *extra = task->extra;
    if (spec->detach) {
        void *handle = spec->reserved ? NULL : bomp_event_init(&extra->event, task, self->worker);
        if (task->flags & BOMP_TASK_TOOL)
            bomp_event_known(&extra->event, extra->head.tool);
        if (handle)
            bomp_task_store_handles(spec, handle);
        task->flags |= BOMP_TASK_DETACHED;
        bz_store_relaxed(&task->refs, 1); /* relaxed: nobody has seen the task */
    } else {
        extra->by = spec->helped ? BOMP_BY_HELPERS : BOMP_BY_AGENTS;
        bz_store_relaxed(&extra->event.domain, bz_worker_domain(self->worker)); /* relaxed: as refs */
        if (extra->item.priority == 0) /* it goes to the priority queue, where agents look, or to helpers */
            extra->item.priority = 1;
    }
}

bool bomp_task_equip(struct bomp_member *self, struct bomp_task *task, const struct bomp_task_spec *spec) {
    struct bz_worker *worker = self->worker;
    struct bomp_task_extra *extra = bomp_task_extra(task, worker);
    if (!extra || (task->flags & (BOMP_TASK_TSAN | BOMP_TASK_TOOL) && !notify_created(self, task, spec)))
        return false;
    extra->item.priority = bomp_task_priority(spec);
    if (spec->depend.count > 0) {
        struct bomp_table *table = need_table(self->current, worker);
        size_t bytes = sizeof *task + sizeof *extra + spec->size;
        extra->node = table ? bomp_table_enter(table, &spec->depend, worker, bytes) : NULL;
        if (!extra->node)
            return false;
        extra->node->task = task;
        table->detached |= spec->detach | spec->helped;
    }
    if (bz_unlikely(spec->is_rare))
        equip_rare(self, task, spec);
    return true;
}

/* This very thread may have to fulfill the event that it would wait for. */
enum bomp_task_way bomp_task_without_memory(const struct bomp_member *self,
                                            const struct bomp_task_spec *spec) {
    const struct bomp_table *table = spec->depend.count > 0 ? bomp_table_of(self->current) : NULL;
    if (spec->detach || (table && table->detached))
        bomp_no_memory("a task that waits for an event");
    return bomp_task_is_special(spec) ? BOMP_TASK_AWAIT : BOMP_TASK_RUN;
}

/* ---- undeferred ---- */

static bool is_ready(void *arg) {
    struct bomp_node *node = arg;
    return bz_load_acquire(&node->ready); /* P6: pairs with P5 */
}

static bool is_fulfilled(void *arg) {
    return bomp_event_is_fulfilled(arg);
}

static bool is_this(const struct bz_job *job, const void *arg) {
    return job == arg;
}

/* Alone: takes a task that nothing keeps from running, wherever it is queued. */
static bool take(struct bz_worker *worker, const struct bz_job *job) {
    const struct bz_filter filter = {.may_take = is_this, .arg = job};
    return bz_worker_take_out(worker, job) || bz_worker_find_anywhere(worker, &filter);
}

/* Alone, before anything else: what it waits for, depth first. Other tasks may wait for what comes after that. A node on the
 * way there cannot go, since what it waits for is not complete; a join can, and what asked for that asks for its members. */
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

/* Waits for what a task with the list would wait for, as `node`. False: for nothing, and there is no node. */
static bool await_depend(struct bomp_member *self, const struct bomp_depend_list *list, bool runs,
                         struct bomp_node *node) {
    struct bomp_table *table = bomp_table_of(self->current);
    if (!table || !bomp_table_blocks(table, list, self->worker))
        return false;
    if (!bomp_table_await(table, list, self->worker, runs, node))
        bomp_no_memory("the dependences of a task");
    if (!bomp_node_start(node)) {
        if (self->team->size == 1 && !table->detached) /* else other threads complete nodes */
            run_needed(self, node);
        bomp_task_wait_until(self, is_ready, node, "tasks that it depends on");
    }
    return true;
}

/* What it waits for is complete, for ThreadSanitizer. */
static void tsan_depend(struct bomp_member *self, const struct bomp_depend_list *list) {
    struct bomp_table *table = bz_tsan ? bomp_table_of(self->current) : NULL;
    if (table)
        bomp_tsan_depend(table, list);
}

/* The event of an undeferred task: the one that the program knows already, or a new one at this place. */
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

void bomp_task_await_event(struct bomp_member *self, struct bomp_event *event) {
    bomp_task_wait_until(self, is_fulfilled, event, "the event of a detached task");
    bz_tsan_after(event);
    bomp_event_end(event);
}

void bomp_task_run_awaited(struct bomp_member *self, const struct bomp_task_spec *spec) {
    struct bomp_tool_task *tool = bz_unlikely(bomp_is_observed(self)) ? self->tool.creates : NULL;
    struct bomp_node node;
    struct bomp_event own, *event = NULL;
    bool waited = spec->depend.count > 0 && await_depend(self, &spec->depend, true, &node);
    tsan_depend(self, &spec->depend);
    if (spec->detach)
        event = undeferred_event(self, spec, &own, tool);
    self->tool.creates = tool; /* others may have been created meanwhile */
    bomp_task_run_now(self, spec);
    if (event)
        bomp_task_await_event(self, event);
    if (waited)
        bomp_node_complete(&node, self->worker);
}

/* For tools it is a task, which does not run. */
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
    bool waited = await_depend(self, list, false, &node);
    tsan_depend(self, list);
    if (waited)
        bomp_node_complete(&node, self->worker);
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
