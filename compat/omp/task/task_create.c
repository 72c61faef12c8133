/* Creating tasks of all kinds. Each goes one way: bomp_task_decide (task_policy.h) says what becomes of it, and `carry_out`
 * does it: `defer` makes it in a slab object and queues it, or `run_now` runs it on its creator's stack. The walk from here
 * to its body, and what the short cuts at the end pay: README.md. */
#include "omp/state/group.h"
#include "omp/state/team.h"
#include "omp/task/agent.h"
#include "omp/task/depend_table.h"
#include "omp/task/event.h"
#include "omp/task/helper.h"
#include "omp/task/task_args.h"
#include "omp/task/task_inner.h"
#include "omp/task/task_new.h"
#include "omp/task/task_policy.h"
#include "omp/task/task_queue.h"
#include "omp/task/task_run.h"
#include "omp/task/told.h"
#include "omp/task/tsan.h"

/* ---- into the queue ---- */

void bomp_task_begin(struct bomp_member *self, struct bomp_task *task) {
    (void)begin(self->worker, self->current, task->group);
}

/* Somebody may have run it as soon as it is there. */
__attribute__((noinline)) static void put_by_priority(struct bz_worker *self, struct bomp_task *task,
                                                      struct bz_pqueue_item *item) {
    bool pooled = task->flags & BOMP_TASK_POOLED;
    item->job = &task->job;
    if (bz_unlikely(task->flags & BOMP_TASK_HELPED)) {
        bomp_helpers_offer(bz_worker_context(self), task);
        return;
    }
    bz_domain_put(bz_worker_domain(self), self, item);
    if (pooled)
        bomp_agents_offer(bz_worker_context(self));
}

void bomp_task_queue(struct bz_worker *self, struct bomp_task *task) {
    struct bomp_task_extra *extra = bomp_task_has_extra(task);
    if (!extra || extra->item.priority == 0 ||
        (bz_domain_put_count(bz_worker_domain(self)) >= BOMP_PQUEUE_MAX && !(task->flags & BOMP_TASK_HELPED)))
        queue(self, task, BOMP_TASK_QUEUE);
    else
        put_by_priority(self, task, &extra->item);
}

/* Begins a task that was equipped, and does what was decided, unless it has to wait for others. */
static void begin_special(struct bomp_member *self, struct bomp_task *task, void (*kind)(void *),
                          enum bomp_task_way way) {
    struct bomp_node *node = task->extra->node;
    if (bz_unlikely(task->flags & BOMP_TASK_POOLED)
            ? bomp_grain_asks(kind, self->current->created)
            : (node || task->flags & BOMP_TASK_DETACHED) && bomp_task_is_timed(self, kind))
        bomp_task_time_as(task, kind);
    task->job.run = bomp_task_run_queued;
    (void)begin(self->worker, self->current, task->group);
    if (node && !bomp_node_start(node))
        return; /* it may be gone by now */
    if (way == BOMP_TASK_RUN_SLAB)
        task->job.run(&task->job, self->worker);
    else
        bomp_task_queue(self->worker, task);
}

/* Begins a task without clauses, and queues it. `plain`: it has no flags. */
BZ_INLINE void begin_and_queue(struct bomp_member *self, struct bz_worker *worker, struct bomp_task *parent,
                               struct bomp_task *task, void (*kind)(void *), bool plain,
                               enum bomp_task_way way) {
    struct bomp_group *group = parent->group; /* the task's */
    bool producer = bz_unlikely(begin(worker, parent, group));
    if (producer && bomp_task_is_timed(self, kind)) {
        bomp_task_time_as(task, kind);
        plain = false;
    }
    task->job.run = bz_likely(plain && !group) ? bomp_task_run_small : bomp_task_run_queued;
    if (way == BOMP_TASK_QUEUE && !producer)
        bomp_task_policy_queued(self);
    queue(worker, task, way);
}

/* The same where a tool is told of it. */
BZ_INLINE void begin_told(struct bomp_member *self, struct bomp_task *task, void (*kind)(void *),
                          enum bomp_task_way way) {
    const uint32_t flags = BOMP_TASK_TOOL | BOMP_TASK_HAS_EXTRA;
    bool is_called_plainly = task->fn == kind || task->fn == bomp_task_run_code;
    bool producer = begin(self->worker, self->current, task->group);
    if (producer && bomp_task_is_timed(self, kind))
        bomp_task_time_as(task, kind);
    bool is_small = (task->flags & ~(uint32_t)BOMP_TASK_POLLS) == flags && !task->group && is_called_plainly;
    task->job.run = is_small ? bomp_told_run_small : bomp_task_run_queued;
    if (way == BOMP_TASK_QUEUE && !producer)
        bomp_task_policy_queued(self);
    queue(self->worker, task, way);
}

