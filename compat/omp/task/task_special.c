/* Tasks with clauses that change when they run or when they are complete: depend, detach, priority.
 *
 * A task that has to wait for others has a node (depend_node.h), which queues it when it may run; or its creator waits,
 * where that is short (grain.h) or there are too many. One that need not wait
 * runs at once where that is as good, and then it is complete before there is anybody who could wait for it. A detached one
 * always has a descriptor of its own, even when its body runs at once: its creator may be the one to fulfill the event. */
#include "omp/bomp.h"
#include "omp/icv/icv.h"
#include "omp/state/team.h"
#include "omp/task/depend_table.h"
#include "omp/task/event.h"
#include "omp/task/grain.h"
#include "omp/task/task_inner.h"
#include "omp/task/task_policy.h"
#include "omp/task/tsan.h"

/* ---- the end ---- */

/* The job of a task with a node or an event. */
static void run_special(struct bz_job *job, struct bz_worker *self) {
    struct bomp_task *task = bz_container_of(job, struct bomp_task, job);
    struct bomp_task_extra *extra = task->extra;
    if (extra->tsan)
        bomp_tsan_begin(task);
    bool ran = task->flags & BOMP_TASK_TIMED ? bomp_grain_body(task, self, BOMP_GRAIN_DEPEND_NS)
                                             : bomp_task_body(task, self);
    if (extra->tsan && ran)
        bomp_tsan_end_body(task);
    bz_tsan_before(&extra->event);
    if (task->flags & BOMP_TASK_DETACHED) {
        bomp_task_end_body(task, self);
        if (ran && !bomp_event_body_ended(&extra->event))
            return;
        if (!ran)
            bomp_event_discard(&extra->event);
    }
    bz_tsan_after(&extra->event);
    if (bomp_task_has_extra(task) && extra->tsan)
        bomp_tsan_complete(task, self);
    if (extra->node)
        bomp_node_complete(extra->node, self);
    if (task->flags & BOMP_TASK_DETACHED)
        bomp_task_complete_late(task, self);
    else
        bomp_task_complete(task, self);
}

/* The job of a detached task whose body had ended before its event came about. */
static void run_late(struct bz_job *job, struct bz_worker *self) {
    struct bomp_task *task = bz_container_of(job, struct bomp_task, job);
    bz_tsan_after(&task->extra->event);
    if (task->extra->tsan)
        bomp_tsan_complete(task, self);
    if (task->extra->node)
        bomp_node_complete(task->extra->node, self);
    bomp_task_complete_late(task, self);
}

struct bz_pqueue_item *bomp_task_late_item(struct bomp_task *task) {
    struct bz_pqueue_item *item = &task->extra->item;
    task->job.run = run_late;
    item->job = &task->job;
    item->priority = BZ_PQUEUE_TOP; /* it costs next to nothing, and others may wait for it */
    return item;
}

/* What becomes ready by it need not descend from the current task, but would be taken for that in the deque: it goes to the
 * priority queue, where everybody looks at what it is. All are woken, since it may be for one of them only. */
void bomp_task_complete_here(struct bomp_task *task, struct bz_worker *self) {
    int64_t mark = bz_worker_queue_end(self);
    struct bz_job *job;
    run_late(&task->job, self);
    while (bz_worker_queue_end(self) > mark && (job = bz_worker_pop(self))) {
        struct bomp_task *left = bz_container_of(job, struct bomp_task, job);
        left->extra->item.job = job; /* it has one: it had to wait */
        bz_domain_put_from_outside(bz_worker_domain(self), &left->extra->item);
    }
}

/* ---- the start ---- */

void bomp_task_ready(struct bomp_task *task, struct bz_worker *self) {
    struct bomp_task_extra *extra = bomp_task_has_extra(task);
    if (!extra || extra->item.priority == 0 ||
        bz_domain_put_count(bz_worker_domain(self)) >= BOMP_PQUEUE_MAX) {
        bomp_task_queue(self, task);
        return;
    }
    extra->item.job = &task->job;
    bz_domain_put(bz_worker_domain(self), self, &extra->item);
}

/* What the children of a task depend on; NULL: nothing. */
static struct bomp_table *table_of(const struct bomp_task *parent) {
    const struct bomp_task_extra *extra = bomp_task_has_extra(parent);
    return extra ? extra->table : NULL;
}

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

