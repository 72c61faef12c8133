/* Taskloops. The arguments are copied once, to a task that never runs, the *model*. It alone is counted: as a child, in
 * the taskgroup, as a unit of work. Each task of the loop begins with a copy of them, with its own bounds, on its
 * thread's stack.
 *
 * A *range* is a queued job that stands for some tasks of the loop, by their numbers. The thread that runs it
 *
 *   splits    before each task: if it has nothing queued, it pushes the upper half of the rest as a range of its own (lazy
 *             binary splitting: Tzannes et al., PPoPP 2010)
 *   runs      the task
 *   drains    runs the ranges that it has pushed and that no thread has stolen: the smallest first
 *
 * So thieves always find a large part of the rest, and without thieves a loop is split a few times. A range counts the
 * ranges split off it in a tally; the last one to end completes the model. To thieves a range looks like a task
 * (task_wait.c). It needs no references: the model is an incomplete child of the parent.
 *
 * The thread that meets the loop makes tasks with a copy function or large arguments one by one, and runs undeferred
 * ones. An ABI may make the arguments of a task instead of copying them (`own`): then the model has the data they are
 * made from. */
#include "omp/task/taskloop.h"

#include <string.h>

#include "omp/base/tuning.h"
#include "omp/task/cancelled.h"
#include "omp/task/reduction.h"
#include "omp/task/task_inner.h"
#include "omp/task/task_policy.h"
#include "omp/task/task_run.h"
#include "omp/task/taskgroup.h"
#include "omp/task/taskloop_series.h"
#include "omp/team/team_data.h"
#include "omp/tool/hooks.h"

/* ---- cutting ---- */

static uint64_t at_least_one(uint64_t n) {
    return n > 0 ? n : 1;
}

struct bomp_cut bomp_taskloop_cut(const struct bomp_taskloop *loop, unsigned size) {
    uint64_t count = loop->loop.count, tasks = size;
    if (loop->by_grain && loop->strict) {
        uint64_t grain = at_least_one(loop->number);
        return (struct bomp_cut){bomp_schedule_chunks(count, grain), grain, 0};
    }
    if (loop->by_grain)
        tasks = at_least_one(count / at_least_one(loop->number));
    else if (loop->number > 0)
        tasks = loop->number;
    if (tasks > count)
        tasks = count;
    return (struct bomp_cut){tasks, count / tasks, count % tasks};
}

struct bomp_part bomp_taskloop_part(const struct bomp_taskloop *loop, const struct bomp_cut *cut,
                                    uint64_t number) {
    uint64_t first = number * cut->each + (number < cut->more ? number : cut->more);
    uint64_t left = loop->loop.count - first, most = cut->each + (number < cut->more);
    return (struct bomp_part){first, first + (most < left ? most : left)};
}

/* A task's arguments begin with its bounds. */
static inline void place_bounds(void *data, uint64_t first, uint64_t end) {
    memcpy(data, &first, sizeof first);
    memcpy((char *)data + sizeof first, &end, sizeof end);
}

/* ---- one by one ---- */

struct extent {
    size_t size, align;
};

static inline struct extent args_of(const struct bomp_taskloop *loop) {
    return loop->own.make ? (struct extent){loop->own.size, loop->own.align}
                          : (struct extent){loop->task.size, loop->task.align};
}

struct origin {
    const struct bomp_taskloop *loop;
    struct bomp_span span;
    unsigned flags;
};

static void copy_and_place(void *data, void *arg) {
    const struct origin *origin = arg;
    const struct bomp_task_spec *spec = &origin->loop->task;
    if (origin->loop->own.make) {
        origin->loop->own.make(data, spec->data, origin->span, origin->flags);
        return;
    }
    if (spec->copy)
        spec->copy(data, spec->data);
    else
        memcpy(data, spec->data, spec->size);
    place_bounds(data, origin->span.first, origin->span.end);
}

static bool is_cancelled(const struct bomp_member *self) {
    const struct bomp_task *task = self->current;
    return bz_unlikely(task->flags & BOMP_TASK_CANCELLABLE) && bomp_cancel_discards(self, task->group);
}

static void one_by_one(struct bomp_member *self, const struct bomp_taskloop *loop, const struct bomp_cut *cut,
                       void (*create)(struct bomp_member *, const struct bomp_task_spec *)) {
    struct origin origin = {.loop = loop};
    struct bomp_task_spec spec = loop->task;
    spec.copy = copy_and_place;
    spec.data = &origin;
    spec.size = args_of(loop).size;
    spec.align = args_of(loop).align;
    for (uint64_t i = 0; i < cut->tasks && !is_cancelled(self); i++) {
        origin.span = bomp_schedule_span(&loop->loop, bomp_taskloop_part(loop, cut, i));
        origin.flags = i + 1 == cut->tasks ? BOMP_TASKLOOP_LAST : 0;
        create(self, &spec);
    }
}

