/* Creating, running and completing tasks: the hot path of task programs. */
#include "omp/task/task.h"

#include <string.h>

#include "omp/state/cancel.h"
#include "omp/state/group.h"
#include "omp/state/team.h"
#include "omp/task/depend_table.h"
#include "omp/task/task_args.h"
#include "omp/task/task_inner.h"
#include "omp/task/task_policy.h"
#include "omp/task/task_run.h"
#include "omp/task/tsan.h"

_Static_assert(BOMP_TASK_ARGS + 16 + 8 <= 128, "a small task takes two cache lines");

void bomp_task_init_implicit(struct bomp_task *task, struct bz_worker *owner, const struct bomp_icv *icv) {
    bz_store_relaxed(&task->parent, NULL); /* relaxed, all: published with the first child */
    bz_store_relaxed(&task->depth, 0);
    bz_store_relaxed(&task->refs, 0);
    bz_store_relaxed(&task->owner, owner);
    bz_tally_init(&task->children);
    task->floor = 0;
    task->flags = 0;
    task->created = 0;
    task->group = NULL;
    task->icv = icv;
}

/* ---- what few tasks have ---- */

struct bomp_task_extra *bomp_task_extra(struct bomp_task *task, struct bz_worker *self) {
    struct bomp_task_extra *extra = bomp_task_has_extra(task);
    if (extra || !(extra = bz_worker_alloc(self, sizeof *extra)))
        return extra;
    extra->block = NULL;
    extra->tsan = NULL;
    extra->node = NULL;
    extra->table = NULL;
    extra->item.priority = 0;
    task->flags |= BOMP_TASK_HAS_EXTRA;
    return task->extra = extra;
}

static void free_extra(struct bomp_task *task, struct bz_worker *self) {
    struct bomp_task_extra *extra = bomp_task_has_extra(task);
    if (!extra)
        return;
    bz_free(extra->block);
    bz_free(extra->tsan);
    bomp_table_free(extra->table, self);
    if (task->flags & BOMP_TASK_DETACHED)
        bomp_event_end(&extra->event);
    bz_worker_free(self, extra);
    task->flags &= ~(uint32_t)BOMP_TASK_HAS_EXTRA;
}

void bomp_task_strip_slow(struct bomp_task *task, struct bz_worker *self) {
    free_extra(task, self);
    bomp_task_free_icvs(task);
}

/* ---- the end of a task ---- */

/* One reference less, to a task that runs or has completed with children; frees one that has none left, and then drops
 * its reference to its parent. Its own reference, which it has until it is complete with all its children, is not in
 * the count. */
static void drop(struct bomp_task *task, struct bz_worker *self) {
    while (bz_fetch_sub_acq_rel(&task->refs, 1) ==
           0) { /* H1: pairs with H1, H2 (what others did with the task) */
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
    case BZ_TALLY_NO_DUTY:
        break;
    }
}

