/* taskwait and the end of a taskgroup. The thread runs only descendants of the waiting task (../README.md; OpenMP
 * 5.0, 2.10.6). */
#include "omp/task/task_inner.h"
#include "omp/task/task_policy.h"
#include "omp/task/task_run.h"
#include "omp/task/taskgroup.h"
#include "omp/task/tsan.h"
#include "omp/team/team_data.h"
#include "omp/tool/hooks.h"

/* Another thread may free the job meanwhile (../README.md, References). The walk ends, as depths decrease.
 * ThreadSanitizer would report later uses of the memory. */
__attribute__((no_sanitize("thread"))) bool bomp_task_descends(const struct bz_job *job, const void *arg) {
    const struct bomp_task *ancestor = arg;
    const struct bomp_task *task = bz_container_of(job, struct bomp_task, job);
    /* relaxed, all: made visible with the job (D5), or not used */
    if (bz_load_relaxed(&task->parent) == ancestor)
        return true;
    uint32_t goal = bz_load_relaxed(&ancestor->depth) & ~BOMP_TASK_UNTIED;
    uint32_t depth = bz_load_relaxed(&task->depth) & ~BOMP_TASK_UNTIED;
    while (depth > goal) {
        task = bz_load_relaxed(&task->parent);
        if (!task)
            return false;
        uint32_t up = bz_load_relaxed(&task->depth) & ~BOMP_TASK_UNTIED;
        if (up >= depth)
            return false;
        depth = up;
    }
    return task == ancestor;
}

static struct bz_filter descendants_of(const struct bomp_task *task) {
    return (struct bz_filter){.floor = task->floor, .may_take = bomp_task_descends, .arg = task};
}

static struct bz_filter in_current(const struct bomp_member *self) {
    const struct bomp_task *task = self->current;
    if (task->flags & BOMP_TASK_STACK) /* it has no queued descendants */
        return (struct bz_filter){.floor = INT64_MAX, .own_only = true};
    return descendants_of(task);
}

struct event_wait {
    struct bz_wait wait;
    const struct bomp_task *task;
    bool (*done)(void *);
    void *arg;
};

/* The floor changes if the waiting task was suspended meanwhile. */
static bool has_come(void *arg) {
    struct event_wait *event = arg;
    if (!event->wait.filter.own_only)
        event->wait.filter.floor = event->task->floor;
    return event->done(event->arg);
}

static void wait_until_there(void *wait) {
    bz_worker_wait_until(bz_self, wait);
}

void bomp_task_wait_until(struct bomp_member *self, bool (*done)(void *), void *arg, const char *what) {
    struct event_wait event = {.task = self->current, .done = done, .arg = arg};
    event.wait = (struct bz_wait){
        .done = has_come,
        .arg = &event,
        .filter = in_current(self),
        .site = (const void *)(uintptr_t)done, /* in place of a call site */
        .what = what,
    };
    if (bz_likely(bz_stack_is_left(self->worker)))
        bz_worker_wait_until(self->worker, &event.wait);
    else
        bz_stack_more(self->worker, wait_until_there, &event.wait);
}

static bool is_quiet(void *arg) {
    return bz_domain_quiet(arg);
}

void bomp_task_wait_quiet(struct bz_worker *self) {
    struct bz_wait wait = {.done = is_quiet, .arg = bz_worker_domain(self), .what = "its child tasks"};
    bz_worker_wait_until(self, &wait);
}

/* Other threads complete tasks through the priority queue: only this thread ends units. */
void bomp_task_finish_root(struct bomp_member *self) {
    const struct bomp_task *task = &self->implicit;
    if (task->children.local == 0 &&
        bz_load_relaxed(&task->refs) == 0) /* relaxed: this thread alone changes it */
        return;
    bomp_task_wait_quiet(self->worker);
}

struct tally_wait {
    struct bz_wait wait;
    const struct bomp_task *task;
    struct bz_tally *tally;
    bool flagged; /* the tally says that its owner may sleep */
};

static bool is_none(void *arg) {
    struct tally_wait *wait = arg;
    wait->wait.filter.floor = wait->task->floor; /* as in has_come */
    return bz_tally_none(wait->tally);
}

/* Before this worker sleeps: later completions wake it. */
static bool flag_waiting(void *arg) {
    struct tally_wait *wait = arg;
    if (!wait->flagged) {
        bz_tally_set_waiting(wait->tally);
        wait->flagged = true;
    }
    return bz_tally_none(wait->tally);
}

BZ_INLINE bool is_child(const struct bz_job *job, const void *task) {
    /* relaxed: constant since its creation */
    return bz_load_relaxed(&bz_container_of(job, struct bomp_task, job)->parent) == task;
}

/* Runs jobs that the current task has queued here, newest first, until the wait is over, a priority task comes first,
 * or the next job may not be taken (`may_take`; NULL: any may). Once other threads end the wait, no further job may
 * begin: it may never return. */