/* Makes the task in a slab object, and queues it unless it has to wait for others. False: no memory, nothing has
 * happened. `told`: a tool is told; constant. */
BZ_INLINE bool defer(struct bomp_member *self, const struct bomp_task_spec *spec, enum bomp_task_way way,
                     bool told) {
    struct bomp_task *task = task_prepare(self, spec);
    if (bz_unlikely(!task))
        return false;
    bool special = bomp_task_is_special(spec) || task->flags & BOMP_TASK_TSAN;
    bool told_alone = told && !special;
    special |= told;
    if (bz_unlikely(special) &&
        !(told_alone ? bomp_told_equip(self, task, spec) : bomp_task_equip(self, task, spec, way))) {
        if (!spec->reserved)
            bomp_task_discard(task, self->worker);
        return false;
    }
    task_fill(self, task, spec);
    if (task->flags & BOMP_TASK_TSAN)
        bomp_tsan_created(task, spec->depend.count > 0 ? bomp_table_of(self->current) : NULL);
    if (bz_unlikely(told_alone))
        begin_told(self, task, bomp_task_kind(spec), way);
    else if (bz_unlikely(special))
        begin_special(self, task, bomp_task_kind(spec), way);
    else
        begin_and_queue(self, self->worker, self->current, task, bomp_task_kind(spec), task->flags == 0, way);
    return true;
}

/* ---- on the stack ---- */

/* The end of a task on the stack that has moved, or has control variables of its own, or whose parent alone may have
 * moved. */