/* Gives a new task what its clauses need. `coarse`: it waits for such. False: no memory. */
static bool equip(struct bomp_member *self, struct bomp_task *task, const struct bomp_task_spec *spec,
                  uint32_t priority, bool coarse) {
    struct bz_worker *worker = self->worker;
    struct bomp_task_extra *extra = bomp_task_extra(task, worker);
    if (!extra)
        return false;
    extra->item.priority = priority;
    if (spec->depend.count > 0) {
        struct bomp_table *table = need_table(self->current, worker);
        size_t bytes = sizeof *task + sizeof *extra + spec->size;
        coarse |= !bomp_grain_is_fine(spec->fn);
        extra->node = table ? bomp_table_enter(table, &spec->depend, worker, bytes, coarse) : NULL;
        if (!extra->node)
            return false;
        extra->node->task = task;
        table->detached |= spec->detach;
        task->job.run = run_special;
    }
    if (spec->detach) {
        bomp_task_store_handles(spec, bomp_event_init(&extra->event, task, worker));
        task->flags |= BOMP_TASK_DETACHED;
        bz_store_relaxed(&task->refs, 1); /* relaxed: nobody has seen the task */
        task->job.run = run_special;
    }
    return true;
}

/* Defers the task, which `blocks`, or runs its body `now`; it may be complete only later. False: no memory, nothing has
 * happened. */
static bool defer(struct bomp_member *self, const struct bomp_task_spec *spec, uint32_t priority,
                  enum bomp_blocks blocks, bool now) {
    struct bz_worker *worker = self->worker;
    bool tsan = self->current->flags & BOMP_TASK_TSAN;
    struct bomp_task *task = tsan ? bomp_tsan_prepare(self, spec) : bomp_task_prepare(self, spec);
    if (!task)
        return false;
    if (!equip(self, task, spec, priority, blocks == BOMP_BLOCKS)) {
        bomp_task_discard(task, worker);
        return false;
    }
    bomp_task_fill(self, task, spec);
    if (tsan)
        bomp_tsan_created(task, spec->depend.count > 0 ? table_of(self->current) : NULL);
    if (bomp_task_is_timed(self, spec->fn))
        task->flags |= BOMP_TASK_TIMED;
    bomp_task_begin(self, task);
    struct bomp_node *node = task->extra->node;
    if (node && !bomp_node_start(node))
        return true; /* it may be gone by now */
    if (now)
        task->job.run(&task->job, worker);
    else
        bomp_task_ready(task, worker);
    return true;
}

/* ---- undeferred ---- */

static bool is_ready(void *arg) {
    struct bomp_node *node = arg;
    return bz_load_acquire(&node->ready); /* P6: pairs with P5 */
}

static bool is_fulfilled(void *arg) {
    return bomp_event_is_fulfilled(arg);
}

/* What the current task waits for, as `node`. */
struct need {
    const struct bomp_task *parent;
    const struct bomp_node *node;
};

/* A child of another task may be needed by a wait further out, below which this one runs: it is left for that. */
static bool is_needed(const struct bz_job *job, const void *arg) {
    const struct need *need = arg;
    const struct bomp_task *task = bz_container_of(job, struct bomp_task, job);
    return job->run == run_special && task->extra->node &&
           bz_load_relaxed(&task->parent) == need->parent && /* relaxed: alone */
           bomp_node_leads_to(task->extra->node, need->node);
}

/* Alone, before anything else: what it waits for. Other tasks may wait for what comes after that. */
static void run_needed(struct bomp_member *self, struct bomp_node *node) {
    struct bz_worker *worker = self->worker;
    const struct need need = {self->current, node};
    const struct bz_filter filter = {.may_take = is_needed, .arg = &need, .oldest = true};
    struct bz_job *job;
    while (!is_ready(node) && !bz_worker_has_suspended(worker) && bomp_task_may_search(worker) &&
           bz_stack_is_left(worker) && (job = bz_worker_find_anywhere(worker, &filter)))
        bz_worker_run(worker, job);
}

/* Waits for what a task with the list would wait for, as `node`. False: for nothing, and there is no node. */
static bool await_depend(struct bomp_member *self, const struct bomp_depend_list *list, bool runs,
                         struct bomp_node *node) {
    struct bomp_table *table = table_of(self->current);
    if (!table || !bomp_table_blocks(table, list, self->worker))
        return false;
    if (!bomp_table_await(table, list, self->worker, runs, node))
        bomp_no_memory("the dependences of a task");
    if (!bomp_node_start(node)) {
        if (self->team->size == 1)
            run_needed(self, node);
        bomp_task_wait_until(self, is_ready, node);
    }
    return true;
}

