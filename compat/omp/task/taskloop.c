/* Taskloops. The arguments are copied once, to a task that never runs, the *model*, which alone is counted. Each task
 * of the loop has a copy of them, with its own bounds, on its thread's stack.
 *
 * A *range* is a queued job for some tasks of the loop, by their numbers. The thread that runs it
 *
 *   splits    before each task: if it has nothing queued, it pushes the upper half of the rest as a range of its own (lazy
 *             binary splitting: Tzannes et al., PPoPP 2010)
 *   runs      the task
 *   drains    runs the ranges that it has pushed and that no thread has stolen: the smallest first
 *
 * So thieves always find a large part of the rest, and without thieves a loop is split a few times. A range counts
 * those split off it; the last one to end completes the model. Thieves read a range as a task (task_wait.c). It needs
 * no references: the model is an incomplete child of the parent.
 *
 * Tasks with a copy function or large arguments are created one by one. With `own` the model has the data that
 * arguments are made from. */
#include "omp/task/taskloop.h"

#include <string.h>

#include "omp/base/tuning.h"
#include "omp/task/cancelled.h"
#include "omp/task/reduction.h"
#include "omp/task/task_inner.h"
#include "omp/task/task_new.h"
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

static inline void place_bounds(void *data, uint64_t first, uint64_t end) {
    memcpy(data, &first, sizeof first);
    memcpy((char *)data + sizeof first, &end, sizeof end);
}

/* ---- one by one ---- */

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

/* Tools are notified of each task's creation, by the thread that meets the loop: so it creates them one by one. */
static void note_part(struct bomp_member *self, const struct origin *origin) {
    const struct bomp_span span = origin->span;
    uint64_t iterations = (span.end - span.first) / origin->loop->loop.step;
    self->tool.part = (ompt_dispatch_chunk_t){span.first, iterations};
    bomp_entered.code = origin->loop->code;
}

/* Arguments that an ABI makes are reserved ones, which have the task's code for tools. */
static void create_one(struct bomp_member *self, struct bomp_task_spec *spec, struct origin *origin) {
    const struct bomp_taskloop_make *own = &origin->loop->own;
    if (own->make) {
        spec->data = bomp_task_reserve(own->size, 0, 0, own->code);
        spec->copy = NULL;
        spec->reserved = true;
        copy_and_place(spec->data, origin);
    }
    if (bz_unlikely(bomp_is_observed(self)))
        note_part(self, origin);
    bomp_task_create(spec);
}

static void run_one(struct bomp_member *self, const struct bomp_task_spec *spec,
                    const struct origin *origin) {
    struct bomp_tool_task tool;
    if (bz_unlikely(bomp_is_observed(self))) {
        note_part(self, origin);
        bomp_hooks->task->create(self, &tool, spec);
    }
    bomp_task_run_now(self, spec);
}

static void one_by_one(struct bomp_member *self, const struct bomp_taskloop *loop, const struct bomp_cut *cut,
                       bool at_once) {
    for (uint64_t i = 0; i < cut->tasks && !is_cancelled(self); i++) {
        struct origin origin = {.loop = loop,
                                .span = bomp_schedule_span(&loop->loop, bomp_taskloop_part(loop, cut, i)),
                                .flags = i + 1 == cut->tasks ? BOMP_TASKLOOP_LAST : 0};
        struct bomp_task_spec spec = loop->task;
        spec.copy = copy_and_place;
        spec.data = &origin;
        if (loop->own.make) {
            spec.size = loop->own.size;
            spec.align = loop->own.align;
        }
        if (at_once)
            run_one(self, &spec, &origin);
        else
            create_one(self, &spec, &origin);
    }
}

static bool has_small_args(const struct bomp_taskloop *loop) {
    size_t size = loop->own.make ? loop->own.size : loop->task.size;
    size_t align = loop->own.make ? loop->own.align : loop->task.align;
    return !loop->task.copy && size <= BOMP_TASKLOOP_BYTES && align <= BOMP_TASKLOOP_ALIGN;
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
    } owner;                /* runs it, until it has drained; else NULL. Written by it, read by its pieces */
    struct bz_tally pieces; /* split off it and not ended with all of theirs */
    struct range *up;       /* it was split off that; NULL: the whole loop; constant */
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

