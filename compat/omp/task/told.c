#include "omp/task/told.h"

#include "omp/state/cancel.h"
#include "omp/state/group.h"
#include "omp/task/depend_node.h"
#include "omp/task/event.h"
#include "omp/task/task.h"
#include "omp/task/task_inner.h"
#include "omp/task/task_policy.h"
#include "omp/task/task_reserve.h"
#include "omp/task/task_run.h"
#include "omp/tool/thread.h"

/* ---- creation ---- */

/* What it depends on is told from the stack, up to this many. */
enum { DEPENDENCES = 32 };

static ompt_dependence_type_t type_of(enum bomp_depend_kind kind) {
    switch (kind) {
    case BOMP_DEPEND_IN:
        return ompt_dependence_type_in;
    case BOMP_DEPEND_OUT:
        return ompt_dependence_type_inout;
    case BOMP_DEPEND_MUTEX:
        return ompt_dependence_type_mutexinoutset;
    case BOMP_DEPEND_INOUTSET:
        return ompt_dependence_type_inoutset;
    case BOMP_DEPEND_ALL:
        return ompt_dependence_type_out_all_memory;
    }
    return ompt_dependence_type_inout;
}

/* In the order in which the program has them: what names all memory has been put first (bomp_depend_put). */
static void in_order(ompt_dependence_t *items, const struct bomp_depend_list *list) {
    for (size_t i = 0; i < list->count; i++) {
        items[i].variable.ptr = (void *)(uintptr_t)list->items[i].address;
        items[i].dependence_type = type_of(list->items[i].kind);
    }
    for (size_t at; items[0].dependence_type == ompt_dependence_type_out_all_memory;) {
        at = (uintptr_t)items[0].variable.ptr;
        items[0].variable.ptr = NULL;
        if (at == 0)
            return;
        ompt_dependence_t all = items[0];
        items[0] = items[at];
        items[at] = all;
    }
}

static void tell_dependences(struct bomp_tool_task *tool, const struct bomp_depend_list *list) {
    if (list->count == 0 || !bomp_is_told(ompt_callback_dependences))
        return;
    ompt_dependence_t few[DEPENDENCES], *items = few;
    if (list->count > DEPENDENCES && !(items = bz_alloc(list->count * sizeof *items)))
        bomp_no_memory("what a tool is told of dependences");
    in_order(items, list);
    BOMP_TELL(dependences, dependences, BOMP_WORD(tool), items, (int)list->count);
    if (items != few)
        bz_free(items);
}

/* By its own clause, its parent's final one, or the rule for teams of one; not because it was found to be as good. */
static bool is_undeferred(const struct bomp_member *self, const struct bomp_task_spec *spec) {
    return spec->undeferred || self->current->flags & BOMP_TASK_FINAL ||
           bomp_task_runs_alone(self, spec->reserved);
}

static int flags_of(const struct bomp_member *self, const struct bomp_task_spec *spec) {
    uint32_t flags = spec->told_as & BOMP_TOLD_TARGET     ? ompt_task_target
                     : spec->told_as & BOMP_TOLD_TASKWAIT ? ompt_task_taskwait
                                                          : ompt_task_explicit;
    if (is_undeferred(self, spec))
        flags |= (uint32_t)ompt_task_undeferred;
    if (spec->untied)
        flags |= (uint32_t)ompt_task_untied;
    if (spec->final || self->current->flags & BOMP_TASK_FINAL)
        flags |= (uint32_t)ompt_task_final;
    if (spec->told_as & BOMP_TOLD_MERGEABLE)
        flags |= (uint32_t)ompt_task_mergeable;
    return (int)flags;
}

/* What is not set is not read before it begins. Not all of it at once: that would take longer than the rest of the event. */
static inline void init(struct bomp_tool_task *tool, int flags, const struct bomp_task_spec *spec,
                        ompt_dispatch_chunk_t part) {
    tool->words = (struct bomp_tool_words){0};
    tool->frame = (ompt_frame_t){0};
    tool->flags = flags;
    tool->reserved = spec->reserved;
    tool->part = part;
    tool->outer = NULL;
    if (spec->reserved)
        tool->body.code = bomp_task_reserved_code(spec->data);
    else
        tool->body.fn = spec->fn;
}

