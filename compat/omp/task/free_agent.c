#include "omp/task/free_agent.h"

#include <stdlib.h>

#include "omp/icv/icv.h"
#include "omp/task/depend_table.h"
#include "omp/task/event.h"
#include "omp/task/task_inner.h"
#include "omp/task/task_reserve.h"
#include "omp/task/task_run.h"
#include "omp/task/taskgroup.h"
#include "omp/task/tsan.h"
#include "omp/team/team_data.h"
#include "omp/tool/tool_data.h"

/* Searches of an idle thread before it leaves. */
#define SEARCHES 8

static struct {
    struct bz_a32 lock;              /* guards the rest, and each take of a task */
    struct bomp_pooled_tasks *first; /* teams with pooled tasks, now or earlier */
    struct bomp_idle *idle;          /* the youngest is called first */
    unsigned threads;                /* idle ones included */
    unsigned busy;                   /* those that run a task */
} pool;

/* ---- how many ---- */

/* Working threads of the program: as many as a region of the initial thread may have. */
static unsigned most(void) {
    return bomp_icv_team_size(bomp_icv_initial(), 0, 0);
}

static unsigned threads_of(const struct bomp_team *team) {
    unsigned threads = team->size;
    while (team->outer) {
        team = team->outer->team;
        threads += team->size - 1;
    }
    return threads;
}

/* With the lock held: whether one more thread may come for its team. */
static bool may_come(struct bomp_member *self) {
    return pool.threads + threads_of(self->team) < most();
}

/* Whether the calling thread exceeds the limit, since other teams have working threads. An initial thread counts as awake
 * only in its regions. */
static bool is_surplus(const struct bomp_team *team) {
    return bz_awake_beside(0) + !team->thread_team > most();
}

bool bomp_task_may_pool(void) {
    struct bomp_member *self = bomp_self();
    const struct bomp_task *parent = self->current;
    return !bomp_hooks && bomp_global()->places.count == 0 && !(parent->flags & BOMP_TASK_CANCELLABLE) &&
           !bz_domain_is_alone(bz_worker_domain(self->worker)) && !bomp_group_has_reduction(parent->group) &&
           threads_of(self->team) < most();
}

/* Takes one of the threads that the thread limit leaves to the task's contention group. */
static bool count_in(struct bomp_team *team) {
    uint32_t limit = team->icv.thread_limit, busy = bz_load_relaxed(&team->initial->busy);
    if (limit == UINT_MAX)
        return true;
    while (busy < limit)
        if (bz_cas_relaxed(&team->initial->busy, &busy, busy + 1)) /* relaxed, all: the number alone counts */
            return true;
    return false;
}

static void count_out(struct bomp_team *team) {
    if (team->icv.thread_limit != UINT_MAX)
        bz_fetch_sub_relaxed(&team->initial->busy, 1); /* relaxed: as above */
}

/* ---- teams with pooled tasks ---- */

static struct bomp_team *team_of(struct bomp_pooled_tasks *pooled) {
    return bz_container_of(pooled, struct bomp_team, pooled);
}

static bool is_listed(const struct bomp_pooled_tasks *pooled) {
    return pooled->listed && pooled->generation == bz_fork_generation();
}

static void finish_at_exit(void) {
    struct bomp_member *self = bomp_self_if_any();
    if (self && !self->team->thread_team && self->current == &self->implicit)
        bomp_task_finish_root(self);
}

void bomp_free_agents_await_at_exit(void) {
    static struct bz_aflag registered;
    if (!bz_exchange_relaxed(&registered, true)) /* relaxed: nothing comes with it */
        (void)atexit(finish_at_exit);
}

/* With the lock held. */
static void enlist(struct bomp_member *self) {
    struct bomp_pooled_tasks *pooled = &self->team->pooled;
    if (!self->team->thread_team)
        bomp_free_agents_await_at_exit();
    self->team->pooled.domain = bz_worker_domain(self->worker);
    pooled->generation = bz_fork_generation();
    pooled->previous = NULL;
    pooled->next = pool.first;
    if (pooled->next)
        pooled->next->previous = pooled;
    pool.first = pooled;
    pooled->listed = true;
}

