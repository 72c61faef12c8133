/* Tasks: their creation, begin and end, and the frames of their bodies. */
#include "omp/task/task.h"
#include "omp/base/report.h"
#include "omp/task/cancelled.h"
#include "omp/task/depend_node.h"
#include "omp/task/event.h"
#include "omp/task/task_policy.h"
#include "omp/task/task_reserve.h"
#include "omp/task/taskgroup.h"
#include "ompt/notify.h"

/* ---- creation ---- */

/* What it depends on is reported from the stack, up to this many. */
enum { DEPENDENCES = 32 };

static const ompt_dependence_type_t types[] = {
    [BOMP_DEPEND_IN] = ompt_dependence_type_in,
    [BOMP_DEPEND_OUT] = ompt_dependence_type_inout,
    [BOMP_DEPEND_MUTEX] = ompt_dependence_type_mutexinoutset,
    [BOMP_DEPEND_INOUTSET] = ompt_dependence_type_inoutset,
    [BOMP_DEPEND_ALL] = ompt_dependence_type_out_all_memory,
};

/* In the program's order: those that name all memory were put first (bomp_depend_put). */
static void in_order(ompt_dependence_t *items, const struct bomp_depend_list *list) {
    for (size_t i = 0; i < list->count; i++) {
        items[i].variable.ptr = (void *)(uintptr_t)list->items[i].address;
        items[i].dependence_type = types[list->items[i].kind];
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

static void report_dependences(struct bomp_tool_task *tool, const struct bomp_depend_list *list) {
    ompt_dependence_t few[DEPENDENCES], *items = few;
    if (list->count == 0)
        return;
    if (list->count > DEPENDENCES && !(items = bz_alloc(list->count * sizeof *items)))
        bomp_no_memory("what a task depends on, for tools");
    in_order(items, list);
    OMPT_NOTIFY(dependences, dependences, OMPT_WORD(tool), items, (int)list->count);
    if (items != few)
        bz_free(items);
}

/* By its own clause, its parent's final one, or the rule for teams of one; not because it was found to be as good. */
static bool is_undeferred(const struct bomp_member *self, const struct bomp_task_spec *spec) {
    return spec->undeferred || self->current->flags & BOMP_TASK_FINAL ||
           bomp_task_runs_alone(self, spec->reserved);
}

static int flags_of(const struct bomp_member *self, const struct bomp_task_spec *spec) {
    uint32_t flags = spec->observed_as & BOMP_AS_TARGET     ? ompt_task_target
                     : spec->observed_as & BOMP_AS_TASKWAIT ? ompt_task_taskwait
                                                            : ompt_task_explicit;
    if (is_undeferred(self, spec))
        flags |= (uint32_t)ompt_task_undeferred;
    if (spec->untied)
        flags |= (uint32_t)ompt_task_untied;
    if (spec->final || self->current->flags & BOMP_TASK_FINAL)
        flags |= (uint32_t)ompt_task_final;
    if (spec->observed_as & BOMP_AS_MERGEABLE)
        flags |= (uint32_t)ompt_task_mergeable;
    return (int)flags;
}

/* What is not set is not read before it begins. Not all of it at once: that would take longer than the rest of the event. */
static inline void init(struct bomp_tool_task *tool, int flags, const struct bomp_task_spec *spec,
                        ompt_dispatch_chunk_t part) {
    tool->words = (struct bomp_tool_words){0};
    tool->frame = (ompt_frame_t){0};
    tool->flags = flags;
    tool->args = spec->reserved ? spec->data : NULL;
    tool->part = part;
    tool->outer = NULL;
    tool->event = NULL;
    if (spec->reserved)
        tool->body.code = bomp_task_reserved_code(spec->data);
    else
        tool->body.fn = spec->fn;
}

static void create(struct bomp_member *self, struct bomp_tool_task *tool, const struct bomp_task_spec *spec) {
    struct bomp_tool_task *creator = ompt_current(self);
    int has = spec->depend.count > 0;
    init(tool, flags_of(self, spec), spec, self->tool.part);
    self->tool.part.iterations = 0;
    self->tool.creates = tool;
    const void *code = ompt_site(self, bomp_take_code());
    const void *entry = spec->reserved ? code : ompt_entry((const void *)(uintptr_t)spec->fn, code);
    OMPT_NOTIFY(task_create, task_create, OMPT_WORD(creator), &creator->frame, OMPT_WORD(tool), tool->flags,
                has, OMPT_PLACE(code, entry));
    report_dependences(tool, &spec->depend);
}

/* It was cancelled before it began, with the member's region or the task's group. */
static void discard(struct bomp_member *self, struct bomp_tool_task *tool) {
    int what = bomp_cancel_seen(self) ? ompt_cancel_parallel : ompt_cancel_taskgroup;
    OMPT_NOTIFY(cancel, cancel, OMPT_WORD(tool), what | ompt_cancel_discarded_task, NULL);
}

static void depend(const struct bomp_node *predecessor) {
    const struct bomp_member *self = bz_context;
    struct bomp_tool_task *source =
        bz_container_of((struct bomp_node *)predecessor, struct bomp_task_extra, node)->tool;
    struct bomp_tool_task *sink = self ? self->tool.creates : NULL;
    if (source && sink)
        OMPT_NOTIFY(task_dependence, task_dependence, OMPT_WORD(source), OMPT_WORD(sink));
}

/* ---- calls of the program ---- */

void ompt_enter_noted(struct bomp_tool_task *task) {
    const void *from = bomp_entered.frame;
    bomp_entered.frame = NULL;
    ompt_enter_frame(task, from ? from : __builtin_frame_address(0), ompt_frame_cfa);
}

static void enter(struct bomp_member *self) {
    ompt_enter_noted(ompt_current(self));
}

static void leave(struct bomp_member *self) {
    ompt_current(self)->frame.enter_frame.ptr = NULL;
}

/* ---- begin and end ---- */

static void schedule(struct bomp_tool_task *prior, ompt_task_status_t status, struct bomp_tool_task *next) {
    OMPT_NOTIFY(task_schedule, task_schedule, OMPT_WORD(prior), status, OMPT_WORD(next));
}

/* Whether the task that begins has a stack of its own: no other task was resumed since the current one was suspended. */
BZ_INLINE bool takes_no_place(struct bomp_member *self) {
    bool fresh = self->tool.left;
    self->tool.left = NULL;
    return fresh;
}

static ompt_task_status_t status_of(const struct bomp_member *self) {
    return self->tool.yields ? ompt_task_yield : ompt_task_switch;
}

static void report_part(struct bomp_member *self, struct bomp_task *task, struct bomp_tool_task *tool) {
    struct bomp_task *outer = self->current;
    struct bomp_tool_region *region = ompt_region(self);
    self->current = task; /* which the tool may ask for */
    OMPT_NOTIFY(dispatch, dispatch, OMPT_WORD(region), OMPT_WORD(tool), ompt_dispatch_taskloop_chunk,
                (ompt_data_t){.ptr = &tool->part});
    self->current = outer;
}

/* Between here and its end it counts as having something to wait for: see BOMP_TASK_OBSERVES_WAITS. */
static void begin_at(struct bomp_member *self, struct bomp_task *task, const void *frame, int frame_flags) {
    struct bomp_tool_task *tool = ompt_task_of(task);
    tool->outer = takes_no_place(self) ? NULL : self->current;
    schedule(ompt_current(self), status_of(self), tool);
    self->tool.yields = false;
    tool->frame.exit_frame.ptr = (void *)(uintptr_t)frame; /* it leaves the runtime for the body */
    tool->frame.exit_frame_flags = frame_flags;
    tool->state = ompt_enter_state(ompt_state_work_parallel);
    if (bz_unlikely(tool->part.iterations > 0))
        report_part(self, task, tool);
    task->children.local = BOMP_TASK_OBSERVES_WAITS; /* no children before it runs */
}

/* The task that is resumed when one ends that began on a stack of its own: see bz_coroutine. */
static struct bomp_task *resumed_next(struct bomp_member *self) {
    const struct bz_coroutine *coroutine = bz_worker_last_suspended(self->worker);
    return coroutine ? coroutine->kept : &self->implicit;
}

BZ_INLINE void end_as(struct bomp_member *self, struct bomp_tool_task *tool, ompt_task_status_t status) {
    tool->frame.exit_frame.ptr = NULL;
    schedule(tool, status, ompt_task_of(tool->outer ? tool->outer : resumed_next(self)));
    (void)ompt_enter_state(tool->state);
}

/* What is cancelled ends cancelled, whether it has noticed or not. */
static ompt_task_status_t status_of_ran(const struct bomp_member *self, const struct bomp_task *task) {
    bool cancelled = task->flags & BOMP_TASK_CANCELLABLE && bomp_cancel_discards(self, task->group);
    return cancelled ? ompt_task_cancel : ompt_task_complete;
}

static void end(struct bomp_member *self, struct bomp_task *task, bool ran) {
    struct bomp_tool_task *tool = ompt_task_of(task);
    struct bomp_event *event = tool->event;
    if (!ran) {
        if (!event) /* else its event goes first */
            discard(self, tool);
        return;
    }
    task->children.local -= BOMP_TASK_OBSERVES_WAITS;
    if (tool->args)
        bomp_task_set_reserved_code(tool->args, tool->body.code);
    if (!event) {
        end_as(self, tool, status_of_ran(self, task));
    } else if (bomp_event_leave_body(event)) {
        end_as(self, tool, ompt_task_complete);
    } else {
        end_as(self, tool, ompt_task_detach);
        bomp_event_left(event);
    }
}

static void suspend(struct bomp_member *self) {
    self->tool.left = self->current;
}

static void resume(struct bomp_member *self, struct bomp_task *task) {
    struct bomp_task *left = self->tool.left;
    self->tool.left = NULL;
    if (left)
        schedule(ompt_task_of(left), status_of(self), ompt_task_of(task));
    self->tool.yields = false;
}

/* ---- bodies ----
 *
 * What calls the program's function has to have a frame, whose address tools get: so these two call it. The task may move
 * meanwhile, but not what is kept of it. */

static int framed_code(int id, void *args) {
    struct bomp_tool_task *tool = ompt_current(bomp_self());
    ompt_exit_frame(tool, __builtin_frame_address(0), ompt_frame_framepointer);
    int result = tool->body.code(id, args);
    ompt_exit_frame(tool, NULL, ompt_frame_framepointer);
    return result;
}

static void framed_fn(void *data) {
    struct bomp_tool_task *tool = ompt_current(bomp_self());
    ompt_exit_frame(tool, __builtin_frame_address(0), ompt_frame_framepointer);
    tool->body.fn(data);
    ompt_exit_frame(tool, NULL, ompt_frame_framepointer);
}

enum { IN_RUNTIME = ompt_frame_runtime | ompt_frame_framepointer };

/* The function to call in fn's place. */
static void (*frame(struct bomp_tool_task *tool, void (*fn)(void *)))(void *) {
    if (!tool->args)
        return fn == tool->body.fn ? framed_fn : fn;
    bomp_task_set_reserved_code(tool->args, framed_code);
    return fn;
}

/* It takes the place of its parent. */
static void run(struct bomp_member *self, void (*fn)(void *), void *data) {
    struct bomp_task *task = self->current;
    task->data = self->tool.creates;
    self->current = bz_load_relaxed(&task->parent); /* relaxed: constant since its creation */
    begin_at(self, task, __builtin_frame_address(0), IN_RUNTIME);
    self->current = task;
    frame(task->data, fn)(data);
    end(self, self->current, true);
}

static bool is_discarded(const struct bomp_member *self, const struct bomp_task *task) {
    return (task->flags & BOMP_TASK_CANCELLABLE) && (task->flags & BOMP_TASK_PHASE) != BOMP_TASK_COPIED &&
           bomp_cancel_discards(self, task->group);
}

/* A task whose begin was reported runs, whatever is cancelled meanwhile. */
static void begin(struct bomp_member *self, struct bomp_task *task) {
    if (bz_unlikely(is_discarded(self, task)))
        return;
    bomp_task_set_phase(task, BOMP_TASK_COPIED);
    begin_at(self, task, __builtin_frame_address(0), IN_RUNTIME);
    task->fn = frame(ompt_task_of(task), task->fn);
}

/* The program calls the body of an undeferred task itself, from the function that has called us, at the stack pointer
 * `called`. If that keeps a frame pointer, and so do all from there to the frame of ours that called the program, a chain
 * of them leads from one to the other, upwards: then that function's is the first of it. So nothing is read that is not in
 * between. `base`: of ours, below. NULL: there is no such chain. */
static const void *frame_of_caller(const void *base, const void *called, const ompt_frame_t *program) {
    const uintptr_t first = (uintptr_t)called, last = (uintptr_t)program->exit_frame.ptr;
    uintptr_t at = (uintptr_t)base, found = 0;
    if (!base || !last || program->exit_frame_flags & ompt_frame_cfa)
        return NULL;
    while (at < last && at % sizeof(void *) == 0) {
        uintptr_t next = *(const uintptr_t *)at;
        if (next <= at)
            return NULL;
        at = next;
        if (!found && at >= first)
            found = at;
    }
    return at == last ? (const void *)found : NULL;
}

/* The creation of a detached one was reported already. */
static void begin_in_program(struct bomp_member *self, struct bomp_task *task,
                             const struct bomp_task_spec *spec) {
    if (!spec->detach)
        create(self, ompt_task_of(task), spec);
    const ompt_frame_t *outer = &ompt_current(self)->frame;
    const void *called = outer->enter_frame.ptr;
    const void *caller = frame_of_caller(self->tool.base, called, outer);
    self->tool.base = NULL;
    if (caller)
        begin_at(self, task, caller, ompt_frame_application | ompt_frame_framepointer);
    else
        begin_at(self, task, called, ompt_frame_runtime | ompt_frame_cfa); /* our frame ends there */
}

/* ---- the rest ---- */

static void waited(struct bomp_tool_task *tool) {
    schedule(tool, ompt_taskwait_complete, NULL);
}

static void fulfill(struct bomp_tool_task *tool, bool late) {
    schedule(tool, late ? ompt_task_late_fulfill : ompt_task_early_fulfill, NULL);
}

const struct bomp_task_hooks ompt_task_hooks = {
    .enter = enter,
    .leave = leave,
    .create = create,
    .waited = waited,
    .depend = depend,
    .run = run,
    .begin = begin,
    .begin_in_program = begin_in_program,
    .end = end,
    .discard = discard,
    .fulfill = fulfill,
    .suspend = suspend,
    .resume = resume,
};
