/* Creating tasks. ../README.md follows a task from here to its body. */
#include "omp/task/depend_table.h"
#include "omp/task/event.h"
#include "omp/task/hidden_helper.h"
#include "omp/task/task_inner.h"
#include "omp/task/task_new.h"
#include "omp/task/task_policy.h"
#include "omp/task/task_run.h"
#include "omp/task/taskgroup.h"
#include "omp/task/tsan.h"
#include "omp/team/team_data.h"
#include "omp/tool/hooks.h"

/* ---- into a queue ---- */

BZ_INLINE void group_enter(struct bomp_group *group, struct bz_worker *self) {
    if (group->owner == self)
        bz_tally_add(&group->members);
    else
        bz_tally_add_shared(&group->members);
}

BZ_INLINE void begin(struct bz_worker *worker, struct bomp_task *parent, struct bomp_group *group) {
    if (bz_unlikely(group))
        group_enter(group, worker);
    bz_tally_add(&parent->children);
    bz_worker_begin(worker);
}

void bomp_task_begin(struct bomp_member *self, struct bomp_task *task) {
    begin(self->worker, self->current, task->group);
}

/* Queues a begun task in the worker's deque. If that cannot grow, runs it. */
__attribute__((noinline)) static void queue(struct bz_worker *self, struct bomp_task *task,
                                            enum bomp_task_way way) {
    if (bz_unlikely(!bz_worker_has_room(self)) && bz_unlikely(!bz_worker_make_room(self))) {
        task->job.run(&task->job, self);
    } else if (way == BOMP_TASK_QUEUE_PRIVATE) {
        bz_worker_put(self, &task->job);
    } else {
        bz_worker_put_public(self, &task->job);
        bz_worker_notify(self);
    }
}

/* The priority queue needs no memory, so no task runs within the end of its predecessor. Once queued, another thread
 * may run and free it. */
static void place(struct bz_worker *self, struct bomp_task *task, enum bomp_task_way way) {
    struct bomp_task_extra *extra = bomp_task_has_extra(task);
    struct bz_domain *domain = bz_worker_domain(self);
    if (bz_likely(!extra)) {
        queue(self, task, way);
    } else if (bz_unlikely(extra->helped)) {
        extra->item.job = &task->job;
        bomp_hidden_helpers_submit(bz_worker_context(self), task);
    } else if ((extra->item.priority > 0 && bz_domain_put_count(domain) < BOMP_QUEUE_LEAST) ||
               bz_unlikely(!bz_worker_make_room(self))) {
        extra->item.job = &task->job;
        bz_domain_put(domain, self, &extra->item);
    } else {
        queue(self, task, way);
    }
}

void bomp_task_queue(struct bz_worker *self, struct bomp_task *task) {
    if (bz_unlikely(!bz_worker_make_room(self)))
        (void)bomp_task_extra(task, self); /* for the priority queue; it has a node, or an extra part */
    place(self, task, BOMP_TASK_QUEUE);
}

/* Calls run(arg), which runs a new task on its creator's stack, or near its end on another one. The task's taskyields
 * count from 0. */
BZ_INLINE void run_here(struct bomp_member *self, void (*run)(void *), void *arg) {
    const unsigned fruitless = self->yields.fruitless;
    const uint64_t at = self->yields.at;
    self->yields.fruitless = 0;
    if (bz_likely(bz_stack_is_left(self->worker)))
        run(arg);
    else
        bz_stack_more(self->worker, run, arg);
    self->yields.fruitless = fruitless;
    self->yields.at = at;
}

static void run_created(void *arg) {
    struct bomp_task *task = arg;
    task->job.run(&task->job, bomp_self()->worker);
}

/* Makes the task in a slab object, and queues it unless it must wait. False: no memory, nothing has happened. */
static bool defer(struct bomp_member *self, const struct bomp_task_spec *spec, enum bomp_task_way way) {
    struct bomp_task *task = task_prepare(self, spec);
    if (bz_unlikely(!task))
        return false;
    bool plain = !bomp_task_is_special(spec) && !(task->flags & (BOMP_TASK_TSAN | BOMP_TASK_TOOL));
    if (bz_unlikely(!plain) && !bomp_task_equip(self, task, spec)) {
        if (!spec->reserved)
            task_free(task, self->worker);
        return false;
    }
    task_fill(self, task, spec);
    if (task->flags & BOMP_TASK_TSAN)
        bomp_tsan_created(task, spec->depend.count > 0 ? bomp_table_of(self->current) : NULL);
    task->job.run = task->flags == 0 && !task->group ? bomp_task_run_small : bomp_task_run_queued;
    begin(self->worker, self->current, task->group);
    if (bz_unlikely(spec->depend.count > 0) && !bomp_node_start(&task->extra->node))
        return true; /* it may be gone by now */
    if (way != BOMP_TASK_RUN_SLAB)
        place(self->worker, task, way);
    else
        run_here(self, run_created, task);
    return true;
}