static bool has_small_args(const struct bomp_taskloop *loop) {
    return !loop->task.copy && args_of(loop).size <= BOMP_TASKLOOP_BYTES &&
           args_of(loop).align <= BOMP_TASKLOOP_ALIGN;
}

static void series_in_place(struct bomp_member *self, const struct bomp_taskloop *loop,
                            const struct bomp_cut *cut) {
    struct bomp_task *current = self->current;
    char args[BOMP_TASKLOOP_BYTES] __attribute__((aligned(sizeof(uint64_t))));
    struct bomp_stage stage;
    struct bomp_series series = {
        .self = self, .stage = &stage, .parent = current, .like = current, .loop = loop, .cut = cut};
    series.args = loop->own.make ? loop->task.data : bomp_series_words(args, loop);
    series.flags = (current->flags & BOMP_TASK_INHERITED) | (loop->task.final ? BOMP_TASK_FINAL : 0);
    bomp_series_begin(&series, 0);
    while (series.number < cut->tasks && !is_cancelled(self)) {
        uint64_t left = bomp_series_alike(&series, cut->tasks);
        series.number += left;
        while (left > 0)
            left = bomp_series_run(&series, left, NULL);
    }
    bomp_series_end(&series);
}

/* Tools are notified of each task's creation, by the thread that meets the loop: so it creates them one by one. */
static void note_part(struct bomp_member *self, const struct bomp_taskloop *loop, struct bomp_span span) {
    self->tool.part = (ompt_dispatch_chunk_t){span.first, (span.end - span.first) / loop->loop.step};
    bomp_entered.code = loop->code;
}

static void create(struct bomp_member *self, const struct bomp_task_spec *spec) {
    const struct origin *origin = spec->data;
    if (bz_unlikely(bomp_is_observed(self)))
        note_part(self, origin->loop, origin->span);
    bomp_task_create(spec);
}

static void run(struct bomp_member *self, const struct bomp_task_spec *spec) {
    const struct origin *origin = spec->data;
    struct bomp_tool_task tool;
    if (bz_unlikely(bomp_is_observed(self))) {
        note_part(self, origin->loop, origin->span);
        bomp_hooks->task->create(self, &tool, spec);
    }
    bomp_task_run_now(self, spec);
}

/* ---- in place ---- */

static void in_place(struct bomp_member *self, const struct bomp_taskloop *loop, const struct bomp_cut *cut) {
    if (bomp_is_observed(self) || !has_small_args(loop) || (loop->own.make && !loop->own.make_and_run))
        one_by_one(self, loop, cut, run);
    else
        series_in_place(self, loop, cut);
}

/* An ABI that makes the arguments makes reserved ones, which tell tools about the task. */
static void create_made(struct bomp_member *self, const struct bomp_taskloop *loop,
                        const struct bomp_cut *cut) {
    struct bomp_task_spec spec = loop->task;
    spec.reserved = true;
    spec.size = loop->own.size;
    spec.align = 1;
    for (uint64_t i = 0; i < cut->tasks && !is_cancelled(self); i++) {
        struct bomp_span span = bomp_schedule_span(&loop->loop, bomp_taskloop_part(loop, cut, i));
        spec.data = bomp_task_reserve(loop->own.size, 0, 0, loop->own.code);
        loop->own.make(spec.data, loop->task.data, span, i + 1 == cut->tasks ? BOMP_TASKLOOP_LAST : 0);
        if (bz_unlikely(bomp_hooks))
            note_part(self, loop, span);
        bomp_task_create(&spec);
    }
}

/* ---- ranges ---- */

struct plan {
    char of_task[offsetof(struct bomp_task, refs)]; /* parent and depth; never written */
    struct bomp_task *model;
    struct bomp_taskloop loop;
    struct bomp_cut cut;
};

struct range {
    struct bz_job job; /* first */
    struct {
        struct bomp_task *v;
    } parent;            /* as in a task: the model's */
    struct bz_a32 depth; /* likewise */
    struct {
        struct bz_worker *v;
    } owner; /* who runs it, until it has drained, else NULL. Written by it, read by its pieces */
    struct bz_tally pieces; /* ranges that were split off it and have not ended with all of theirs */
    struct range *up;       /* the one that it was split off; NULL: the whole loop; constant */
    struct plan *plan;      /* constant */
    uint64_t first, last;   /* numbers of tasks; creator, then owner */
};

