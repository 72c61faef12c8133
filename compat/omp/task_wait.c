/* Waiting inside a task: taskwait and taskyield, and what taskgroups need. A waiting thread runs only descendants of the
 * task that waits (OpenMP 5.0, 2.10.6, task scheduling constraints): from its own deque what lies above the task's floor,
 * from others' what bomp_task_descends finds to be one. */
#include "task_policy.h"
#include "team.h"

/* Whether the queued task `job` descends from the task `arg`. Called on a job that somebody else may take, run and free
 * at the same time: then the answer is worthless and not used, but every step must be safe. Tasks live in cells, which
 * stay mapped; depths shrink strictly on the way up, so it ends. */
static bool descends(const struct bz_job *job, const void *arg) {
    const struct bomp_task *ancestor = arg;
    const struct bomp_task *task = bz_container_of(job, struct bomp_task, job);
    uint32_t goal = bomp_task_depth(ancestor);
    uint32_t depth = bomp_task_depth(task); /* relaxed, all: made visible with the job (D5), or not used */
    while (depth > goal) {
        task = bz_load_relaxed(&task->parent);
        if (!task)
            return false;
        uint32_t up = bomp_task_depth(task);
        if (up >= depth)
            return false;
        depth = up;
    }
    return task == ancestor;
}

static struct bz_filter descendants_of(const struct bomp_task *task) {
    return (struct bz_filter){.floor = task->floor, .may_take = descends, .arg = task};
}

/* The filter of a wait in the current task. */
static struct bz_filter in_current(const struct bomp_member *self) {
    const struct bomp_task *task = self->current;
    if (task->flags & BOMP_TASK_STACK) /* it has no queued descendants, and nobody can walk up to it */
        return (struct bz_filter){.floor = INT64_MAX, .own_only = true};
    return descendants_of(task);
}

void bomp_task_wait_until(struct bomp_member *self, bool (*done)(void *), void *arg) {
    struct bz_wait wait = {.done = done, .arg = arg, .filter = in_current(self)};
    bz_worker_wait_until(self->worker, &wait);
}

static bool is_quiet(void *arg) {
    return bz_domain_quiet(arg);
}

/* Completions that others bring about come by the shelf: nobody else ends a unit here. */
void bomp_task_finish_root(struct bomp_member *self) {
    const struct bomp_task *task = &self->implicit;
    if (task->children.local == 0 &&
        bz_load_relaxed(&task->holds) <= 1) /* relaxed: this thread alone changes it */
        return;
    struct bz_wait wait = {.done = is_quiet, .arg = self->worker->domain};
    bz_worker_wait_until(self->worker, &wait);
}

struct tally_wait {
    struct bz_tally *tally;
    bool flagged; /* the tally says that its owner may sleep */
};

static bool is_none(void *arg) {
    struct tally_wait *wait = arg;
    return bz_tally_none(wait->tally);
}

/* Before this worker may sleep: from now on completions wake it. */
static bool flag_waiting(void *arg) {
    struct tally_wait *wait = arg;
    if (!wait->flagged) {
        bz_tally_set_waiting(wait->tally);
        wait->flagged = true;
    }
    return bz_tally_none(wait->tally);
}

/* As far as that goes: what the current task has queued here, newest first, as long as nobody has stolen any of it and
 * nothing comes before it. */
static inline void run_own(struct bz_worker *worker, const struct bz_tally *tally, int64_t floor) {
    const struct bz_shelf *shelf = &worker->domain->shelf;
    struct bz_job *job;
    while (tally->local != 0 && bz_load_relaxed(&tally->shared) == 0 && /* relaxed: a hint */
           bz_likely(bz_shelf_count(shelf) == 0) && worker->deque.bottom > floor &&
           (job = bz_deque_pop(&worker->deque)))
        bz_worker_run(worker, job);
}

void bomp_task_wait_for(struct bomp_member *self, struct bz_tally *tally) {
    run_own(self->worker, tally, self->current->floor);
    if (bz_likely(bz_tally_none(tally))) /* members of a taskgroup may also begin and end elsewhere */
        return;
    struct tally_wait arg = {tally, false};
    struct bz_wait wait = {
        .done = is_none, .settle = flag_waiting, .arg = &arg, .filter = descendants_of(self->current)};
    bz_worker_wait_until(self->worker, &wait);
    if (arg.flagged)
        bz_tally_clear_waiting(tally);
}

void bomp_taskwait(void) {
    struct bomp_member *self = bomp_self_if_any();
    if (!self || self->current->children.local == 0) /* exact: only the task itself adds children */
        return;
    bomp_task_wait_for(self, &self->current->children);
}

/* ---- taskyield ----
 *
 * The tied tasks that are suspended on a thread are the current task and ancestors of it. The next one must descend from all
 * of them, so from the nearest tied ancestor; tasks that it creates then do so, too, wherever they are run. So an untied
 * task may give way to other untied ones, and a tied one to its descendants. */

struct yield {
    const struct bomp_task *current;
    const struct bomp_task *tied; /* the nearest one that is tied to this thread; NULL: none */
};

static bool is_untied(const struct bomp_task *task) {
    return bz_load_relaxed(&task->depth) & BOMP_TASK_UNTIED; /* relaxed: as in descends */
}

static bool may_yield_to(const struct bz_job *job, const void *arg) {
    const struct yield *yield = arg;
    if (is_untied(bz_container_of(job, struct bomp_task, job)))
        return !yield->tied || descends(job, yield->tied);
    return descends(job, yield->current);
}

/* What the calling thread may do instead of the current task. False: nothing. */
static bool find_yield(const struct bomp_member *self, struct yield *yield) {
    const struct bomp_task *task = self->current;
    if (task->flags & BOMP_TASK_STACK) /* tied, as far as we know, and nothing of it is queued */
        return false;
    yield->current = task;
    while (is_untied(task))                    /* an implicit task is not */
        task = bz_load_relaxed(&task->parent); /* relaxed: held by its descendant */
    /* Another thread's implicit task: this one's is in a barrier, or it would not run others' tasks. */
    bool foreign = !bz_load_relaxed(&task->parent) && task != &self->implicit;
    yield->tied = foreign ? NULL : task;
    return true;
}

/* Own descendants first, then what others have, then the oldest of the own tasks below. */
static struct bz_job *find_other(struct bz_worker *self, const struct yield *yield) {
    struct bz_filter filter = {.floor = yield->current->floor, .may_take = may_yield_to, .arg = yield};
    struct bz_job *job = bz_worker_find(self, &filter);
    bz_deque_publish_all(&self->deque); /* alone it has private ones: nobody to tell */
    while (!job && bz_deque_steal(&self->deque, may_yield_to, yield, &job) == BZ_STEAL_RETRY)
        bz_cpu_relax();
    return job;
}

void bomp_taskyield(void) {
    struct bomp_member *self = bomp_self_if_any();
    struct yield yield;
    if (!self || !find_yield(self, &yield))
        return;
    struct bz_worker *worker = self->worker;
    uint64_t word = bz_load_relaxed(&worker->domain->counters.word); /* relaxed: a hint */
    if (bz_counters_inactive(word) > bz_counters_sleeping(word)) {
        /* Somebody looks, and will find what can be found: tasks that wait for each other had better not be on one
         * stack. */
        bz_os_yield();
        return;
    }
    struct bz_job *job = bomp_task_stack_left(worker) ? find_other(worker, &yield) : NULL;
    if (job)
        bz_worker_run(worker, job);
}