/* ---- on the stack ---- */

void bomp_task_end_at_once(struct bomp_member *self, struct bomp_task *outer) {
    struct bomp_task *task = self->current;
    self->current = bomp_task_has_moved(outer) ? outer->moved : outer;
    if (!(task->flags & BOMP_TASK_STACK))
        task_end(task, self->worker);
    else if (task->flags & BOMP_TASK_OWNS_ICV)
        bomp_task_free_icvs(task);
}

/* Runs fn(data) as a task with a descriptor on the stack, and `flags`. */
BZ_INLINE void run_at_once(struct bomp_member *self, struct bomp_task *outer, void (*fn)(void *), void *data,
                           uint32_t flags) {
    struct bomp_task task;
    bomp_task_init_at_once(&task, outer, outer, flags);
    self->current = &task;
    if (bz_likely(!(flags & BOMP_TASK_TOOL)))
        fn(data);
    else
        bomp_hooks->task->run(self, fn, data);
    outer = bz_load_relaxed(&task.parent); /* constant; from there, so that no register need keep it */
    if (bz_likely(bomp_task_stayed(&task, flags)))
        self->current = outer;
    else
        bomp_task_end_at_once(self, outer);
}

static void copy_and_run(void *arg) {
    const struct bomp_task_spec *spec = arg;
    char small[256] __attribute__((aligned(64)));
    void *block = NULL;
    void *data = small;
    if (bz_unlikely(spec->size > sizeof small || spec->align > 64)) {
        block = bz_alloc(spec->size + spec->align);
        if (!block)
            bz_fatal("out of memory for the arguments of a task");
        data = (void *)(((uintptr_t)block + spec->align - 1) & -(uintptr_t)spec->align);
    }
    spec->copy(data, spec->data);
    spec->fn(data);
    if (bz_unlikely(block))
        bz_free_used(block);
}

/* The new task is current for its copy function. Without one the body uses, and may write to, the creator's block. */
static void run_now(void *arg) {
    const struct bomp_task_spec *spec = arg;
    struct bomp_member *self = bz_context;
    struct bomp_task *outer = self->current;
    uint32_t flags = (spec->final ? BOMP_TASK_FINAL : 0) | (outer->flags & BOMP_TASK_INHERITED);
    void (*fn)(void *) = spec->copy ? copy_and_run : spec->fn;
    run_at_once(self, outer, fn, spec->copy ? arg : spec->data, flags);
}

void bomp_task_run_now(struct bomp_member *self, const struct bomp_task_spec *spec) {
    run_here(self, run_now, (void *)spec);
}

/* ---- creation ---- */

void bomp_task_create(const struct bomp_task_spec *spec) {
    struct bomp_member *self = bomp_self();
    enum bomp_task_way way = bomp_task_decide(self, spec);
    const bool observed = bomp_is_observed(self);
    struct bomp_tool_task tool;
    if (bz_unlikely(observed))
        bomp_hooks->task->enter(self);
    if (way >= BOMP_TASK_RUN_SLAB && bz_unlikely(!defer(self, spec, way)))
        way = bomp_task_without_memory(self, spec);
    if (way < BOMP_TASK_RUN_SLAB && bz_unlikely(observed))
        bomp_hooks->task->create(self, &tool, spec);
    if (way == BOMP_TASK_RUN)
        bomp_task_run_now(self, spec);
    else if (way == BOMP_TASK_AWAIT)
        bomp_task_run_awaited(self, spec);
    else if (way == BOMP_TASK_DISCARD && bz_unlikely(observed))
        bomp_hooks->task->discard(self, &tool);
    if (way == BOMP_TASK_DISCARD && spec->detach && !spec->reserved)
        bomp_task_store_handles(spec, bomp_event_of_no_task());
    if (way < BOMP_TASK_RUN_SLAB && bz_unlikely(spec->reserved))
        bomp_task_end_reserved(self, spec, way == BOMP_TASK_DISCARD);
    if (bz_unlikely(observed))
        bomp_hooks->task->leave(self);
}

/* ---- the short cut ----
 *
 * Most tasks have no clauses: they go to the deque, or, with reserved arguments in a team of one, run on the stack. This
 * saves their description, and the fields that only clauses need. */