/* What it waits for is complete: so ThreadSanitizer is told. */
static void tsan_depend(struct bomp_member *self, const struct bomp_depend_list *list) {
    struct bomp_table *table = bz_tsan ? table_of(self->current) : NULL;
    if (table)
        bomp_tsan_depend(table, list);
}

/* In place: after its predecessors, and until its event has come about. */
static void run_undeferred(struct bomp_member *self, const struct bomp_task_spec *spec) {
    struct bomp_node node;
    struct bomp_event event;
    bool waited = spec->depend.count > 0 && await_depend(self, &spec->depend, true, &node);
    tsan_depend(self, &spec->depend);
    if (spec->detach)
        bomp_task_store_handles(spec, bomp_event_init(&event, NULL, self->worker));
    bomp_task_run_undeferred(self, spec);
    if (spec->detach) {
        bomp_task_wait_until(self, is_fulfilled, &event);
        bz_tsan_after(&event);
        bomp_event_end(&event);
    }
    if (waited)
        bomp_node_complete(&node, self->worker);
}

void bomp_taskwait_depend(const struct bomp_depend_list *list) {
    struct bomp_member *self = bomp_self_if_any();
    struct bomp_node node;
    if (!self)
        return;
    bool waited = await_depend(self, list, false, &node);
    tsan_depend(self, list);
    if (waited)
        bomp_node_complete(&node, self->worker);
}

static void nothing(void *arg) {
    (void)arg;
}

void bomp_taskwait_depend_nowait(const struct bomp_depend_list *list) {
    bomp_task_create(&(struct bomp_task_spec){.fn = nothing, .align = 1, .depend = *list});
}

/* ---- creation ---- */

static uint32_t priority_of(const struct bomp_task_spec *spec) {
    int32_t most = bomp_global()->max_task_priority;
    int32_t priority = spec->priority < most ? spec->priority : most;
    return priority > 0 ? (uint32_t)priority : 0;
}

/* Whether the children that wait for others are as many, or take as much memory, as they may. A parent with detached ones
 * does not wait for them: it may have to go on before they can be complete. */
static bool is_full(const struct bomp_member *self) {
    const struct bomp_table *table = table_of(self->current);
    uint64_t children = (uint64_t)bz_tally_count(&self->current->children);
    if (!table || table->tasks == 0 || table->detached)
        return false;
    return children * (table->bytes / table->tasks) > BOMP_DEPEND_BYTES ||
           (bomp_task_is_alone(self) && children >= BOMP_QUEUE_ALONE);
}

void bomp_task_create_special(struct bomp_member *self, const struct bomp_task_spec *spec, bool at_once) {
    struct bomp_task *parent = self->current;
    uint32_t priority = priority_of(spec);
    if (priority > 0 && !bomp_task_never_queued(self))
        at_once = bz_domain_put_count(bz_worker_domain(self->worker)) >= BOMP_PQUEUE_MAX &&
                  bz_stack_is_left(self->worker);
    else if (!at_once && bomp_task_is_alone(self) && spec->depend.count > 0)
        at_once = bomp_task_enough_depend_alone(self) && bz_stack_is_left(self->worker);
    if (spec->undeferred || (parent->flags & (BOMP_TASK_FINAL | BOMP_TASK_COPYING))) {
        run_undeferred(self, spec);
        return;
    }
    struct bomp_table *table = spec->depend.count > 0 ? table_of(parent) : NULL;
    enum bomp_blocks blocks = table ? bomp_table_blocks(table, &spec->depend, self->worker) : BOMP_BLOCKS_NOT;
    bool now = at_once && !blocks;
    bool waits = at_once && (blocks == BOMP_BLOCKS_BRIEFLY || (blocks && bomp_task_is_alone(self))) &&
                 !spec->detach && !table->detached;
    if (now && !spec->detach) {
        tsan_depend(self, &spec->depend);
        bomp_task_run_undeferred(self, spec);
    } else if (waits || (blocks && !spec->detach && is_full(self)) ||
               !defer(self, spec, priority, blocks, now)) {
        if (spec->detach || (blocks && table->detached)) /* this very thread may have to fulfill the event */
            bomp_no_memory("a task that waits for an event");
        run_undeferred(self, spec);
    }
}