void bomp_free_agents_forget(struct bomp_team *team) {
    struct bomp_pooled_tasks *pooled = &team->pooled;
    if (bz_likely(!is_listed(pooled)))
        return;
    bz_mutex_lock(&pool.lock);
    *(pooled->previous ? &pooled->previous->next : &pool.first) = pooled->next;
    if (pooled->next)
        pooled->next->previous = pooled->previous;
    pooled->listed = false;
    bz_mutex_unlock(&pool.lock);
}

struct search {
    struct bomp_team *team;
    unsigned most; /* threads at work, with itself */
};

/* With both locks held. The task's team is in a region, hence constant. True: the thread is counted. */
static bool may_take(const struct bz_job *job, const void *arg) {
    const struct search *search = arg;
    const struct bomp_task_extra *extra =
        job->run == bomp_task_run_queued ? bomp_task_has_extra(bz_container_of(job, struct bomp_task, job))
                                         : NULL;
    return extra && extra->by == BOMP_BY_FREE_AGENTS && pool.busy + threads_of(search->team) < search->most &&
           count_in(search->team);
}

/* With the lock held: a task and its team, which stays until the task is complete. NULL: no task that the calling thread
 * may run. */
static struct bomp_task *take(struct bomp_team **team) {
    for (struct bomp_pooled_tasks *pooled = pool.first; pooled; pooled = pooled->next) {
        *team = team_of(pooled);
        if (is_surplus(*team))
            continue;
        struct search search = {*team, most()};
        struct bz_job *job = bz_domain_take_from_outside((*team)->pooled.domain, may_take, &search);
        if (job) {
            pool.busy++;
            return bz_container_of(job, struct bomp_task, job);
        }
    }
    return NULL;
}

/* ---- returning tasks ---- */

/* Second part of a task that completes before its descendants: the task's memory and its team stay for them. To thieves it
 * is a task of the same parent. */
struct rest {
    struct bomp_task like; /* first */
    struct bz_pqueue_item item;
    struct bomp_task *task;
    struct bz_a32 ends; /* of its completion and of this, so far; written by both */
};

/* The thread's last access to the team, which continues with the item. */
static void post(struct bz_domain *domain, struct bz_pqueue_item *item) {
    bz_domain_enter_external(domain);
    bz_domain_put_from_outside(domain, item);
    bz_domain_leave_external(domain);
}

/* The second of completion and rest, which different members may run, ends the task's unit of work and frees the memory
 * that the descendants needed. */
static void end_rest(struct rest *rest, struct bz_worker *self) {
    if (bz_fetch_add_acq_rel(&rest->ends, 1) == 0) /* G1: pairs with G1 (what the first one did with it) */
        return;
    bomp_task_drop(rest->task, self);
    bz_free(rest);
    bz_worker_end(self);
}

static void run_rest(struct bz_job *job, struct bz_worker *self) {
    struct rest *rest = bz_container_of(job, struct rest, like.job);
    bz_tsan_after(rest);
    bz_tsan_before(bomp_tsan_meeting(bz_worker_context(self)));
    end_rest(rest, self);
}

/* `completion` ends a unit of work that begins here. */
static void complete_early(struct bomp_task *task, struct bz_worker *self,
                           void (*completion)(struct bomp_task *task, struct bz_worker *self)) {
    struct rest *rest = bz_load_relaxed(&task->extra->event.who); /* relaxed: posted with the job */
    bz_worker_begin(self);
    completion(task, self);
    end_rest(rest, self);
}

static void complete_late(struct bomp_task *task, struct bz_worker *self) {
    bomp_task_run_late(&task->job, self);
}

static void run_early(struct bz_job *job, struct bz_worker *self) {
    complete_early(bz_container_of(job, struct bomp_task, job), self, complete_late);
}