void bomp_task_end_at_once(struct bomp_member *self, struct bomp_task *outer) {
    struct bomp_task *task = self->current;
    self->current = bomp_task_has_moved(outer) ? outer->moved : outer;
    if (!(task->flags & BOMP_TASK_STACK))
        bomp_task_end_body(task, self->worker);
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

void bomp_task_copy_and_run(void *arg) {
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

/* Not inlined: whoever has no copy function shall not carry its block. */
__attribute__((noinline)) static void run_copied(struct bomp_member *self, struct bomp_task *outer,
                                                 const struct bomp_task_spec *spec, uint32_t flags) {
    run_at_once(self, outer, bomp_task_copy_and_run, (void *)spec, flags);
}

/* Without a copy function the body works on the creator's block, which it may write to. */
BZ_INLINE void run_now(struct bomp_member *self, const struct bomp_task_spec *spec) {
    struct bomp_task *outer = self->current;
    uint32_t flags = (spec->final ? BOMP_TASK_FINAL : 0) | (outer->flags & BOMP_TASK_INHERITED) |
                     (spec->undeferred ? bomp_task_alone_flags(self) : 0);
    if (spec->copy) /* what that asks about is the new task */
        run_copied(self, outer, spec, flags);
    else
        run_at_once(self, outer, spec->fn, spec->data, flags);
}

static void run_now_there(void *spec) {
    run_now(bz_context, spec);
}

void bomp_task_run_now(struct bomp_member *self, const struct bomp_task_spec *spec) {
    if (bz_likely(bz_stack_is_left(self->worker)))
        run_now(self, spec);
    else
        bz_stack_more(self->worker, run_now_there, (void *)spec);
}

/* ---- creation ---- */

static void carry_out(struct bomp_member *self, const struct bomp_task_spec *spec, enum bomp_task_way way) {
    if (way >= BOMP_TASK_RUN_SLAB && bz_unlikely(!defer(self, spec, way, false)))
        way = bomp_task_without_memory(self, spec, way);
    if (way == BOMP_TASK_RUN)
        bomp_task_run_now(self, spec);
    else if (way == BOMP_TASK_AWAIT)
        bomp_task_run_awaited(self, spec);
    else if (way == BOMP_TASK_DISCARD && spec->detach && !spec->reserved)
        bomp_task_store_handles(spec, bomp_event_of_nobody());
    if (way < BOMP_TASK_RUN_SLAB && bz_unlikely(spec->reserved))
        bomp_task_end_reserved(self, spec, way == BOMP_TASK_DISCARD);
}

static void carry_out_told(struct bomp_member *self, const struct bomp_task_spec *spec,
                           enum bomp_task_way way) {
    bomp_told_enter(self);
    if (way >= BOMP_TASK_RUN_SLAB && bz_unlikely(!defer(self, spec, way, true)))
        way = bomp_task_without_memory(self, spec, way);
    if (way < BOMP_TASK_RUN_SLAB)
        bomp_task_run_now_told(self, spec, way);
    if (way == BOMP_TASK_DISCARD && spec->detach && !spec->reserved)
        bomp_task_store_handles(spec, bomp_event_of_nobody());
    if (way < BOMP_TASK_RUN_SLAB && bz_unlikely(spec->reserved))
        bomp_task_end_reserved(self, spec, way == BOMP_TASK_DISCARD);
    bomp_told_leave(self);
}

/* Whether the current task has no rules for its children but that a tool is told of them. */
static inline bool only_told(const struct bomp_member *self) {
    return (self->current->flags & (BOMP_TASK_NO_PLAIN & ~BOMP_TASK_PRODUCER)) == BOMP_TASK_TOOL;
}

/* In a program that has taskyields: after the creation of a task. */
static inline void relieve(struct bomp_member *self) {
    if (bz_unlikely(self->current->flags & BOMP_TASK_POLLS) &&
        bz_worker_queued(self->worker) >= BOMP_QUEUE_PRODUCER + self->relief_later)
        bomp_task_relieve_slow(self);
}

/* Where a tool is told. */
__attribute__((noinline)) static void create_attended(struct bomp_member *self,
                                                      const struct bomp_task_spec *spec) {
    enum bomp_task_way way = bomp_task_decide(self, spec);
    carry_out_told(self, spec, way);
    relieve(self);
}

void bomp_task_create(const struct bomp_task_spec *spec) {
    struct bomp_member *self = bomp_self();
    if (bz_unlikely(self->current->flags & BOMP_TASK_TOOL)) {
        create_attended(self, spec);
        return;
    }
    enum bomp_task_way way = bomp_task_decide(self, spec);
    if (way == BOMP_TASK_RUN && !spec->reserved) /* the rest does nothing of it */
        bomp_task_run_now(self, spec);
    else
        carry_out(self, spec, way);
    relieve(self);
}

/* ---- short cuts ----
 *
 * For tasks without clauses where the rules of the current task leave the choice. They decide by the same functions and
 * queue by the same one; what they save is the description of the task, and what only others need. What each pays:
 * README.md. */

/* A descriptor in a slab object at hand; its parent is in one. NULL: that takes more, and nothing has happened. */
BZ_INLINE struct bomp_task *small_new(struct bz_worker *worker, struct bomp_task *parent, void (*fn)(void *),
                                      size_t size, unsigned untied) {
    struct bomp_task *task = bz_worker_take(worker, bz_slab_class_behind(BOMP_TASK_ARGS, size));
    if (bz_unlikely(!task))
        return NULL;
    task->data = bomp_task_small_args(task);
    task->flags = 0; /* the parent has none to inherit */
    task_init(task, parent, fn, untied);
    return task;
}

__attribute__((noinline)) static void defer_plain(void (*fn)(void *), void *data, struct bomp_member *self,
                                                  size_t size, size_t align, unsigned untied) {
    const struct bomp_task_spec spec = {
        .fn = fn, .data = data, .size = size, .align = align, .untied = untied};
    carry_out(self, &spec, bomp_task_queued_way(self));
}

/* `defer` with few arguments. What may take more is asked before anything is written: so it needs no frame. */
__attribute__((noinline)) static void defer_small(void (*fn)(void *), void *data, struct bomp_member *self,
                                                  size_t size, size_t align, unsigned untied) {
    struct bz_worker *worker = self->worker;
    struct bomp_task *parent = self->current, *task;
    if (bz_unlikely(!task_args_are_small(size, align)) || bz_unlikely(parent->flags & BOMP_TASK_STACK) ||
        bz_unlikely(!(task = small_new(worker, parent, fn, size, untied)))) {
        defer_plain(fn, data, self, size, align, untied);
        return;
    }
    task_args_copy(bomp_task_small_args(task), data, size);
    if (self->queue_private)
        begin_and_queue(self, worker, parent, task, fn, true, BOMP_TASK_QUEUE_PRIVATE);
    else
        begin_and_queue(self, worker, parent, task, fn, true, BOMP_TASK_QUEUE);
}

/* The same with a copy function. */
__attribute__((noinline)) static void
defer_copied(struct bomp_member *self, const struct bomp_task_spec *spec, enum bomp_task_way way) {
    struct bomp_task *task = NULL;
    if (bz_likely(spec->size <= BZ_SLAB_MAX - BOMP_TASK_ARGS && spec->align <= 16) &&
        !(self->current->flags & BOMP_TASK_STACK))
        task = small_new(self->worker, self->current, spec->fn, spec->size, spec->untied);
    if (bz_unlikely(!task)) {
        carry_out(self, spec, way);
        return;
    }
    bomp_task_copy_arguments(self, task, spec->copy, spec->data);
    begin_and_queue(self, self->worker, self->current, task, spec->fn, true, way);
}

/* With little stack left. */
BZ_COLD static void run_plain(struct bomp_member *self, void (*fn)(void *), void *data) {
    bomp_task_run_now(self, &(struct bomp_task_spec){.fn = fn, .data = data});
}

/* For what the next two do not decide. */
__attribute__((noinline)) static void create_rare(void (*fn)(void *), void *data,
                                                  void (*copy)(void *, void *), size_t size, size_t align,
                                                  unsigned untied) {
    struct bomp_member *self = bomp_self_if_any();
    BOMP_ENTERED();
    const struct bomp_task_spec spec = {
        .fn = fn, .data = data, .copy = copy, .size = size, .align = align, .untied = untied};
    if (bz_unlikely(!self || self->current->flags & (BOMP_TASK_NO_PLAIN & ~BOMP_TASK_PRODUCER))) {
        bomp_task_create(&spec);
        return;
    }
    self->current->created++;
    enum bomp_task_way way = bomp_task_decide_plain(self, fn);
    if (way != BOMP_TASK_RUN)
        defer_copied(self, &spec, way);
    else if (bz_likely(bz_stack_is_left(self->worker)))
        run_at_once(self, self->current, bomp_task_copy_and_run, (void *)&spec, 0);
    else
        bomp_task_run_now(self, &spec);
}

/* A child of a task of which a tool is told, of an entry point that has jumped to here. */
__attribute__((noinline)) static void create_told_here(void (*fn)(void *), void *data,
                                                       void (*copy)(void *, void *), size_t size,
                                                       size_t align, unsigned untied) {
    struct bomp_member *self = bomp_self_if_any();
    if (bz_unlikely(!only_told(self))) {
        create_rare(fn, data, copy, size, align, untied);
        return;
    }
    bomp_tool_entered(__builtin_return_address(0), __builtin_dwarf_cfa());
    self->current->created++;
    enum bomp_task_way way = bomp_task_decide_plain(self, fn);
    bool runs = way == BOMP_TASK_RUN && bz_likely(bz_stack_is_left(self->worker));
    if (runs && !copy) {
        bomp_told_at_once(self, fn, data, untied);
        return;
    }
    const struct bomp_task_spec spec = {
        .fn = fn, .data = data, .copy = copy, .size = size, .align = align, .untied = untied};
    if (runs) /* the new task copies */
        bomp_told_at_once(self, bomp_task_copy_and_run, (void *)&spec, untied);
    else
        carry_out_told(self, &spec, way);
}

/* Children of tasks in slab objects. */
__attribute__((noinline)) static void create_plain(void (*fn)(void *), void *data,
                                                   void (*copy)(void *, void *), size_t size, size_t align,
                                                   unsigned untied) {
    struct bomp_member *self = bomp_self_if_any();
    if (bz_unlikely(!self || copy || self->current->flags & (BOMP_TASK_NO_PLAIN & ~BOMP_TASK_PRODUCER))) {
        create_rare(fn, data, copy, size, align, untied);
        return;
    }
    struct bomp_task *outer = self->current;
    outer->created++;
    if (bomp_task_decide_plain(self, fn) != BOMP_TASK_RUN)
        defer_small(fn, data, self, size, align, untied);
    else if (bz_likely(bz_stack_is_left(self->worker)))
        run_at_once(self, outer, fn, data, 0);
    else
        run_plain(self, fn, data);
}

/* What the next one has made and does not queue itself. */
__attribute__((noinline)) static void queue_few(struct bomp_task *task) {
    struct bomp_member *self = bz_context;
    begin_and_queue(self, self->worker, self->current, task, task->fn, true, bomp_task_queued_way(self));
}

/* `defer_small` with one or two words of arguments, where bomp_task_plain has room for it: no register more is kept, and
 * only jumps leave it. */
BZ_INLINE void defer_few(void (*fn)(void *), void *data, struct bomp_member *self, size_t size, size_t align,
                         unsigned untied) {
    struct bomp_task *parent = self->current, *task;
    if (bz_unlikely(!task_args_are_few(size)) || bz_unlikely(align > 16)) {
        defer_small(fn, data, self, size, align, untied);
        return;
    }
    if (bz_unlikely(!(task = small_new(self->worker, parent, fn, 16, untied)))) {
        defer_small(fn, data, self, size, 16, untied); /* as much as it will be aligned to */
        return;
    }
    task_args_copy_few(bomp_task_small_args(task), data, size);
    struct bz_worker *worker = self->worker;
    if (bz_unlikely(parent->group) || bz_unlikely(parent->created >= BOMP_PRODUCER) ||
        bz_unlikely(!self->queue_private)) {
        queue_few(task);
        return;
    }
    bz_tally_add(&parent->children);
    bz_worker_begin(worker);
    task->job.run = bomp_task_run_small;
    queue(worker, task, BOMP_TASK_QUEUE_PRIVATE);
}

/* What bomp_task_decide_plain would say, where it is quick to find out: a child that is queued since the queue is short, or
 * one of a task on the stack that runs there, too. What is rare is a jump with the same arguments in the same places. */
BZ_LINE_START
void bomp_task_plain(void (*fn)(void *), void *data, void (*copy)(void *, void *), size_t size, size_t align,
                     unsigned untied) {
    struct bomp_member *self = bomp_self_if_any();
    if (bz_unlikely(!self)) {
        create_plain(fn, data, copy, size, align, untied);
        return;
    }
    struct bomp_task *outer = self->current;
    uint32_t ruled = outer->flags & (BOMP_TASK_NO_PLAIN | BOMP_TASK_STACK);
    __asm__(
        ""
        : "+r"(ruled)); /* keeps the compiler from keeping all flags, which would take one register more */
    if (bz_unlikely(ruled != BOMP_TASK_STACK)) {
        if (!ruled && !copy && bomp_task_is_queue_short(self)) {
            outer->created++;
            defer_few(fn, data, self, size, align, untied);
        } else if (ruled & BOMP_TASK_TOOL) {
            create_told_here(fn, data, copy, size, align, untied);
        } else {
            create_plain(fn, data, copy, size, align, untied);
        }
        return;
    }
    if (bz_unlikely(copy) || bomp_task_is_queue_short(self) || bz_unlikely(bomp_task_is_sought(self)) ||
        bz_unlikely(!bz_stack_is_left(self->worker))) {
        create_plain(fn, data, copy, size, align, untied);
        return;
    }
    outer->created++;
    run_at_once(self, outer, fn, data, 0);
}

/* ---- the same with reserved arguments ---- */

/* What is described, and goes the way of all. */
__attribute__((noinline)) static void create_described(struct bomp_member *self, void *args,
                                                       void (*fn)(void *), unsigned untied,
                                                       enum bomp_task_way way) {
    const struct bomp_task_spec spec = {
        .fn = fn, .data = args, .align = 1, .untied = untied, .reserved = true};
    if (self->current->flags & BOMP_TASK_TOOL)
        carry_out_told(self, &spec, way);
    else
        carry_out(self, &spec, way);
}

/* Gives a plain one's arguments back, which the worker itself has reserved. */
BZ_INLINE void end_reserved(void *args, struct bz_worker *worker) {
    struct bomp_task *task = bomp_task_of_reserved(args);
    if (bz_unlikely(task->flags & BOMP_TASK_HAS_EXTRA))
        bomp_task_release(args);
    else
        bz_worker_put_back(worker, task);
}

/* Queues the child of a task in a slab object, of which no tool is told. `inherited`: of the parent's flags. */
BZ_INLINE void queue_reserved(struct bomp_member *self, struct bomp_task *parent, void *args,
                              void (*fn)(void *), unsigned untied, uint32_t inherited,
                              enum bomp_task_way way) {
    struct bomp_task *task = bomp_task_of_reserved(args);
    task->data = args;
    task_init(task, parent, fn, untied);
    task->flags |= inherited;
    begin_and_queue(self, self->worker, parent, task, bomp_task_reserved_kind(args), task->flags == 0, way);
}

/* The same where a tool is told. False: no memory, nothing has happened. */
__attribute__((noinline)) static bool queue_told(struct bomp_member *self, void *args, unsigned untied,
                                                 enum bomp_task_way way) {
    struct bomp_task *parent = self->current, *task = bomp_task_of_reserved(args);
    task->data = args;
    task_init(task, parent, bomp_task_run_code, untied);
    task->flags |= parent->flags & BOMP_TASK_INHERITED;
    struct bomp_tool_task *creator = bomp_told_queued(self, task, untied);
    if (bz_unlikely(!creator))
        return false;
    begin_told(self, task, bomp_task_reserved_kind(args), way);
    creator->frame.enter_frame.ptr = NULL;
    return true;
}

/* Children of tasks that have rules, or of which a tool is told. */
__attribute__((noinline)) static int create_ruled(void *args, void (*fn)(void *), unsigned untied) {
    struct bomp_member *self = bomp_self_if_any();
    const uint32_t usual = BOMP_TASK_PRODUCER | BOMP_TASK_POLLS | BOMP_TASK_TOOL;
    struct bomp_task *parent = self->current;
    bool is_told = parent->flags & BOMP_TASK_TOOL;
    BOMP_ENTERED();
    if (bz_unlikely(is_told && fn != bomp_task_run_code) ||
        bz_unlikely(parent->flags & (BOMP_TASK_NO_PLAIN & ~usual))) {
        const struct bomp_task_spec spec = {
            .fn = fn, .data = args, .align = 1, .untied = untied, .reserved = true};
        bomp_task_create(&spec);
        return 0;
    }
    parent->created++;
    enum bomp_task_way way = bomp_task_decide_reserved(self, args);
    if (is_told && way == BOMP_TASK_RUN && bz_likely(bz_stack_is_left(self->worker))) {
        bomp_told_at_once_reserved(self, args, untied);
        end_reserved(args, self->worker);
    } else if (way == BOMP_TASK_RUN || bz_unlikely(parent->flags & BOMP_TASK_STACK)) {
        create_described(self, args, fn, untied, way);
    } else if (is_told) {
        if (bz_unlikely(!queue_told(self, args, untied, way)))
            create_described(self, args, fn, untied, way);
    } else {
        queue_reserved(self, parent, args, fn, untied, parent->flags & BOMP_TASK_INHERITED, way);
    }
    relieve(self);
    return 0;
}

/* Children of tasks in slab objects, as in create_plain. */
__attribute__((noinline)) static int create_reserved(void *args, void (*fn)(void *), unsigned untied) {
    struct bomp_member *self = bomp_self_if_any();
    struct bomp_task *outer = self->current;
    outer->created++;
    enum bomp_task_way way = bomp_task_decide_reserved(self, args);
    if (way == BOMP_TASK_RUN && bz_likely(bz_stack_is_left(self->worker))) {
        run_at_once(self, outer, fn, args, 0);
        end_reserved(args, self->worker);
    } else if (way == BOMP_TASK_RUN || bz_unlikely(outer->flags & BOMP_TASK_STACK)) {
        create_described(self, args, fn, untied, way);
    } else {
        queue_reserved(self, outer, args, fn, untied, 0, way);
    }
    return 0;
}

/* The child of a task on the stack that runs there, too, as in bomp_task_plain. Whoever has reserved its arguments is a
 * member of a team. */
BZ_INLINE int plain_reserved(void *args, void (*fn)(void *), unsigned untied) {
    struct bomp_member *self = bomp_self_if_any();
    struct bomp_task *outer = self->current;
    const uint32_t ruled = outer->flags & (BOMP_TASK_NO_PLAIN | BOMP_TASK_STACK);
    if (bz_unlikely(ruled != BOMP_TASK_STACK) && ruled & (BOMP_TASK_NO_PLAIN & ~BOMP_TASK_PRODUCER))
        return create_ruled(args, fn, untied);
    if (bz_unlikely(ruled != BOMP_TASK_STACK) || bomp_task_is_queue_short(self) ||
        bz_unlikely(bomp_task_is_sought(self)) || bz_unlikely(!bz_stack_is_left(self->worker)))
        return create_reserved(args, fn, untied);
    outer->created++;
    run_at_once(self, outer, fn, args, 0);
    end_reserved(args, self->worker);
    return 0;
}

BZ_LINE_START
int bomp_task_plain_reserved(void *args) {
    return plain_reserved(args, bomp_task_run_code, 0);
}

BZ_LINE_START
int bomp_task_plain_untied(void *args, void (*fn)(void *)) {
    return plain_reserved(args, fn, BOMP_TASK_UNTIED);
}