static BZ_COLD void create_for_all(struct bomp_tool_task *creator, struct bomp_tool_task *tool, int has,
                                   const void *code) {
    BOMP_TELL(task_create, task_create, BOMP_WORD(creator), &creator->frame, BOMP_WORD(tool), tool->flags,
              has, code);
}

BZ_INLINE void created(const struct bomp_member *self, struct bomp_tool_task *creator,
                       struct bomp_tool_task *tool, int has) {
    const void *code = bomp_tool_code(self, bomp_tool_take_code());
    if (!BOMP_TELL_ALONE(task_create, task_create, BOMP_WORD(creator), &creator->frame, BOMP_WORD(tool),
                         tool->flags, has, code))
        create_for_all(creator, tool, has, code);
}

void bomp_told_created(struct bomp_member *self, struct bomp_tool_task *tool,
                       const struct bomp_task_spec *spec) {
    int has = spec->depend.count > 0;
    init(tool, flags_of(self, spec), spec, self->told.part);
    self->told.part.iterations = 0;
    created(self, bomp_tool_current(self), tool, has);
    if (has)
        tell_dependences(tool, &spec->depend);
}

void bomp_told_dependence(const struct bomp_node *predecessor) {
    const struct bomp_member *self = bz_context;
    struct bomp_tool_words *source = (struct bomp_tool_words *)(uintptr_t)(predecessor + 1);
    struct bomp_tool_task *sink = self ? self->told.creates : NULL;
    if (predecessor->task && sink)
        BOMP_TELL(task_dependence, task_dependence, &source->of[client], BOMP_WORD(sink));
}

/* ---- calls of the program ---- */

BZ_INLINE void enter(struct bomp_tool_task *tool) {
    const void *from = bomp_entered.frame;
    bomp_entered.frame = NULL;
    tool->frame.enter_frame.ptr = from ? (void *)(uintptr_t)from : __builtin_frame_address(0);
    tool->frame.enter_frame_flags = ompt_frame_runtime | ompt_frame_cfa;
}

void bomp_told_enter(struct bomp_member *self) {
    enter(bomp_tool_current(self));
}

void bomp_told_leave(struct bomp_member *self) {
    bomp_tool_current(self)->frame.enter_frame.ptr = NULL;
}

/* ---- begin and end ---- */

static BZ_COLD void schedule_for_all(struct bomp_tool_task *prior, ompt_task_status_t status,
                                     struct bomp_tool_task *next) {
    BOMP_TELL(task_schedule, task_schedule, BOMP_WORD(prior), status, BOMP_WORD(next));
}

BZ_INLINE void schedule(struct bomp_tool_task *prior, ompt_task_status_t status,
                        struct bomp_tool_task *next) {
    if (!BOMP_TELL_ALONE(task_schedule, task_schedule, BOMP_WORD(prior), status, BOMP_WORD(next)))
        schedule_for_all(prior, status, next);
}

/* Whether what begins now does so on a stack of its own: nobody else has gone on since the current task was suspended. */
BZ_INLINE bool takes_no_place(struct bomp_member *self) {
    bool fresh = self->told.left;
    self->told.left = NULL;
    return fresh;
}

static ompt_task_status_t status_of(const struct bomp_member *self) {
    return self->told.yields ? ompt_task_yield : ompt_task_switch;
}

BZ_COLD static void tell_part(struct bomp_member *self, struct bomp_task *task, struct bomp_tool_task *tool) {
    struct bomp_task *outer = self->current;
    self->current = task; /* whom the tool may ask for */
    BOMP_TELL(dispatch, dispatch, BOMP_WORD(bomp_tool_region(self)), BOMP_WORD(tool),
              ompt_dispatch_taskloop_chunk, (ompt_data_t){.ptr = &tool->part});
    self->current = outer;
}

void bomp_told_begin(struct bomp_member *self, struct bomp_task *task, const void *frame) {
    struct bomp_tool_task *tool = bomp_tool_of(task);
    tool->outer = takes_no_place(self) ? NULL : self->current;
    schedule(bomp_tool_current(self), status_of(self), tool);
    self->told.yields = false;
    tool->frame.exit_frame.ptr = (void *)(uintptr_t)frame; /* it leaves the runtime for the body */
    tool->frame.exit_frame_flags = ompt_frame_runtime | ompt_frame_framepointer;
    tool->state = bomp_tool_state(ompt_state_work_parallel);
    if (bz_unlikely(tool->part.iterations > 0))
        tell_part(self, task, tool);
}

