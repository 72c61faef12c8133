/* taskyield: yield.md has the rules. */
#include "omp/task/task_inner.h"
#include "omp/task/task_policy.h"
#include "omp/team/team_data.h"
#include "omp/tool/hooks.h"

static bool is_untied(const struct bomp_task *task) {
    return bz_load_relaxed(&task->depth) & BOMP_TASK_UNTIED; /* relaxed: as in bomp_task_descends */
}

static const struct bomp_task *parent_of(const struct bomp_task *task) {
    return bz_load_relaxed(&task->parent); /* relaxed: held by its descendant */
}

/* Whether `task`, which is suspended here, or an explicit ancestor on this thread was starved. Other threads write the
 * flags of their ancestors. */
static bool was_starved(const struct bomp_member *self, const struct bomp_task *task) {
    const struct bomp_task *at = task;
    for (bool own = true; own && (at->flags & BOMP_TASK_STACK); at = parent_of(at)) {
        if (at->flags & BOMP_TASK_STARVED)
            return true;
        own = !(at->flags & BOMP_TASK_TOP);
    }
    for (; at == task || parent_of(at); at = parent_of(at)) {
        bool own = bz_load_relaxed(&at->owner) == self->worker; /* relaxed: own store, if it is */
        if (own && (at->flags & BOMP_TASK_STARVED))
            return true;
        if (!parent_of(at))
            break;
    }
    return false;
}

/* The tied-task rule while `task` is suspended here, not in a barrier: a new task must descend from `ancestor` (NULL:
 * from none). False: no task may begin. */
static bool rule_of(const struct bomp_member *self, const struct bomp_task *task,
                    const struct bomp_task **ancestor) {
    *ancestor = NULL;
    if (bz_unlikely(self->yields.has_starved) && was_starved(self, task))
        return true;
    if (task->flags & BOMP_TASK_STACK) /* perhaps tied, without queued descendants */
        return false;
    const struct bomp_task *tied = task;
    while (is_untied(tied)) /* an implicit task is not */
        tied = parent_of(tied);
    if (!parent_of(tied) && tied != &self->implicit) /* another thread's */
        return true;
    *ancestor = tied;
    return tied != task || task->created > 0; /* else nothing descends from it */
}

/* Another worker searches, and will find any queued task. */
static bool others_search(const struct bz_worker *worker) {
    return bz_domain_others_search(bz_worker_domain(worker));
}

/* Counts a taskyield, or a search, that found no task that may begin. */
static void count_fruitless(struct bomp_member *self) {
    uint64_t jobs = bz_worker_jobs(self->worker);
    self->yields.fruitless = self->yields.at == jobs ? self->yields.fruitless + 1 : 1;
    self->yields.at = jobs;
    if (self->yields.fruitless < BOMP_STARVED)
        return;
    self->yields.fruitless = 0;
    self->yields.has_starved = true;
    self->current->flags |= BOMP_TASK_STARVED;
    for (const struct bz_coroutine *coroutine = bz_worker_first_suspended(self->worker); coroutine;
         coroutine = coroutine->next)
        if (!coroutine->open)
            ((struct bomp_task *)coroutine->kept)->flags |= BOMP_TASK_STARVED;
}

/* ---- the scheduler's callbacks ---- */

/* When other tasks have run on top of a task, its floor no longer separates its descendants; nor do its ancestors'. */
static void mix_floors(struct bomp_member *self) {
    struct bz_worker *worker = self->worker;
    struct bomp_task *at = self->current;
    for (bool own = true; own && (at->flags & BOMP_TASK_STACK); at = bz_load_relaxed(&at->parent))
        own = !(at->flags & BOMP_TASK_TOP);
    for (; at; at = bz_load_relaxed(&at->parent)) { /* relaxed, all: as in was_starved */
        if (bz_load_relaxed(&at->owner) != worker)
            continue;
        if (at->floor == BZ_FLOOR_MIXED)
            break;
        at->floor = BZ_FLOOR_MIXED;
    }
}