_Static_assert(offsetof(struct range, parent) == offsetof(struct bomp_task, parent) &&
                   offsetof(struct range, depth) == offsetof(struct bomp_task, depth) &&
                   sizeof(struct plan) <= BZ_SLAB_MAX,
               "thieves read a range as a task; a plan is a slab object");

static void run_range(struct bz_job *job, struct bz_worker *self);

/* NULL: no memory. */
static struct range *range_new(struct bz_worker *self, struct plan *plan, struct range *up, uint64_t first,
                               uint64_t last) {
    struct range *range = bz_worker_alloc(self, sizeof *range);
    if (!range)
        return NULL;
    range->job.run = run_range;
    /* relaxed, all: published with the job */
    bz_store_relaxed(&range->parent, bz_load_relaxed(&plan->model->parent));
    bz_store_relaxed(&range->depth, bz_load_relaxed(&plan->model->depth));
    bz_store_relaxed(&range->owner, NULL);
    bz_tally_init(&range->pieces);
    range->up = up;
    range->plan = plan;
    range->first = first;
    range->last = last;
    return range;
}

/* The range has ended with all its pieces. True: so has the one that it was split off. */
static bool ends_the_next(struct range *up, struct bz_worker *self) {
    if (bz_load_relaxed(&up->owner) == self) { /* relaxed: only compared, and by those who write it */
        bz_tally_sub(&up->pieces);
        return false; /* its owner finds out */
    }
    return bz_tally_sub_shared(&up->pieces) == BZ_TALLY_RELEASE;
}

static void end_plan(struct plan *plan, struct bz_worker *self) {
    struct bomp_task *model = plan->model;
    if (plan->loop.own.end)
        plan->loop.own.end(model->data);
    bz_worker_free(self, plan);
    bomp_task_complete(model, self);
}

/* The range is drained: this worker has no part of it left. */
static void end_range(struct range *range, struct bz_worker *self) {
    bz_store_relaxed(&range->owner, NULL); /* relaxed: T4 publishes it to the pieces */
    bool ended = bz_tally_end(&range->pieces);
    while (ended) {
        struct range *up = range->up;
        struct plan *plan = range->plan;
        bz_worker_free(self, range);
        if (!up) {
            end_plan(plan, self);
            return;
        }
        ended = ends_the_next(up, self);
        range = up;
    }
}

/* Pushes the numbers from `first` on as a range of their own. False: no memory; they stay. */
static bool split_off(struct range *range, uint64_t first, struct bz_worker *self) {
    struct range *piece = range_new(self, range->plan, range, first, range->last);
    if (!piece)
        return false;
    bz_tally_add(&range->pieces);
    if (!bz_worker_push_public(self, &piece->job)) {
        bz_tally_sub(&range->pieces);
        bz_worker_free(self, piece);
        return false;
    }
    range->last = first;
    return true;
}

static bool is_discarded(const struct bomp_task *model, const struct bz_worker *self) {
    return bz_unlikely(model->flags & BOMP_TASK_CANCELLABLE) &&
           bomp_cancel_discards(bz_worker_context(self), model->group);
}

/* Splits it before task number i. Without memory it stays. */
static __attribute__((noinline)) void split(struct range *range, uint64_t i, struct bz_worker *self) {
    if (range->last - i > 1)
        split_off(range, i + (range->last - i + 1) / 2, self);
}

/* Tasks are copied from this thread's stack: the processor delays a load from another page that matches a recent store
 * in the low bits of the address. */
static void run_tasks(struct range *range, struct bz_worker *self) {
    const struct bomp_task *model = range->plan->model;
    struct bomp_taskloop loop = range->plan->loop;
    const struct bomp_cut cut = range->plan->cut;
    char args[BOMP_TASKLOOP_BYTES] __attribute__((aligned(sizeof(uint64_t))));
    struct bomp_stage stage;
    struct bomp_series series = {
        .self = bz_worker_context(self), .stage = &stage, .like = model, .loop = &loop, .cut = &cut};
    loop.task.data = model->data;
    series.args = loop.own.make ? model->data : bomp_series_words(args, &loop);
    series.parent = bz_load_relaxed(&model->parent); /* relaxed: constant since its creation */
    series.flags = (model->flags & BOMP_TASK_INHERITED) | BOMP_TASK_TOP;
    bomp_series_begin(&series, range->first);
    while (series.number < range->last && !is_discarded(model, self)) {
        uint64_t left = bomp_series_alike(&series, range->last);
        series.number += left;
        while (left > 0) {
            if (bomp_feeds_thieves(self)) {
                split(range, series.number - left, self);
                uint64_t beyond = series.number > range->last ? series.number - range->last : 0;
                series.number -= beyond;
                left -= beyond;
            }
            left = bomp_series_run(&series, left, self);
        }
    }
    bomp_series_end(&series);
}