void bomp_task_group_leave(struct bomp_group *group, struct bz_worker *self) {
    struct bz_worker *owner =
        group->owner; /* read first: the group may be gone when its last member has left */
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

/* ---- running ---- */

bool bomp_task_begins(const struct bomp_task *task, const struct bomp_member *member) {
    return (task->flags & BOMP_TASK_COPIED) || !bomp_cancel_discards(member, task->group);
}

void bomp_task_run_queued(struct bz_job *job, struct bz_worker *self) {
    struct bomp_task *task = bz_container_of(job, struct bomp_task, job);
    task_body(task, self);
    task_complete(task, task->group, self);
}

void bomp_task_run_small(struct bz_job *job, struct bz_worker *self) {
    struct bomp_member *member = bz_worker_context(self);
    task_run_small(bz_container_of(job, struct bomp_task, job), member, member->current, false, self);
}

/* The same of one that is timed. */
static void run_timed(struct bz_job *job, struct bz_worker *self) {
    struct bomp_task *task = bz_container_of(job, struct bomp_task, job);
    bomp_grain_body(task, self, BOMP_GRAIN_NS);
    task_complete(task, task->group, self);
}

bool bomp_task_body(struct bomp_task *task, struct bz_worker *self) {
    return task_body(task, self);
}

void bomp_task_complete(struct bomp_task *task, struct bz_worker *self) {
    task_complete(task, task->group, self);
}

void bomp_task_end_body(struct bomp_task *task, struct bz_worker *self) {
    task_end(task, self); /* a detached one has one reference more: it stays, and refers to its parent */
}

void bomp_task_complete_late(struct bomp_task *task, struct bz_worker *self) {
    if (task->group)
        bomp_task_group_leave(task->group, self);
    task_child_complete(bz_load_relaxed(&task->parent), self); /* relaxed: constant since its creation */
    drop(task, self);
    bz_worker_end(self);
}

/* ---- creation ---- */

/* What a new task has from its creator, but for its flags. Nobody asks for its owner before it runs. */
BZ_INLINE void task_init(struct bomp_task *task, struct bomp_task *parent, void (*fn)(void *),
                         uint32_t untied) {
    task->created = 0;
    task->group = parent->group;
    task->icv = parent->icv;
    task->fn = fn;
    bz_store_relaxed(&task->parent, parent); /* relaxed, all: published with the job */
    bz_store_relaxed(&task->depth, bomp_task_depth_below(parent, untied));
    bz_store_relaxed(&task->refs, 0);
    bz_tally_init(&task->children);
}

/* A task whose arguments do not fit into a slab object. */
BZ_COLD static struct bomp_task *task_new_large(struct bz_worker *worker, const struct bomp_task_spec *spec,
                                                size_t align) {
    struct bomp_task *task = bz_worker_alloc(worker, sizeof *task);
    if (!task)
        return NULL;
    task->flags = 0;
    void *block = spec->size <= SIZE_MAX / 2 ? bz_alloc(spec->size + align) : NULL;
    struct bomp_task_extra *extra = block ? bomp_task_extra(task, worker) : NULL;
    if (!extra) {
        bz_free(block);
        bz_worker_free(worker, task);
        return NULL;
    }
    extra->block = task->data = block;
    return task;
}

/* A descriptor with room for the arguments. Set are `data`, and of the flags whether it has `extra`. NULL: no memory. */
static inline struct bomp_task *task_new(struct bz_worker *worker, const struct bomp_task_spec *spec) {
    size_t align = spec->align > 16 ? spec->align : 0; /* beyond what the slab object has */
    size_t bytes = BOMP_TASK_ARGS + spec->size + align;
    struct bomp_task *task;
    if (bz_likely(bytes <= BZ_SLAB_MAX)) {
        task = bz_worker_alloc(worker, bytes);
        if (bz_unlikely(!task))
            return NULL;
        task->data = bomp_task_small_args(task);
        task->flags = 0;
    } else if (!(task = task_new_large(worker, spec, align))) {
        return NULL;
    }
    if (align)
        task->data = (void *)(((uintptr_t)task->data + align - 1) & -(uintptr_t)align);
    return task;
}

/* What the copy constructors ask about is the new task. It has no owner yet who could wait for children: those that they
 * create run at once. */
static void copy_arguments(struct bomp_member *self, struct bomp_task *task, void (*copy)(void *, void *),
                           void *to, void *from) {
    struct bomp_task *outer = self->current;
    bz_store_relaxed(&task->owner, NULL); /* relaxed: for this thread alone */
    task->floor = bz_worker_queue_end(self->worker);
    task->flags |= BOMP_TASK_COPYING;
    self->current = task;
    copy(to, from);
    self->current = outer;
    task->flags ^= BOMP_TASK_COPYING | BOMP_TASK_COPIED;
}

/* The end of a task on the stack that has moved, or has control variables of its own, or whose parent alone may have
 * moved. */
void bomp_task_end_at_once(struct bomp_member *self, struct bomp_task *outer) {
    struct bomp_task *task = self->current;
    self->current = bomp_task_has_moved(outer) ? outer->moved : outer;
    if (!(task->flags & BOMP_TASK_STACK))
        task_end(task, self->worker);
    else if (task->flags & BOMP_TASK_OWNS_ICV)
        bomp_task_free_icvs(task);
}

/* Runs fn(data) in place as a task with a descriptor on the stack; `flags` besides those that say so. */
BZ_INLINE void run_at_once(struct bomp_member *self, struct bomp_task *outer, void (*fn)(void *), void *data,
                           uint32_t flags) {
    struct bomp_task task;
    bomp_task_init_at_once(&task, outer, outer, flags);
    self->current = &task;
    fn(data);
    outer = bz_load_relaxed(&task.parent); /* constant; from there, so that it need not be kept elsewhere */
    if (bz_likely(bomp_task_stayed(&task, flags)))
        self->current = outer;
    else
        bomp_task_end_at_once(self, outer);
}

/* What is to be known of a task with a copy function and nothing else that is special. */
struct copied {
    void (*fn)(void *);
    void *data;
    void (*copy)(void *, void *);
    size_t size, align;
};

static void copy_and_run(void *arg) {
    const struct copied *task = arg;
    char small[256] __attribute__((aligned(64)));
    void *block = NULL;
    void *data = small;
    if (bz_unlikely(task->size > sizeof small || task->align > 64)) {
        block = bz_alloc(task->size + task->align);
        if (!block)
            bz_fatal("out of memory for the arguments of a task");
        data = (void *)(((uintptr_t)block + task->align - 1) & -(uintptr_t)task->align);
    }
    task->copy(data, task->data);
    task->fn(data);
    if (bz_unlikely(block != NULL))
        bz_free_used(block);
}

/* What the copy function asks about is the new task. Not inlined: whoever has none shall not carry its block. */
__attribute__((noinline)) static void run_copied(struct bomp_member *self, struct bomp_task *outer,
                                                 const struct copied *task, uint32_t flags) {
    run_at_once(self, outer, copy_and_run, (void *)task, flags);
}

/* Without a copy function the body works on the creator's block, which it may write to. */
BZ_INLINE void run_undeferred(struct bomp_member *self, const struct bomp_task_spec *spec) {
    struct bomp_task *outer = self->current;
    uint32_t flags = (spec->final ? BOMP_TASK_FINAL : 0) | (outer->flags & BOMP_TASK_INHERITED) |
                     (spec->undeferred ? bomp_task_alone_flags(self) : 0);
    if (spec->copy)
        run_copied(self, outer, &(struct copied){spec->fn, spec->data, spec->copy, spec->size, spec->align},
                   flags);
    else
        run_at_once(self, outer, spec->fn, spec->data, flags);
}

static void run_undeferred_there(void *spec) {
    run_undeferred(bz_context, spec);
}

void bomp_task_run_undeferred(struct bomp_member *self, const struct bomp_task_spec *spec) {
    if (bz_likely(bz_stack_is_left(self->worker)))
        run_undeferred(self, spec);
    else
        bz_stack_more(self->worker, run_undeferred_there, (void *)spec);
}

struct bomp_task *bomp_task_prepare(struct bomp_member *self, const struct bomp_task_spec *spec) {
    struct bomp_task *parent = bomp_task_persist(self);
    struct bomp_task *task = parent ? task_new(self->worker, spec) : NULL;
    if (bz_unlikely(!task))
        return NULL;
    task->job.run = bomp_task_run_queued;
    task_init(task, parent, spec->fn, spec->untied ? BOMP_TASK_UNTIED : 0);
    task->flags |= (parent->flags & BOMP_TASK_INHERITED) | (spec->final ? BOMP_TASK_FINAL : 0);
    return task;
}

void bomp_task_discard(struct bomp_task *task, struct bz_worker *self) {
    task_free(task, self);
}

void bomp_task_fill(struct bomp_member *self, struct bomp_task *task, const struct bomp_task_spec *spec) {
    if (bz_unlikely(spec->copy))
        copy_arguments(self, task, spec->copy, task->data, spec->data);
    else if (spec->size > 0) /* else data may be NULL */
        memcpy(task->data, spec->data, spec->size);
}

struct bomp_task *bomp_task_make(struct bomp_member *self, const struct bomp_task_spec *spec) {
    struct bomp_task *task = bomp_task_prepare(self, spec);
    if (bz_likely(task))
        bomp_task_fill(self, task, spec);
    return task;
}

struct bomp_task *bomp_task_twin(const struct bomp_task *model, const struct bomp_task_spec *spec,
                                 struct bz_worker *self) {
    const size_t from = offsetof(struct bomp_task, refs); /* what nobody else looks at */
    struct bomp_task *task = task_new(self, spec);
    if (bz_unlikely(!task))
        return NULL;
    void *data = task->data;
    uint32_t has_extra = task->flags;
    struct bomp_task_extra *extra = task->extra;
    bz_store_relaxed(&task->parent, bz_load_relaxed(&model->parent)); /* relaxed: as in task_init */
    bz_store_relaxed(&task->depth, bz_load_relaxed(&model->depth));
    memcpy((char *)task + from, (const char *)model + from, sizeof *task - from);
    task->flags = (task->flags & ~(uint32_t)BOMP_TASK_HAS_EXTRA) | has_extra;
    task->data = data;
    task->extra = extra;
    memcpy(data, model->data, spec->size);
    return task;
}

static inline void group_enter(struct bomp_group *group, struct bz_worker *self) {
    if (group->owner == self)
        bz_tally_add(&group->members);
    else
        bz_tally_add_shared(&group->members);
}

void bomp_task_begin(struct bomp_member *self, struct bomp_task *task) {
    if (bz_unlikely(task->group != NULL))
        group_enter(task->group, self->worker);
    bz_tally_add(&self->current->children);
    bomp_task_policy_deferred(self->current);
    bz_worker_begin(self->worker);
}

/* A task that was queued, or for which the deque cannot grow: here and now, all counted. */
static void queued_or_run(struct bz_worker *self, struct bomp_task *task, bool queued) {
    if (bz_unlikely(!queued))
        task->job.run(&task->job, self);
}

void bomp_task_queue(struct bz_worker *self, struct bomp_task *task) {
    queued_or_run(self, task, bz_worker_push_public(self, &task->job));
}

/* Queues the task. False: no memory, nothing has happened. */
static bool defer(struct bomp_member *self, const struct bomp_task_spec *spec) {
    struct bomp_task *task = bomp_task_make(self, spec);
    if (bz_unlikely(!task))
        return false;
    bomp_task_begin(self, task);
    if (self->current->flags & BOMP_TASK_PRODUCER && bomp_task_is_timed(self, spec->fn))
        task->job.run = run_timed;
    queued_or_run(self->worker, task,
                  self->queue_private ? bz_worker_push(self->worker, &task->job)
                                      : bz_worker_push_public(self->worker, &task->job));
    return true;
}

/* What else may come of a task without clauses that is to be queued: it has many arguments or a parent on the stack, or
 * there is no slab object at hand, or no room in the deque; or its thread has little stack left. */
static void defer_other(struct bomp_member *self, const struct bomp_task_spec *spec) {
    if (bz_unlikely(bomp_task_never_queued(self)) || !defer(self, spec))
        bomp_task_run_undeferred(self, spec);
}

__attribute__((noinline)) static void defer_other_plain(void (*fn)(void *), void *data,
                                                        struct bomp_member *self, size_t size, size_t align,
                                                        unsigned untied) {
    defer_other(self, &(struct bomp_task_spec){
                          .fn = fn, .data = data, .size = size, .align = align, .untied = untied});
}

/* A task without clauses, and without its arguments, for which a slab object has room: `defer` without what such a one does
 * not need. What may take more is asked before anything is written. NULL: that is so, and nothing has happened. */
BZ_INLINE struct bomp_task *small_new(struct bz_worker *worker, struct bomp_task *parent, void (*fn)(void *),
                                      size_t size, unsigned untied) {
    struct bomp_task *task;
    if (bz_unlikely(parent->flags & BOMP_TASK_STACK) || bz_unlikely(!bz_worker_has_room(worker)) ||
        bz_unlikely(!(task = bz_worker_take(worker, bz_slab_class_behind(BOMP_TASK_ARGS, size)))))
        return NULL;
    task->job.run = bomp_task_run_small;
    task->flags = 0; /* a parent that has any to inherit comes another way */
    task_init(task, parent, fn, untied);
    return task;
}

/* It is to run in another way, which looks for its arguments. */
static inline void small_run_by(struct bomp_task *task, void (*run)(struct bz_job *, struct bz_worker *)) {
    task->job.run = run;
    task->data = bomp_task_small_args(task);
}

/* Counts it as begun, and queues it where there is room. */
BZ_INLINE void small_queue(struct bomp_member *self, struct bz_worker *worker, struct bomp_task *parent,
                           struct bomp_task *task) {
    if (bz_unlikely(parent->group != NULL)) {
        small_run_by(task, bomp_task_run_queued);
        group_enter(task->group, worker);
    }
    bz_tally_add(&parent->children);
    bool producer = bz_unlikely(bomp_task_policy_deferred(parent));
    if (producer && bomp_task_is_timed(self, task->fn))
        small_run_by(task, run_timed);
    bz_worker_begin(worker);
    if (self->queue_private) {
        bz_worker_put(worker, &task->job);
        return;
    }
    bz_worker_put_public(worker, &task->job);
    if (!producer)
        bomp_task_policy_queued(self);
    bz_worker_notify(worker);
}

/* Queues a task that has nothing special. It needs no frame: what needs one comes last. */
__attribute__((noinline)) static void defer_plain(void (*fn)(void *), void *data, struct bomp_member *self,
                                                  size_t size, size_t align, unsigned untied) {
    struct bz_worker *worker = self->worker;
    struct bomp_task *parent = self->current;
    struct bomp_task *task;
    if (bz_unlikely(!task_args_are_small(size, align)) ||
        bz_unlikely(!(task = small_new(worker, parent, fn, size, untied)))) {
        defer_other_plain(fn, data, self, size, align, untied);
        return;
    }
    task_args_copy(bomp_task_small_args(task), data, size);
    small_queue(self, worker, parent, task);
}

/* Queues a task that has nothing special but a copy function. False: it takes more, and nothing has happened. */
__attribute__((noinline)) static bool defer_copied(struct bomp_member *self, const struct copied *args,
                                                   unsigned untied) {
    struct bz_worker *worker = self->worker;
    struct bomp_task *parent = self->current, *task;
    if (bz_unlikely(args->size > BZ_SLAB_MAX - BOMP_TASK_ARGS || args->align > 16) ||
        bz_unlikely(!(task = small_new(worker, parent, args->fn, args->size, untied))))
        return false;
    copy_arguments(self, task, args->copy, bomp_task_small_args(task), args->data);
    /* For those that may be discarded; and without flags it ends the short way. */
    task->flags &= ~(uint32_t)BOMP_TASK_COPIED;
    if (bz_likely(bz_worker_make_room(worker))) { /* what the copy function did may have filled it */
        small_queue(self, worker, parent, task);
    } else {
        small_run_by(task, bomp_task_run_queued);
        bomp_task_begin(self, task);
        bomp_task_run_queued(&task->job, worker);
    }
    return true;
}

/* There may be too few in the queue, or there is little stack left. */
__attribute__((noinline)) static void create_asked(void (*fn)(void *), void *data, struct bomp_member *self,
                                                   size_t size, size_t align, unsigned untied) {
    if (!bomp_task_enough_queued(self))
        defer_plain(fn, data, self, size, align, untied);
    else if (bz_likely(bz_stack_is_left(self->worker)))
        run_at_once(self, self->current, fn, data, 0);
    else
        defer_other_plain(fn, data, self, size, align, untied);
}

/* A child of a producer of which there is nothing else to be said. */
BZ_INLINE void produce(void (*fn)(void *), void *data, struct bomp_member *self, size_t size, size_t align,
                       unsigned untied) {
    struct bomp_task *outer = self->current;
    outer->created++;
    if (!bomp_task_produced_enough(self, fn)) /* never where none is queued */
        defer_plain(fn, data, self, size, align, untied);
    else if (bz_likely(bz_stack_is_left(self->worker)))
        run_at_once(self, outer, fn, data, 0);
    else
        defer_other_plain(fn, data, self, size, align, untied);
}

/* A child with a copy function, of which there is nothing else to be said, of a task that is no producer. */
BZ_INLINE void create_copied(struct bomp_member *self, const struct copied *args, unsigned untied) {
    struct bomp_task *outer = self->current;
    outer->created++;
    bool enough = bomp_task_enough_queued(self);
    if (enough && bz_likely(bz_stack_is_left(self->worker)))
        run_copied(self, outer, args, 0);
    else if (enough || !defer_copied(self, args, untied)) /* a team that queues none has always enough */
        defer_other(self, &(struct bomp_task_spec){.fn = args->fn,
                                                   .data = args->data,
                                                   .copy = args->copy,
                                                   .size = args->size,
                                                   .align = args->align,
                                                   .untied = untied});
}

/* Children of producers, and those with a copy function. */
__attribute__((noinline)) static void create_plain(void (*fn)(void *), void *data,
                                                   void (*copy)(void *, void *), size_t size, size_t align,
                                                   unsigned untied) {
    struct bomp_member *self = bomp_self_if_any();
    uint32_t rules = self ? self->current->flags & BOMP_TASK_NO_PLAIN : BOMP_TASK_NO_PLAIN;
    if (!copy && rules == BOMP_TASK_PRODUCER)
        produce(fn, data, self, size, align, untied);
    else if (rules == 0) /* then there is a copy function */
        create_copied(self, &(struct copied){fn, data, copy, size, align}, untied);
    else
        bomp_task_create(&(struct bomp_task_spec){
            .fn = fn, .data = data, .copy = copy, .size = size, .align = align, .untied = untied});
}

/* Children of tasks in slab objects, of implicit ones, and what is rare. As the next, it needs no frame. */
__attribute__((noinline)) static void create_other(void (*fn)(void *), void *data,
                                                   void (*copy)(void *, void *), size_t size, size_t align,
                                                   unsigned untied) {
    struct bomp_member *self = bomp_self_if_any();
    if (bz_unlikely(!self || self->current->flags & BOMP_TASK_NO_PLAIN || copy)) {
        create_plain(fn, data, copy, size, align, untied);
        return;
    }
    self->current->created++;
    create_asked(fn, data, self, size, align, untied);
}

/* What is rare, and the queueing, are jumps with the same arguments in the same places: they need no frame here, and running
 * at once keeps nothing but `self` and its descriptor. */
BZ_LINE_START
void bomp_task_plain(void (*fn)(void *), void *data, void (*copy)(void *, void *), size_t size, size_t align,
                     unsigned untied) {
    struct bomp_member *self = bomp_self_if_any();
    if (bz_unlikely(!self ||
                    (self->current->flags & (BOMP_TASK_NO_PLAIN | BOMP_TASK_STACK)) != BOMP_TASK_STACK ||
                    copy)) {
        create_other(fn, data, copy, size, align, untied);
        return;
    }
    struct bomp_task *outer = self->current;
    outer->created++;
    if (bomp_task_is_queue_short(self)) /* never where none is queued */
        defer_plain(fn, data, self, size, align, untied);
    else if (bz_likely(!bomp_task_is_sought(self)) && bz_likely(bz_stack_is_left(self->worker)))
        run_at_once(self, outer, fn, data, 0);
    else
        create_asked(fn, data, self, size, align, untied);
}

void bomp_task_create(const struct bomp_task_spec *spec) {
    struct bomp_member *self = bomp_self();
    enum bomp_task_way way = bomp_task_way(self, spec);
    if (way == BOMP_TASK_DISCARD) {
        if (spec->detach)
            bomp_task_store_handles(spec, bomp_event_of_nobody());
        return;
    }
    if (way == BOMP_TASK_TELL_TSAN)
        bomp_tsan_create(self, spec);
    else if (spec->depend.count > 0 || spec->detach || spec->priority > 0)
        bomp_task_create_special(self, spec, way == BOMP_TASK_RUN);
    else if (way == BOMP_TASK_RUN || spec->undeferred || !defer(self, spec))
        bomp_task_run_undeferred(self, spec);
    if (bz_unlikely(self->current->flags & BOMP_TASK_POLLS) &&
        bz_worker_queued(self->worker) >= BOMP_QUEUE_PRODUCER)
        bomp_task_relieve_slow(self);
}