/* Who goes on when a task ends that began on a stack of its own: see bz_coroutine. */
static struct bomp_task *resumed_next(struct bomp_member *self) {
    const struct bz_coroutine *coroutine = bz_worker_last_suspended(self->worker);
    return coroutine ? coroutine->kept : &self->implicit;
}

BZ_INLINE void end_as(struct bomp_member *self, struct bomp_tool_task *tool, ompt_task_status_t status) {
    tool->frame.exit_frame.ptr = NULL;
    schedule(tool, status, bomp_tool_of(tool->outer ? tool->outer : resumed_next(self)));
    (void)bomp_tool_state(tool->state);
}

/* What is cancelled ends cancelled, whether it has noticed or not. */
static ompt_task_status_t status_of_ran(const struct bomp_member *self, const struct bomp_task *task) {
    bool cancelled = task->flags & BOMP_TASK_CANCELLABLE && bomp_cancel_discards(self, task->group);
    return cancelled ? ompt_task_cancel : ompt_task_complete;
}

void bomp_told_end(struct bomp_member *self, const struct bomp_task *task, struct bomp_tool_task *tool,
                   struct bomp_event *event) {
    if (!event) {
        end_as(self, tool, status_of_ran(self, task));
    } else if (bomp_event_leave_body(event)) {
        end_as(self, tool, ompt_task_complete);
    } else {
        end_as(self, tool, ompt_task_detach);
        bomp_event_left(event);
    }
}

void bomp_told_suspended(struct bomp_member *self) {
    self->told.left = self->current;
}

void bomp_told_resumed(struct bomp_member *self, struct bomp_task *task) {
    struct bomp_task *left = self->told.left;
    self->told.left = NULL;
    if (left)
        schedule(bomp_tool_of(left), status_of(self), bomp_tool_of(task));
    self->told.yields = false;
}

/* Who calls the program's function has to have a frame, whose address tools are told: so these two do it. The task may move
 * meanwhile, but not what is kept of it. */

static void leave_at(struct bomp_tool_task *tool, const void *frame) {
    tool->frame.exit_frame.ptr = (void *)(uintptr_t)frame;
    tool->frame.exit_frame_flags = ompt_frame_runtime | ompt_frame_framepointer;
}

static int framed_code(int id, void *args) {
    struct bomp_tool_task *tool = bomp_tool_current(bomp_self());
    leave_at(tool, __builtin_frame_address(0));
    int result = tool->body.code(id, args);
    leave_at(tool, NULL);
    return result;
}

static void framed_fn(void *data) {
    struct bomp_tool_task *tool = bomp_tool_current(bomp_self());
    leave_at(tool, __builtin_frame_address(0));
    tool->body.fn(data);
    leave_at(tool, NULL);
}

void bomp_told_frame_code(void *args) {
    bomp_task_set_reserved_code(args, framed_code);
}

void bomp_told_restore_code(struct bomp_tool_task *tool, void *args) {
    bomp_task_set_reserved_code(args, tool->body.code);
}

static void framed_body(struct bomp_task *task, struct bomp_tool_task *tool, struct bz_worker *self) {
    if (tool->reserved)
        bomp_told_frame_code(task->data);
    else
        task->fn = framed_fn;
    (void)bomp_task_body(task, self);
    if (tool->reserved)
        bomp_told_restore_code(tool, task->data);
}

/* ---- on the stack ---- */

static void run_told(void *arg) {
    struct bomp_told *told = arg;
    struct bomp_member *self = bz_context;
    const struct bomp_task_spec *spec = told->spec;
    struct bomp_task *outer = self->current;
    bomp_task_init_at_once(&told->task, outer, outer, told->flags);
    told->task.data = &told->tool;
    told->task.children.local = BOMP_TASK_LOOKS;
    bomp_told_begin(self, &told->task, __builtin_frame_address(0));
    self->current = &told->task;
    self->yields = 0;
    if (spec->reserved)
        bomp_told_frame_code(spec->data);
    if (spec->copy)
        bomp_task_copy_and_run((void *)spec);
    else
        spec->fn(spec->data);
    if (spec->reserved)
        bomp_told_restore_code(&told->tool, spec->data);
    bomp_told_end(self, self->current, &told->tool, told->event);
    self->current->children.local -= BOMP_TASK_LOOKS;
    outer = bz_load_relaxed(&told->task.parent); /* constant, as in run_at_once */
    if (bz_likely(bomp_task_stayed(&told->task, told->flags)))
        self->current = outer;
    else
        bomp_task_end_at_once(self, outer);
}

