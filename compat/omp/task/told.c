#include "omp/task/told.h"

#include "omp/state/cancel.h"
#include "omp/state/group.h"
#include "omp/task/depend_node.h"
#include "omp/task/event.h"
#include "omp/task/grain.h"
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

bool bomp_told_equip(struct bomp_member *self, struct bomp_task *task, const struct bomp_task_spec *spec) {
    struct bomp_task_extra *extra = bomp_task_extra(task, self->worker);
    if (bz_likely(extra))
        bomp_told_created(self, extra->head.tool, spec);
    return extra;
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

struct bomp_tool_task *bomp_told_queued(struct bomp_member *self, struct bomp_task *task, unsigned untied) {
    struct bomp_task_extra *extra = bomp_task_extra(task, self->worker);
    if (bz_unlikely(!extra))
        return NULL;
    struct bomp_tool_task *tool = extra->head.tool, *creator = bomp_tool_current(self);
    const struct bomp_task_spec spec = {.data = task->data, .reserved = true};
    enter(creator);
    init(tool, (int)(ompt_task_explicit | (untied ? ompt_task_untied : 0)), &spec,
         (ompt_dispatch_chunk_t){0});
    created(self, creator, tool, 0);
    return creator;
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

/* It leaves the runtime for the body. */
BZ_INLINE void begun(struct bomp_tool_task *tool, const void *frame) {
    tool->frame.exit_frame.ptr = (void *)(uintptr_t)frame;
    tool->frame.exit_frame_flags = ompt_frame_runtime | ompt_frame_framepointer;
    tool->state = bomp_tool_state(ompt_state_work_parallel);
}

/* `tool`, `prior`: what is kept of it, and of the current task. */
BZ_INLINE void begin(struct bomp_member *self, struct bomp_task *task, struct bomp_tool_task *tool,
                     struct bomp_tool_task *prior, const void *frame) {
    tool->outer = takes_no_place(self) ? NULL : self->current;
    schedule(prior, status_of(self), tool);
    self->told.yields = false;
    begun(tool, frame);
    if (bz_unlikely(tool->part.iterations > 0))
        tell_part(self, task, tool);
}

void bomp_told_begin(struct bomp_member *self, struct bomp_task *task, const void *frame) {
    begin(self, task, bomp_tool_of(task), bomp_tool_current(self), frame);
}

/* Who goes on when a task ends that began on a stack of its own: see bz_coroutine. */
static struct bomp_task *resumed_next(struct bomp_member *self) {
    const struct bz_coroutine *coroutine = bz_worker_last_suspended(self->worker);
    return coroutine ? coroutine->kept : &self->implicit;
}

BZ_INLINE void end_before(struct bomp_tool_task *tool, ompt_task_status_t status,
                          struct bomp_tool_task *next) {
    tool->frame.exit_frame.ptr = NULL;
    schedule(tool, status, next);
    (void)bomp_tool_state(tool->state);
}

BZ_INLINE void end_as(struct bomp_member *self, struct bomp_tool_task *tool, ompt_task_status_t status) {
    end_before(tool, status, bomp_tool_of(tool->outer ? tool->outer : resumed_next(self)));
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

/* Timed as what it was before. */
static void framed_body(struct bomp_task *task, struct bomp_tool_task *tool, struct bz_worker *self,
                        uint64_t limit) {
    void (*kind)(void *) = bomp_grain_kind(task);
    if (tool->reserved)
        bomp_told_frame_code(task->data);
    else
        task->fn = framed_fn;
    if (task->flags & BOMP_TASK_TIMED)
        (void)bomp_grain_body_of(kind, task, self, limit);
    else
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
    told.flags = (spec->final ? BOMP_TASK_FINAL : 0) | (self->current->flags & BOMP_TASK_INHERITED) |
                 (spec->undeferred ? bomp_task_alone_flags(self) : 0);
    bomp_told_created(self, &told.tool, spec);
    if (way == BOMP_TASK_RUN)
        bomp_task_run_told(self, &told);
    else if (way == BOMP_TASK_AWAIT)
        bomp_task_run_told_awaited(self, &told);
    else
        bomp_told_discarded(self, &told.tool);
}

/* ---- all of it in one piece ---- */

/* One client: by one event, or two. */
BZ_INLINE void run_for(unsigned client, struct bomp_tool_task *creator, struct bomp_tool_task *tool,
                       ompt_task_status_t status, const void *code) {
    bomp_tool_run_t run =
        (bomp_tool_run_t)bz_load_relaxed(&bomp_tool_table.clients[client].calls[BOMP_TOOL_RUN]);
    if (run) {
        run(BOMP_WORD(creator), BOMP_WORD(tool), tool->flags, code);
        return;
    }
    BOMP_TELL_ONE(task_create, task_create,
                  call_(BOMP_WORD(creator), &creator->frame, BOMP_WORD(tool), tool->flags, 0, code));
    BOMP_TELL_ONE(task_schedule, task_schedule, call_(BOMP_WORD(creator), status, BOMP_WORD(tool)));
}

static BZ_COLD void run_for_all(struct bomp_tool_task *creator, struct bomp_tool_task *tool,
                                ompt_task_status_t status, const void *code) {
    for (unsigned client = 0; client < bz_load_relaxed(&bomp_tool_table.count); client++)
        run_for(client, creator, tool, status, code);
}

/* The current task creates it, and it takes that one's place. */
BZ_INLINE void create_and_begin(struct bomp_member *self, struct bomp_tool_task *creator,
                                struct bomp_tool_task *tool) {
    const void *code = bomp_tool_code(self, bomp_tool_take_code());
    tool->outer = takes_no_place(self) ? NULL : self->current;
    ompt_task_status_t status = status_of(self);
    self->told.yields = false;
    if (bz_likely(bz_load_relaxed(&bomp_tool_table.count) <= 1)) /* relaxed: as calls */
        run_for(0, creator, tool, status, code);
    else
        run_for_all(creator, tool, status, code);
}

/* Its frame is where it leaves the runtime: its caller's, in which this is. `reserved`: a constant. */
BZ_INLINE void at_once(struct bomp_member *self, void (*fn)(void *), void *data, bool reserved,
                       unsigned untied) {
    struct {
        struct bomp_task task;
        struct bomp_tool_task tool;
    } new;
    struct bomp_task *task = &new.task, *outer = self->current;
    struct bomp_tool_task *tool = &new.tool, *creator = bomp_tool_of(outer);
    const struct bomp_task_spec spec = {.fn = fn, .data = data, .reserved = reserved};
    const uint32_t flags = outer->flags & BOMP_TASK_INHERITED;
    enter(creator);
    uint32_t how = is_undeferred(self, &spec) ? (uint32_t)ompt_task_undeferred : 0;
    init(tool, (int)(ompt_task_explicit | how | (untied ? ompt_task_untied : 0)), &spec,
         (ompt_dispatch_chunk_t){0});
    create_and_begin(self, creator, tool);
    bomp_task_init_at_once(task, outer, outer, flags);
    task->data = tool;
    task->children.local = BOMP_TASK_LOOKS;
    begun(tool, __builtin_frame_address(0));
    self->current = task;
    if (reserved)
        (void)tool->body.code((int)bz_thread_number() - 1, data);
    else
        fn(data);
    end_before(tool, ompt_task_complete, tool->outer ? creator : bomp_tool_of(resumed_next(self)));
    self->current->children.local -= BOMP_TASK_LOOKS;
    if (bz_likely(bomp_task_stayed(task, flags)))
        self->current = outer;
    else
        bomp_task_end_at_once(self, outer);
    creator->frame.enter_frame.ptr = NULL;
}

void bomp_told_at_once(struct bomp_member *self, void (*fn)(void *), void *data, unsigned untied) {
    at_once(self, fn, data, false, untied);
}

void bomp_told_at_once_reserved(struct bomp_member *self, void *args, unsigned untied) {
    at_once(self, NULL, args, true, untied);
}

/* A queued one: its creation was told before. */
void bomp_told_run_small(struct bz_job *job, struct bz_worker *self) {
    struct bomp_task *task = bz_container_of(job, struct bomp_task, job);
    struct bomp_member *member = bz_worker_context(self);
    struct bomp_task *outer = member->current;
    struct bomp_tool_task *tool = task->extra->head.tool;
    begin(member, task, tool, bomp_tool_of(outer), __builtin_frame_address(0));
    task_enter(task, member, self);
    task->children.local = BOMP_TASK_LOOKS; /* it has none before it runs */
    BZ_PROBE2(task_begin, task, tool->body.fn);
    if (tool->reserved)
        (void)tool->body.code((int)bz_thread_number() - 1, task->data);
    else
        tool->body.fn(task->data);
    BZ_PROBE1(task_end, task);
    task->children.local -= BOMP_TASK_LOOKS;
    end_as(member, tool, ompt_task_complete);
    member->current = outer; /* it waits: it has not moved */
    task_complete(task, NULL, self);
}

static bool is_discarded(const struct bomp_member *self, const struct bomp_task *task) {
    return (task->flags & (BOMP_TASK_CANCELLABLE | BOMP_TASK_COPIED)) == BOMP_TASK_CANCELLABLE &&
           bomp_cancel_discards(self, task->group);
}

/* A task that the tool has heard begin runs, whatever is cancelled meanwhile. */
bool bomp_told_body(struct bomp_task *task, struct bz_worker *self, uint64_t limit) {
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
    framed_body(task, tool, self, limit);
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
