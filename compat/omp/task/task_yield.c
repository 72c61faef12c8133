/* taskyield. A task that yields is suspended where it is, on its own stack, and its thread goes on with another one:
 * with a new one, on a new stack, or with one that yielded before (src/sched/coroutine.h). So tasks that wait for each
 * other by yielding all make progress, however many there are for a thread and whichever was created first.
 *
 * A new task may begin only if that agrees with the tied ones that are suspended on the thread: it must descend from
 * each of them that is not in a barrier (OpenMP 5.0, 2.10.6, task scheduling constraints). Programs hold locks and
 * thread-local state over a taskyield and rely on this. But tied tasks that wait for one which may not begin because of
 * them shall not wait forever: when a thread's tasks have yielded, or looked in vain because of those suspended,
 * BOMP_STARVED times in a row without any task that began, those that are suspended there are *starved*: they keep no
 * other task from beginning any more. See yield.md. */
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

/* Whether `task`, which is suspended here, or an explicit task that it descends from on this thread was starved. Another
 * thread's flags are not for us. */
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

/* What the tied-task rule asks of a new task while `task` is suspended here, not in a barrier: to descend from `ancestor`,
 * if that is any. False: none may begin. */
static bool rule_of(const struct bomp_member *self, const struct bomp_task *task,
                    const struct bomp_task **ancestor) {
    *ancestor = NULL;
    if (bz_unlikely(self->yields.has_starved) && was_starved(self, task))
        return true;
    if (task->flags & BOMP_TASK_STACK) /* tied, as far as we know, and nothing of it is queued */
        return false;
    const struct bomp_task *tied = task;
    while (is_untied(tied)) /* an implicit task is not */
        tied = parent_of(tied);
    if (!parent_of(tied) && tied != &self->implicit) /* another thread's, which is not suspended here */
        return true;
    *ancestor = tied;
    return tied != task || task->created > 0; /* else nothing descends from it */
}

/* Somebody is looking for work, and will find what there is. */
static bool others_look(const struct bz_worker *worker) {
    return bz_domain_others_look(bz_worker_domain(worker));
}

/* Counts a taskyield for which there was nothing to begin, or a look that found only tasks that may not begin. */
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

/* ---- what the scheduler asks ---- */

/* The index at which a task began says nothing about the jobs above it any more when others have run meanwhile. It is the
 * same for all that wait below it on the stack, its ancestors. */
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

/* A task that descends from all that those in the row ask for descends from the deepest, and so does none if that does not
 * descend from the others. */
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

/* What may not begin here may be what one of those waits for, if nobody else looks for work. */
static void kept_out(struct bz_worker *worker) {
    if (!others_look(worker))
        count_fruitless(bz_worker_context(worker));
}

static const struct bz_coroutines_layer layer = {.leave = leave,
                                                 .enter = enter,
                                                 .may_any_begin = may_any_begin,
                                                 .may_begin = may_begin,
                                                 .kept_out = kept_out};

/* ---- yielding ---- */

/* Begins a task while the current one waits: on a stack of its own, or, where none can be had, on this one. False: there is
 * none that may begin. */
static bool begin_other(struct bomp_member *self, bool can_switch) {
    struct bz_worker *worker = self->worker;
    const struct bomp_task *asked;
    if (!bz_stack_is_left(worker) ||
        !rule_of(self, self->current, &asked)) /* it is about to be suspended, too */
        return false;
    struct bz_filter filter = {.floor = BZ_FLOOR_MIXED, .may_take = may_begin, .arg = asked};
    filter.oldest = self->yields.oldest ^= true;
    struct bz_job *job = bz_worker_find_anywhere(worker, &filter);
    if (!job && bz_worker_expose_others(worker)) /* their owners may be about something long */
        job = bz_worker_find_anywhere(worker, &filter);
    if (!job)
        return false;
    if (!can_switch || !bz_coroutine_begin(worker, job, false)) {
        mix_floors(self); /* the job may have been queued below them, and may go on with others that were */
        bz_worker_run(worker, job);
    }
    return true;
}

__attribute__((noinline)) static void yield(struct bomp_member *self) {
    struct bz_worker *worker = self->worker;
    bool can_switch = bz_coroutines_prepare(worker, &layer);
    bool others = others_look(worker);
    if (!others && (!can_switch || bz_coroutine_new_is_due(worker)) && begin_other(self, can_switch))
        return;
    if (!others)
        count_fruitless(self);
    if (can_switch && bz_coroutine_yield(worker, false))
        return;
    if (can_switch && !others)
        bz_coroutines_offer_cpu(worker);
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