void bomp_task_run_told(struct bomp_member *self, struct bomp_told *told) {
    if (bz_likely(bz_stack_is_left(self->worker)))
        run_told(told);
    else
        bz_stack_more(self->worker, run_told, told);
}

void bomp_task_run_now_told(struct bomp_member *self, const struct bomp_task_spec *spec,
                            enum bomp_task_way way) {
    struct bomp_told told; /* the rest is for who runs it */
    told.spec = spec;
    told.event = NULL;
    told.flags = (spec->final ? BOMP_TASK_FINAL : 0) | (self->current->flags & BOMP_TASK_INHERITED);
    bomp_told_created(self, &told.tool, spec);
    if (way == BOMP_TASK_RUN)
        bomp_task_run_told(self, &told);
    else if (way == BOMP_TASK_AWAIT)
        bomp_task_run_told_awaited(self, &told);
    else
        bomp_told_discarded(self, &told.tool);
}

static bool is_discarded(const struct bomp_member *self, const struct bomp_task *task) {
    return (task->flags & (BOMP_TASK_CANCELLABLE | BOMP_TASK_COPIED)) == BOMP_TASK_CANCELLABLE &&
           bomp_cancel_discards(self, task->group);
}

/* A task that the tool has heard begin runs, whatever is cancelled meanwhile. */
bool bomp_told_body(struct bomp_task *task, struct bz_worker *self) {
    struct bomp_member *member = bz_worker_context(self);
    struct bomp_tool_task *tool = bomp_tool_of(task);
    if (bz_unlikely(is_discarded(member, task))) {
        (void)bomp_task_body(task, self);        /* it has what is left to do done */
        if (!(task->flags & BOMP_TASK_DETACHED)) /* else its event goes first */
            bomp_told_discarded(member, tool);
        return false;
    }
    task->flags |= BOMP_TASK_COPIED;
    bomp_told_begin(member, task, __builtin_frame_address(0));
    task->children.local = BOMP_TASK_LOOKS; /* it has none before it runs */
    framed_body(task, tool, self);
    task->children.local -= BOMP_TASK_LOOKS;
    bomp_told_end(member, task, tool, task->flags & BOMP_TASK_DETACHED ? &task->extra->event : NULL);
    return true;
}

/* ---- discarded, detached ---- */

void bomp_told_discarded(struct bomp_member *self, struct bomp_tool_task *tool) {
    int what = bomp_cancel_seen(self) ? ompt_cancel_parallel : ompt_cancel_taskgroup;
    BOMP_TELL(cancel, cancel, BOMP_WORD(tool), what | ompt_cancel_discarded_task, NULL);
}

void bomp_told_fulfilled(struct bomp_tool_task *tool, bool late) {
    schedule(tool, late ? ompt_task_late_fulfill : ompt_task_early_fulfill, NULL);
}

/* ---- waits ---- */

void bomp_told_empty_wait(uint32_t clients, struct bomp_member *self, const void *site) {
    struct bomp_tool_task *tool = bomp_tool_current(self);
    enter(tool);
    bomp_tell_empty_wait(clients, self, tool, site);
    tool->frame.enter_frame.ptr = NULL;
}

void bomp_told_waited(struct bomp_tool_task *tool) {
    schedule(tool, ompt_taskwait_complete, NULL);
}

/* ---- taskloops ---- */

void bomp_told_taskloop(struct bomp_member *self, ompt_scope_endpoint_t endpoint, uint64_t count,
                        const void *code) {
    struct bomp_tool_task *tool = bomp_tool_current(self);
    BOMP_TELL(work, work, ompt_work_taskloop, endpoint, BOMP_WORD(bomp_tool_region(self)), BOMP_WORD(tool),
              count, code);
}