BZ_INLINE void run_own(struct bomp_member *self, struct bomp_task *task, const struct bz_tally *tally,
                       bz_may_take *may_take, const void *arg) {
    struct bz_worker *worker = self->worker;
    const struct bz_domain *domain = bz_worker_domain(worker);
    while (bz_tally_count(tally) != 0 && bz_likely(bz_domain_put_count(domain) == 0)) {
        int64_t at = bz_worker_queue_end(worker) - 1;
        if (at < task->floor)
            break;
        struct bz_job *job;
        if (!(may_take ? bz_worker_pop_if(worker, at, may_take, arg, &job)
                       : bz_worker_pop_at(worker, at, &job)))
            break;
        if (bz_likely(job->run == bomp_task_run_small) &&
            (may_take == is_child || bz_likely(is_child(job, task))))
            task_run_small(bz_container_of(job, struct bomp_task, job), self, task, true, worker);
        else
            bz_worker_run(worker, job);
    }
}

static bool is_member(const struct bz_job *job, const void *members) {
    const struct bomp_task *model = bomp_taskloop_model(job);
    const struct bomp_task *task = model ? model : bz_container_of(job, struct bomp_task, job);
    return task->group && &task->group->members == members;
}

/* Runs a job that may be taken, from any place of the queue. False: none. */
__attribute__((noinline)) static bool run_another(struct bz_worker *worker, bz_may_take *may_take,
                                                  const void *arg) {
    const struct bz_filter filter = {.may_take = may_take, .arg = arg};
    struct bz_job *job = NULL;
    if (!bz_worker_has_suspended(worker) && bomp_task_may_search(worker))
        job = bz_worker_find_anywhere(worker, &filter);
    if (job)
        bz_worker_run(worker, job);
    return job;
}

BZ_INLINE void run_only(struct bomp_member *self, struct bomp_task *task, const struct bz_tally *tally,
                        bz_may_take *may_take, const void *arg) {
    do
        run_own(self, task, tally, may_take, arg);
    while (bz_tally_count(tally) != 0 && run_another(self->worker, may_take, arg));
}

__attribute__((noinline)) static void run_members(struct bomp_member *self, struct bz_tally *members) {
    run_only(self, self->current, members, is_member, members);
}

/* Alone: runs awaited tasks, newest first, as libgomp does. Other descendants may wait for what the program does after
 * this wait. */
BZ_INLINE void run_awaited(struct bomp_member *self, struct bomp_task *task, struct bz_tally *tally) {
    if (bz_likely(tally == &task->children))
        run_only(self, task, &task->children, is_child, task);
    else
        run_members(self, tally);
}

/* The rest of a wait. The effects of tasks that ended on other threads become visible. */
__attribute__((noinline)) static void wait_for_rest(struct bomp_member *self, struct bz_tally *tally,
                                                    const void *site) {
    run_own(self, self->current, tally, NULL, NULL);
    if (!bz_tally_none(tally)) {
        struct tally_wait arg = {.task = self->current, .tally = tally};
        arg.wait = (struct bz_wait){
            .done = is_none,
            .slow_check = flag_waiting,
            .arg = &arg,
            .filter = descendants_of(self->current),
            .site = site,
            .what = tally == &self->current->children ? "its child tasks" : "the end of a taskgroup",
        };
        bz_worker_wait_until(self->worker, &arg.wait);
        if (arg.flagged)
            bz_tally_clear_waiting(tally);
    }
    if (bz_unlikely(bz_tsan) && tally == &self->current->children)
        bz_tsan_after(bomp_tsan_children(self->current));
}

BZ_INLINE void wait_here(struct bomp_member *self, struct bz_tally *tally, const void *site) {
    struct bomp_task *task = self->current;
    if (bomp_task_is_alone(self))
        run_awaited(self, task, tally);
    else
        run_own(self, task, tally, NULL, NULL);
    if (bz_unlikely(!bz_tally_untouched(tally)))
        wait_for_rest(self, tally, site);
}

static void wait_there(void *tally) {
    wait_here(bz_context, tally, NULL);
}

void bomp_task_wait_for(struct bomp_member *self, struct bz_tally *tally, const void *site) {
    if (bz_unlikely(!bz_stack_is_left(self->worker)))
        bz_stack_more(self->worker, wait_there, tally); /* without memory: on this stack */
    else
        wait_here(self, tally, site);
}

/* Tools observe a wait without children as well. */
__attribute__((noinline)) static void wait_observed(struct bomp_member *self, struct bomp_task *task,
                                                    const void *site) {
    struct bomp_tool_sync sync = {.kind = ompt_sync_region_taskwait, .code = site};
    sync.empty = task->children.local == BOMP_TASK_OBSERVES_WAITS;
    bomp_hooks->sync->begin(self, &sync);
    task->children.local -= BOMP_TASK_OBSERVES_WAITS;
    if (!sync.empty)
        bomp_task_wait_for(self, &task->children, site);
    task->children.local += BOMP_TASK_OBSERVES_WAITS;
    bomp_hooks->sync->end(self, &sync);
}

/* `site` NULL: the caller of the entry point. */
BZ_INLINE void taskwait(const void *site) {
    struct bomp_member *self = bomp_self_if_any();
    if (!self || self->current->children.local == 0) /* exact: only the task itself adds children */
        return;
    if (bz_likely(!(self->current->flags & BOMP_TASK_TOOL)))
        bomp_task_wait_for(self, &self->current->children, site ? site : BOMP_SITE);
    else
        wait_observed(self, self->current, site ? site : BOMP_SITE);
}

BZ_LINE_START
void bomp_taskwait(void) {
    taskwait(NULL);
}

int bomp_taskwait_at(const void *site) {
    taskwait(site);
    return 0;
}