static void run_range(struct bz_job *job, struct bz_worker *self) {
    struct range *range = bz_container_of(job, struct range, job);
    const struct bz_filter own = {.floor = bz_worker_queue_end(self), .own_only = true};
    const struct bomp_group *group = range->plan->model->group;
    bool merges = group && group->merges;
    bz_store_relaxed(&range->owner, self); /* relaxed: published with the first piece */
    if (bz_unlikely(merges))
        bomp_reduction_task_begins(group, bz_worker_context(self));
    run_tasks(range, self);
    if (bz_unlikely(merges))
        bomp_reduction_task_ended(group, bz_worker_context(self));
    while (range->pieces.local > 0) {
        struct bz_job *next = bz_worker_find(self, &own);
        if (!next)
            break; /* stolen */
        bz_worker_run(self, next);
    }
    end_range(range, self);
}

const struct bomp_task *bomp_taskloop_model(const struct bz_job *job) {
    return job->run == run_range ? bz_container_of(job, struct range, job)->plan->model : NULL;
}

/* Queues the whole loop. False: no memory, nothing has happened. */
static bool queue(struct bomp_member *self, const struct bomp_taskloop *loop, const struct bomp_cut *cut) {
    struct bz_worker *worker = self->worker;
    struct plan *plan = bz_worker_alloc(worker, sizeof *plan);
    if (!plan)
        return false;
    plan->model = bomp_task_make(self, &loop->task);
    struct range *range = NULL;
    if (plan->model) {
        plan->loop = *loop;
        plan->cut = *cut;
        range = range_new(worker, plan, NULL, 0, cut->tasks);
    }
    if (!range) {
        if (plan->model)
            task_free(plan->model, worker);
        bz_worker_free(worker, plan);
        return false;
    }
    bomp_task_begin(self, plan->model);
    if (!bz_worker_push_public(worker, &range->job))
        run_range(&range->job, worker); /* the deque cannot grow: here and now, all counted */
    return true;
}

/* ---- entry points ---- */

bool bomp_taskloop_is_void(const struct bomp_taskloop *loop) {
    return loop->loop.count == 0 || is_cancelled(bomp_self());
}

/* Decides about the loop, and carries it out unless it is queued. False: the caller ends its arguments. */
static bool is_left_queued(struct bomp_member *self, const struct bomp_taskloop *loop) {
    if (loop->loop.count == 0)
        return false;
    struct bomp_cut cut = bomp_taskloop_cut(loop, self->team->size);
    bool at_once = !bomp_program_yields() && (loop->waited || bomp_task_runs_alone(self, loop->own.make));
    enum bomp_task_way way = bomp_task_decide_loop(self, &loop->task, at_once);
    bool alike = has_small_args(loop) && !(loop->own.make && !loop->own.make_and_run) &&
                 loop->task.priority <= 0 && !bomp_program_yields() &&
                 !(self->current->flags & (BOMP_TASK_TSAN | BOMP_TASK_TOOL));
    if (way == BOMP_TASK_QUEUE && alike && queue(self, loop, &cut))
        return true;
    if (way == BOMP_TASK_QUEUE && !alike && loop->own.make)
        create_made(self, loop, &cut);
    else if (way == BOMP_TASK_QUEUE && !alike)
        one_by_one(self, loop, &cut, create);
    else if (way != BOMP_TASK_DISCARD)
        in_place(self, loop, &cut);
    return false;
}

static void taskloop(void *arg) {
    const struct bomp_taskloop *loop = arg;
    if (!is_left_queued(bomp_self(), loop) && loop->own.end)
        loop->own.end(loop->task.data);
}

void bomp_taskloop(const struct bomp_taskloop *loop) {
    struct bomp_member *self = bomp_self();
    struct bz_worker *worker = self->worker;
    const bool observed = bomp_is_observed(self);
    struct bomp_taskloop noted;
    if (bz_unlikely(observed)) {
        noted = *loop;
        noted.code = bomp_take_code();
        loop = &noted;
        bomp_hooks->task->enter(self);
        bomp_hooks->work->taskloop(self, true, loop->loop.count, loop->code);
    }
    if (bz_likely(bz_stack_is_left(worker)))
        taskloop((void *)loop);
    else
        bz_stack_more(worker, taskloop, (void *)loop);
    if (bz_unlikely(observed)) {
        bomp_hooks->work->taskloop(self, false, loop->loop.count, loop->code);
        bomp_hooks->task->leave(self);
    }
}