static struct rest *rest_of(struct bomp_task *task) {
    struct rest *rest = bz_alloc(sizeof *rest);
    if (!rest)
        return NULL;
    bz_store_relaxed(&rest->like.parent,
                     bz_load_relaxed(&task->parent)); /* relaxed, all: published with the job */
    bz_store_relaxed(&rest->like.depth, bz_load_relaxed(&task->depth));
    rest->like.flags = 0;
    rest->like.group = NULL;
    rest->like.job.run = run_rest;
    rest->item = (struct bz_pqueue_item){.job = &rest->like.job, .priority = BZ_PQUEUE_TOP};
    rest->task = task;
    bz_store_relaxed(&rest->ends, 0);
    bz_store_relaxed(&task->extra->event.who, rest); /* no thread fulfills that event */
    bz_fetch_add_relaxed(&task->refs, 1);            /* relaxed: dropped by run_rest */
    return rest;
}

static bool is_back(const struct bz_job *job, const void *arg) {
    (void)arg;
    return job->run == bomp_task_run_late || job->run == run_early || job->run == run_rest;
}

/* A creator that runs many tasks at once never waits meanwhile, and may be the only thread of its team. */
void bomp_free_agents_complete(struct bz_worker *self) {
    struct bz_job *job;
    while ((job = bz_domain_take_from_outside(bz_worker_domain(self), is_back, NULL))) {
        struct bomp_task *task = bz_container_of(job, struct bomp_task, job);
        if (job->run == run_rest)
            run_rest(job, self);
        else if (job->run == run_early)
            complete_early(task, self, bomp_task_complete_here);
        else
            bomp_task_complete_here(task, self);
    }
}

static bool has_few(struct bomp_member *self) {
    return bz_domain_put_count(bz_worker_domain(self->worker)) < most();
}

bool bomp_free_agents_want(struct bomp_member *self) {
    if (!bz_stack_is_left(self->worker))
        return false;
    if (!has_few(self))
        bomp_free_agents_complete(self->worker);
    return has_few(self);
}

/* ---- a task ---- */

static bool is_quiet(void *domain) {
    return bz_domain_quiet(domain);
}

static void free_table(struct bomp_task *task, struct bz_worker *self) {
    bomp_table_free(task->extra->table, self);
    task->extra->table = NULL;
}

/* After the body: a member of the team completes the task and frees its memory. */
static void hand_back(struct bomp_task *task, struct bomp_team *counted, struct bz_worker *self) {
    struct bz_domain *home = bz_load_relaxed(&task->extra->event.domain); /* relaxed: constant */
    struct bz_wait wait = {.done = is_quiet, .arg = bz_worker_domain(self), .what = "its child tasks"};
    struct rest *rest = is_quiet(wait.arg) ? NULL : rest_of(task);
    if (rest) {
        struct bz_pqueue_item *item = bomp_task_late_item(task);
        task->job.run = run_early;
        post(home, item);
    }
    bz_worker_wait_until(self, &wait);
    free_table(task, self);
    if (rest)
        bz_tsan_before(rest);
    if (counted)
        count_out(counted);
    post(home, rest ? &rest->item : bomp_task_late_item(task));
}

/* The task is a unit of work of its domain, which so stays until the task is returned. */
static void release(struct bomp_task *task, struct bomp_member *self) {
    struct bz_domain *home = bz_load_relaxed(&task->extra->event.domain); /* relaxed: constant */
    bz_domain_enter_external(home);
    bomp_task_release_apart(task, home, self);
    bz_domain_leave_external(home);
}

void bomp_free_agent_run(struct bomp_member *self, struct bomp_task *task, struct bomp_team *counted) {
    bomp_task_run_apart(task, self->worker);
    if (task->extra->by == BOMP_BY_HIDDEN_HELPERS)
        release(task, self);
    hand_back(task, counted, self->worker);
}

/* The thread's own team, a root, takes the values of that team. */
static void resemble(struct bomp_member *self, const struct bomp_team *team) {
    struct bomp_team *own = self->team;
    own->size = team->size;
    own->level = team->level;
    own->active_level = team->active_level;
    own->outer = team->outer;
    own->initial = team->initial;
    own->icv = team->icv;
    self->allocator = team->body.allocator;
    self->num = (unsigned)BOMP_UNASSIGNED;
}