/* A task in a free slab object, with few arguments. NULL: it takes more, and nothing has happened. */
BZ_INLINE struct bomp_task *small_new(struct bz_worker *worker, const void *data, size_t size, size_t align) {
    struct bomp_task *task = NULL;
    if (bz_likely(task_args_are_small(size, align)))
        task = bz_worker_take(worker, bz_slab_class_behind(BOMP_TASK_ARGS, size));
    if (bz_unlikely(!task))
        return NULL;
    task->data = bomp_task_small_args(task);
    task->flags = 0; /* the parent has none to inherit */
    task_args_copy(bomp_task_small_args(task), data, size);
    return task;
}

/* The descriptor of reserved arguments. NULL: it has an extra part. */
BZ_INLINE struct bomp_task *small_reserved(void *args) {
    struct bomp_task *task = bomp_task_of_reserved(args);
    if (bz_unlikely(task->flags & BOMP_TASK_HAS_EXTRA))
        return NULL;
    task->data = args;
    return task;
}

/* `reserved`: data is; constant. False: it takes more, and nothing has happened. */
BZ_INLINE bool create_quickly(void (*fn)(void *), void *data, size_t size, size_t align, unsigned untied,
                              bool reserved) {
    struct bomp_member *self = bomp_self_if_any();
    if (bz_unlikely(!self))
        return false;
    struct bz_worker *worker = self->worker;
    struct bomp_task *task, *parent = self->current;
    uint32_t rules = parent->flags & (BOMP_TASK_RULES | BOMP_TASK_STACK);
    if (reserved && !(rules & BOMP_TASK_RULES) && bomp_task_is_alone(self) && !bomp_program_yields() &&
        bz_stack_is_left(worker) && bz_likely((task = small_reserved(data)))) {
        parent->created++;
        run_at_once(self, parent, fn, data, 0);
        bz_worker_free(worker, task);
        return true;
    }
    if (bz_unlikely(rules) || bz_unlikely(parent->group) || bz_unlikely(!self->queue_private) ||
        bz_unlikely(bz_worker_queue_end(worker) >= self->queue_full) ||
        bz_unlikely(!(task = reserved ? small_reserved(data) : small_new(worker, data, size, align))))
        return false;
    parent->created++;
    task_init(task, parent, fn, untied);
    task->job.run = bomp_task_run_small;
    begin(worker, parent, NULL);
    if (bz_likely(bz_worker_has_room(worker)))
        bz_worker_put(worker, &task->job);
    else
        queue(worker, task, BOMP_TASK_QUEUE_PRIVATE);
    return true;
}

/* The slow path of the entry points below. RESERVED is a bit of `untied`. */
#define RESERVED 2u

__attribute__((noinline)) static void create(void (*fn)(void *), void *data, void (*copy)(void *, void *),
                                             size_t size, size_t align, unsigned untied) {
    const struct bomp_task_spec spec = {.fn = fn,
                                        .data = data,
                                        .copy = copy,
                                        .size = size,
                                        .align = align,
                                        .untied = untied & BOMP_TASK_UNTIED,
                                        .reserved = untied & RESERVED};
    bomp_task_create(&spec);
}

/* bomp_task_plain jumps here: its hot path then saves no register, and what is noted is the program's call. */
__attribute__((noinline)) static void create_noted(void (*fn)(void *), void *data,
                                                   void (*copy)(void *, void *), size_t size, size_t align,
                                                   unsigned untied) {
    BOMP_ENTERED();
    create(fn, data, copy, size, align, untied);
}

/* Notes the program's call itself: a compiler that knows the value of a function does not jump to it. */
BZ_INLINE int create_reserved(void *args, void (*fn)(void *), unsigned untied) {
    if (bz_unlikely(!create_quickly(fn, args, 0, 1, untied, true))) {
        BOMP_ENTERED();
        create(fn, args, NULL, 0, 1, untied | RESERVED);
    }
    return 0;
}

BZ_LINE_START
void bomp_task_plain(void (*fn)(void *), void *data, void (*copy)(void *, void *), size_t size, size_t align,
                     unsigned untied) {
    if (bz_unlikely(copy) || bz_unlikely(!create_quickly(fn, data, size, align, untied, false)))
        create_noted(fn, data, copy, size, align, untied);
}

BZ_LINE_START
int bomp_task_plain_reserved(void *args) {
    return create_reserved(args, bomp_task_run_code, 0);
}

BZ_LINE_START
int bomp_task_plain_untied(void *args, void (*fn)(void *)) {
    return create_reserved(args, fn, BOMP_TASK_UNTIED);
}