static void *leave(struct bz_worker *worker) {
    struct bomp_member *self = bz_worker_context(worker);
    mix_floors(self);
    if (self->current->flags & BOMP_TASK_TOOL)
        bomp_hooks->task->suspend(self);
    return self->current;
}

static void enter(struct bz_worker *worker, void *kept) {
    struct bomp_member *self = bz_worker_context(worker);
    self->current = kept;
    if (self->current->flags & BOMP_TASK_TOOL)
        bomp_hooks->task->resume(self, self->current);
}

/* The deepest of the required ancestors stands for all (yield.md). */
static bool may_any_begin(struct bz_worker *worker, const void **rule) {
    const struct bomp_member *self = bz_worker_context(worker);
    const struct bomp_task *deepest = NULL, *asked;
    for (const struct bz_coroutine *coroutine = bz_worker_first_suspended(worker); coroutine;
         coroutine = coroutine->next) {
        if (coroutine->open)
            continue;
        if (!rule_of(self, coroutine->kept, &asked))
            return false;
        if (!asked || (deepest && bomp_task_descends(&deepest->job, asked)))
            continue;
        if (deepest && !bomp_task_descends(&asked->job, deepest))
            return false;
        deepest = asked;
    }
    *rule = deepest;
    return true;
}

static bool may_begin(const struct bz_job *job, const void *rule) {
    return !rule || bomp_task_descends(job, rule);
}

/* A suspended task may wait for one that may not begin here, unless another worker searches for work. */
static void kept_out(struct bz_worker *worker) {
    if (!others_search(worker))
        count_fruitless(bz_worker_context(worker));
}

static const struct bz_coroutines_layer layer = {.leave = leave,
                                                 .enter = enter,
                                                 .may_any_begin = may_any_begin,
                                                 .may_begin = may_begin,
                                                 .kept_out = kept_out};

/* ---- yielding ---- */

/* Begins a task while the current one waits, on a stack of its own or, without memory, on this one. False: none may. */
static bool begin_other(struct bomp_member *self, bool can_switch) {
    struct bz_worker *worker = self->worker;
    const struct bomp_task *asked;
    /* the current task is about to be suspended */
    if (!bz_stack_is_left(worker) || !rule_of(self, self->current, &asked))
        return false;
    struct bz_filter filter = {.floor = BZ_FLOOR_MIXED, .may_take = may_begin, .arg = asked};
    filter.oldest = self->yields.oldest ^= true;
    struct bz_job *job = bz_worker_find_anywhere(worker, &filter);
    /* The owners of others may run long tasks. */
    if (!job && bz_worker_expose_others(worker, &(struct bz_filter){.floor = 0}))
        job = bz_worker_find_anywhere(worker, &filter);
    if (!job)
        return false;
    if (!can_switch || !bz_coroutine_begin(worker, job, false)) {
        mix_floors(self); /* the job, or one that it resumes, may have been queued below them */
        bz_worker_run(worker, job);
    }
    return true;
}

__attribute__((noinline)) static void yield(struct bomp_member *self) {
    struct bz_worker *worker = self->worker;
    bool can_switch = bz_coroutines_prepare(worker, &layer);
    bool others = others_search(worker);
    if (!others && (!can_switch || bz_coroutine_new_is_due(worker)) && begin_other(self, can_switch))
        return;
    if (!others)
        count_fruitless(self);
    if (can_switch && bz_coroutine_yield(worker, false))
        return;
    if (can_switch && !others)
        bz_coroutines_yield_cpu(worker);
    else
        bz_os_yield();
}

void bomp_taskyield(void) {
    struct bomp_member *self = bomp_self_if_any();
    if (!self)
        return;
    if (bz_coroutine_is_alone(self->worker)) {
        count_fruitless(self);
        return;
    }
    self->tool.yields = true; /* for tools */
    yield(self);
    self->tool.yields = false;
}

bool bomp_task_let_others(void) {
    struct bz_worker *worker = bz_self;
    return worker && bz_unlikely(bz_worker_has_suspended(worker)) && bz_coroutine_yield(worker, false);
}