static void run(struct bomp_member *self, struct bomp_task *task, struct bomp_team *team) {
    struct bomp_initial *own = self->team->initial;
    resemble(self, team);
    bomp_free_agent_run(self, task, team);
    self->team->initial = own;
    self->team->outer = NULL;
}

/* ---- a free agent thread ---- */

static void free_agent_main(void *arg) {
    struct bomp_member *self = bomp_self();
    struct bomp_team *team;
    uint32_t generation = bz_fork_generation();
    (void)arg;
    bz_mutex_lock(&pool.lock);
    for (unsigned failed = 0; failed < SEARCHES;) {
        struct bomp_task *task = take(&team);
        if (!task) {
            failed =
                bomp_idle_sleep(&pool.lock, &pool.idle, BOMP_AGENT_LINGER_NS / SEARCHES) ? 0 : failed + 1;
            continue;
        }
        failed = 0;
        bz_mutex_unlock(&pool.lock);
        run(self, task, team);
        if (bz_fork_generation() != generation) /* the child of a fork in the task, which ends here */
            return;
        bz_mutex_lock(&pool.lock);
        pool.busy--;
    }
    pool.threads--;
    bz_mutex_unlock(&pool.lock);
}

void bomp_free_agents_notify(struct bomp_member *self) {
    bz_mutex_lock(&pool.lock);
    if (!is_listed(&self->team->pooled))
        enlist(self);
    struct bomp_idle *idle = bomp_idle_call(&pool.idle);
    bool comes = !idle && may_come(self);
    pool.threads += comes;
    bz_mutex_unlock(&pool.lock);
    if (idle)
        bomp_idle_wake(idle);
    if (comes && bz_solo_run(self->worker, free_agent_main, NULL)) {
        bz_mutex_lock(&pool.lock);
        pool.threads--;
        bz_mutex_unlock(&pool.lock);
    }
}

/* ---- fork ---- */

/* Of a root team: threads of other teams may have taken some of its tasks. */
static bool shares_tasks(const struct bomp_team *team) {
    return (team->pooled.listed || team->pooled.helped) && !team->thread_team;
}

/* The child has no free agent threads, and tasks that they had taken never end. A quiet domain continues as usual. */
static void child_of_fork(void) {
    bz_store_relaxed(&pool.lock, BZ_MUTEX_FREE); /* relaxed: the only thread */
    pool.first = NULL;
    pool.idle = NULL;
    pool.threads = pool.busy = 0;
    for (struct bomp_member *self = bomp_self_if_any(); self; self = bomp_member_around(self))
        if (shares_tasks(self->team) && !bz_domain_quiet(bz_worker_domain(self->worker)))
            bz_domain_keep_only(bz_worker_domain(self->worker), self->worker);
}

__attribute__((constructor)) static void follow_forks(void) {
    bz_os_at_fork(NULL, NULL, child_of_fork);
}

/* ---- idle threads ---- */

bool bomp_idle_sleep(struct bz_a32 *lock, struct bomp_idle **list, uint64_t ns) {
    struct bomp_idle me = {.next = *list};
    uint64_t deadline = bz_os_now_ns() + ns;
    *list = &me;
    bz_mutex_unlock(lock);
    bz_awake_add(-1);
    while (!bz_load_relaxed(&me.called) && bz_os_now_ns() < deadline) /* relaxed: decided under the lock */
        (void)bz_os_futex_wait_until(&me.called.v, 0, deadline);
    bz_awake_add(1);
    bz_mutex_lock(lock);
    if (bz_load_relaxed(&me.called)) /* relaxed: under the lock */
        return true;
    while (*list != &me)
        list = &(*list)->next;
    *list = me.next;
    return false;
}

struct bomp_idle *bomp_idle_call(struct bomp_idle **list) {
    struct bomp_idle *idle = *list;
    if (idle) {
        *list = idle->next;
        bz_store_relaxed(&idle->called, 1); /* relaxed: under the lock */
    }
    return idle;
}

/* It may be gone by now. */
void bomp_idle_wake(struct bomp_idle *idle) {
    bz_os_futex_wake(&idle->called.v, 1);
}