/* A range has ended with all its pieces. True: so has `up`. */
static bool ends_the_next(struct range *up, struct bz_worker *self) {
    if (bz_load_relaxed(&up->owner) == self) { /* relaxed: only compared with its own store */
        bz_tally_sub(&up->pieces);
        return false; /* its owner, this thread, finds out */
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

/* Pushes the numbers from `first` on as a range. False: no memory; they stay. */
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

/* Splits it before task number i, if there is memory. */
static __attribute__((noinline)) void split(struct range *range, uint64_t i, struct bz_worker *self) {
    if (range->last - i > 1)
        split_off(range, i + (range->last - i + 1) / 2, self);
}

/* Runs the tasks of a range, which thieves may get a part of; NULL: all of the loop. */
static void run_series(struct bomp_series *series, struct range *range) {
    const struct bomp_taskloop *loop = series->loop;
    struct bz_worker *feeder = range ? series->self->worker : NULL;
    uint64_t end = range ? range->last : series->cut->tasks;
    char args[BOMP_TASKLOOP_BYTES] __attribute__((aligned(sizeof(uint64_t))));
    struct bomp_stage stage;
    series->stage = &stage;
    series->args = loop->own.make ? loop->task.data : bomp_series_words(args, loop);
    bomp_series_begin(series, range ? range->first : 0);
    while (series->number < end && !is_cancelled(series->self)) {
        uint64_t left = bomp_series_alike(series, end);
        series->number += left;
        while (left > 0) {
            if (feeder && bomp_feeds_thieves(feeder)) {
                split(range, series->number - left, feeder);
                end = range->last;
                uint64_t beyond = series->number > end ? series->number - end : 0;
                series->number -= beyond;
                left -= beyond;
            }
            left = bomp_series_run(series, left, feeder);
        }
    }
    bomp_series_end(series);
}

/* Tasks are copied from this thread's stack: the processor delays a load from another page that matches a recent store
 * in the low bits of the address. */
static void run_tasks(struct range *range, struct bz_worker *self) {
    const struct bomp_task *model = range->plan->model;
    struct bomp_taskloop loop = range->plan->loop;
    const struct bomp_cut cut = range->plan->cut;
    struct bomp_series series = {.self = bz_worker_context(self), .like = model, .loop = &loop, .cut = &cut};
    loop.task.data = model->data;
    series.parent = bz_load_relaxed(&model->parent); /* relaxed: constant since its creation */
    series.flags = (model->flags & BOMP_TASK_INHERITED) | BOMP_TASK_TOP;
    run_series(&series, range);
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
    plan->model = task_prepare(self, &loop->task);
    struct range *range = NULL;
    if (plan->model) {
        task_fill(self, plan->model, &loop->task);
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

/* ---- in place ---- */

static void in_place(struct bomp_member *self, const struct bomp_taskloop *loop, const struct bomp_cut *cut) {
    struct bomp_task *current = self->current;
    struct bomp_series series = {.self = self, .parent = current, .like = current, .loop = loop, .cut = cut};
    series.flags = (current->flags & BOMP_TASK_INHERITED) | (loop->task.final ? BOMP_TASK_FINAL : 0);
    run_series(&series, NULL);
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
    bool alike =
        !bomp_is_observed(self) && has_small_args(loop) && (!loop->own.make || loop->own.make_and_run);
    bool as_range = alike && loop->task.priority <= 0 && !bomp_program_yields() &&
                    !(self->current->flags & BOMP_TASK_TSAN);
    if (way == BOMP_TASK_DISCARD)
        return false;
    if (way == BOMP_TASK_QUEUE && as_range && queue(self, loop, &cut))
        return true;
    if (!alike || (way == BOMP_TASK_QUEUE && !as_range))
        one_by_one(self, loop, &cut, way != BOMP_TASK_QUEUE);
    else
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
