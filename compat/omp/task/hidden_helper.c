#include "omp/task/hidden_helper.h"

#include <stdlib.h>
#include <string.h>

#include "omp/affinity/affinity_format.h"
#include "omp/base/tuning.h"
#include "omp/icv/env.h"
#include "omp/icv/icv.h"
#include "omp/task/depend_table.h"
#include "omp/task/task_inner.h"
#include "omp/task/taskgroup.h"
#include "omp/tool/tool_data.h"

/* A sleeping thread; on its stack. */
struct idle {
    struct bz_a32 called; /* 1: there is a task. Set under the lock */
    struct idle *next;
};

static struct {
    struct bz_a32 lock;                  /* guards the rest */
    struct bz_pqueue_item *first, *last; /* tasks, linked by `next`, oldest first */
    struct idle *idle;                   /* youngest first */
    struct bz_a32 queued;                /* their number; read by creators as a hint */
    unsigned threads;                    /* idle ones included */
    unsigned called;                     /* called or started, and not at the list yet */
    uint32_t places;                     /* a bit for each thread's index */
    uint32_t said;                       /* the same: printed its CPUs */
    uint32_t numbers;                    /* the first reserved thread number; constant */
    uint32_t reserved; /* their count; further threads keep their own. Constant, but in the child of a fork */
} pool;

struct bomp_hidden_helper_left bomp_hidden_helper_left;

_Static_assert(BOMP_HELPERS_MOST < 32, "each has a bit, and one is left");

/* ---- tasks for hidden helper threads ---- */

static unsigned most(void) {
    const struct bomp_global *global = bomp_global();
    return global->uses_helpers ? global->helpers : 0;
}

/* Tasks of a helper thread stay with their team, in its regions as well: if all helper threads waited for children,
 * none would be left to run these. */
static bool creates_for_helpers(const struct bomp_member *self) {
    return !self->team->initial->helps && !bomp_group_has_reduction(self->current->group) && !bomp_hooks &&
           !bz_domain_is_alone(bz_worker_domain(self->worker)) &&
           bz_load_relaxed(&pool.queued) < BOMP_HELPED_MOST; /* relaxed: a hint */
}

/* Tasks that helper threads have run come back to be completed. A creator that never waits does so here. */
bool bomp_task_may_help(void) {
    enum { BACK = 64 };
    const struct bomp_member *self = bomp_self();
    struct bz_worker *worker = self->worker;
    if (most() == 0 || !creates_for_helpers(self))
        return false;
    if (bz_domain_put_count(bz_worker_domain(worker)) >= BACK && bz_stack_is_left(worker))
        bomp_task_complete_late(worker);
    return true;
}

/* ---- the queue: with the lock held ---- */

static void append(struct bz_pqueue_item *item) {
    item->next = NULL;
    bz_signal_fence(); /* a fork may copy the queue at any moment: each change is one store (fork.md) */
    *(pool.first ? &pool.last->next : &pool.first) = item;
    pool.last = item;
    bz_store_relaxed(&pool.queued, bz_load_relaxed(&pool.queued) + 1); /* relaxed, both: by the lock */
}

static struct bomp_task *take(void) {
    struct bz_pqueue_item *item = pool.first;
    if (!item)
        return NULL;
    pool.first = item->next;
    bz_store_relaxed(&pool.queued, bz_load_relaxed(&pool.queued) - 1); /* relaxed, both: by the lock */
    return bz_container_of(item->job, struct bomp_task, job);
}

/* The caller puts the task into the priority queue of the domain. */
static struct bz_domain *to_team(struct bomp_task *task) {
    task->extra->helped = false;
    return bz_load_relaxed(&task->extra->event.domain); /* relaxed: constant */
}

/* ---- place and number ---- */

static void say_where(void) {
    static const char format[] =
        "OMP: Info #254: KMP_HIDDEN_HELPER_AFFINITY: pid %P tid %i thread %n bound to OS proc set %A\n";
    char line[1024];
    uint64_t *cpus = bz_alloc_zero(bz_cpus_words(), sizeof *cpus);
    if (!cpus || bz_cpus_of_thread(cpus) != 0) {
        bz_free(cpus);
        return;
    }
    const struct bomp_affinity_facts facts = {.num = (int)bz_thread_number() - 1,
                                              .process = (int)bz_os_process_id(),
                                              .thread = bz_os_thread_id(),
                                              .cpus = cpus,
                                              .words = bz_cpus_words(),
                                              .as_llvm = true};
    size_t length = bomp_affinity_print(line, sizeof line, format, sizeof format - 1, &facts);
    bz_error_write(line, length < sizeof line ? length : sizeof line - 1);
    bz_free(cpus);
}

/* By KMP_HIDDEN_HELPER_AFFINITY. A team may have moved the thread. */
static void go_to_place(unsigned place) {
    static struct bz_aflag warned;
    const struct bomp_global *global = bomp_global();
    uint32_t count = global->helper.places.count;
    if (count == 0)
        return;
    int error = bz_pin(bomp_place(&global->helper.places, (global->helper.first + place) % count));
    if (error != 0)
        bz_warn_once(&warned, "KMP_HIDDEN_HELPER_AFFINITY: cannot bind a thread: %s; it stays where it was",
                     strerror(error));
}

/* The lowest free index. A leaving thread gives its own back in a moment. */
static unsigned take_place(void) {
    bz_mutex_lock(&pool.lock);
    while ((unsigned)__builtin_ctz(~pool.places) >= most()) {
        bz_mutex_unlock(&pool.lock);
        bz_os_yield();
        bz_mutex_lock(&pool.lock);
    }
    unsigned place = (unsigned)__builtin_ctz(~pool.places);
    pool.places |= 1u << place;
    bz_mutex_unlock(&pool.lock);
    return place;
}

/* The calling thread becomes a helper thread. Returns its former number, or 0 if it keeps that. */
static uint32_t appear(unsigned place) {
    uint32_t number = 0;
    if (place < pool.reserved) {
        number = bz_thread_number_change(pool.numbers + place);
        bz_thread_cache_rename();
    }
    go_to_place(place);
    if (bomp_global()->helper.verbose && !(pool.said & 1u << place))
        say_where();
    bz_mutex_lock(&pool.lock);
    pool.said |= 1u << place;
    bz_mutex_unlock(&pool.lock);
    return number;
}

/* It becomes an ordinary thread again, and gives back index and number. */
static void disappear(unsigned place, uint32_t number) {
    bz_unpin();
    if (number != 0) {
        int id = (int)bz_thread_number_change(number) - 1;
        /* relaxed: a thread that has data has set it */
        void (*forget)(int) = bz_load_relaxed(&bomp_hidden_helper_left);
        if (forget)
            forget(id);
        bz_thread_cache_rename();
    }
    bz_mutex_lock(&pool.lock);
    pool.places &= ~(1u << place);
    bz_mutex_unlock(&pool.lock);
}

/* ---- waking and starting threads ---- */

/* With the lock held, which it releases meanwhile: sleeps, not counted as awake (load.h). True: it was called. */
static bool sleep_idle(void) {
    struct idle me = {.next = pool.idle}, **link = &pool.idle;
    uint64_t deadline = bz_os_now_ns() + BOMP_HELPER_LINGER_NS;
    pool.idle = &me;
    bz_mutex_unlock(&pool.lock);
    bz_awake_add(-1);
    while (!bz_load_relaxed(&me.called) && bz_os_now_ns() < deadline) /* relaxed: decided under the lock */
        (void)bz_os_futex_wait_until(&me.called.v, 0, deadline, 0);
    bz_awake_add(1);
    bz_mutex_lock(&pool.lock);
    if (bz_load_relaxed(&me.called)) /* relaxed: under the lock */
        return true;
    while (*link != &me)
        link = &(*link)->next;
    *link = me.next;
    return false;
}

struct call {
    struct idle *idle; /* to wake, or NULL */
    bool starts;       /* a new thread */
};

/* With the lock held: for the first task, unless a thread is on its way, which calls the next if there are more tasks.
 * Calls the youngest idle thread, which sleeps until it is woken, or lets one start. */
static struct call call_one(void) {
    struct call call = {NULL, false};
    if (!pool.first || pool.called > 0)
        return call;
    call.idle = pool.idle;
    call.starts = !call.idle && pool.threads < most();
    if (call.idle) {
        pool.idle = call.idle->next;
        bz_store_relaxed(&call.idle->called, 1); /* relaxed: under the lock */
    }
    pool.threads += call.starts;
    pool.called += call.idle || call.starts;
    return call;
}

static void helper_main(void *arg);

/* The thread's last access to the team, which continues with the task. */
static void give(struct bz_domain *home, struct bz_pqueue_item *item) {
    bz_domain_enter_external(home);
    bz_domain_put_from_outside(home, item);
    bz_domain_leave_external(home);
}

/* No thread could be created: all tasks go to their teams. */
static void go_without(int error) {
    bz_mutex_lock(&pool.lock);
    unsigned number = pool.threads--;
    pool.called--;
    for (struct bomp_task *task; (task = take());)
        give(to_team(task), &task->extra->item);
    bz_mutex_unlock(&pool.lock);
    bz_thread_cache_warn(number, most(), error);
}

/* Without the lock. The idle thread may be gone by now. */
static void carry_out(struct bomp_member *self, struct call call) {
    if (call.idle)
        bz_os_futex_wake(&call.idle->called.v, 1);
    int error = call.starts ? bz_solo_run(self->worker, helper_main, NULL) : 0;
    if (error)
        go_without(error);
}

/* ---- a hidden helper thread ---- */

/* The task is a unit of work of its domain, which therefore stays until a member has completed it. */
static void run(struct bomp_member *self, struct bomp_task *task) {
    struct bz_domain *home = bz_load_relaxed(&task->extra->event.domain); /* relaxed: constant */
    bomp_task_run_apart(task, self->worker);
    bz_domain_enter_external(home);
    bomp_task_release_apart(task, home, self);
    bz_domain_leave_external(home);
    bomp_task_wait_quiet(self->worker);
    bomp_table_free(task->extra->table, self->worker);
    task->extra->table = NULL;
    give(home, bomp_task_late_item(task));
}

/* With the lock held, which it releases meanwhile: runs tasks until none has come for a while. False: this is the child
 * of a fork in one. */
static bool serve(struct bomp_member *self, unsigned place) {
    uint32_t generation = bz_fork_generation();
    struct bomp_task *task;
    while ((task = take()) || sleep_idle()) {
        if (!task) {
            pool.called--;
            continue;
        }
        struct call call = call_one();
        bz_mutex_unlock(&pool.lock);
        carry_out(self, call);
        go_to_place(place);
        run(self, task);
        if (bz_fork_generation() != generation)
            return false;
        bz_mutex_lock(&pool.lock);
    }
    return true;
}

/* For tasks that come after it has given back its number, it gets another one. */
static void helper_main(void *arg) {
    struct bomp_member *self = bomp_self();
    bool is_new = true;
    (void)arg;
    self->team->initial->helps = true;
    bz_mutex_lock(&pool.lock);
    do {
        bz_mutex_unlock(&pool.lock);
        unsigned place = take_place();
        uint32_t number = appear(place);
        bz_mutex_lock(&pool.lock);
        pool.called -= is_new;
        is_new = false;
        if (!serve(self, place))
            return;
        bz_mutex_unlock(&pool.lock);
        disappear(place, number);
        bz_mutex_lock(&pool.lock);
    } while (pool.first);
    pool.threads--;
    bz_mutex_unlock(&pool.lock);
}

/* ---- a task ---- */

static void finish_at_exit(void) {
    struct bomp_member *self = bomp_self_if_any();
    if (self && !self->team->thread_team && self->current == &self->implicit)
        bomp_task_finish_root(self);
}

/* The initial thread waits for the remaining tasks. */
static void await_at_exit(void) {
    static struct bz_aflag registered;
    if (!bz_exchange_relaxed(&registered, true)) /* relaxed: nothing comes with it */
        (void)atexit(finish_at_exit);
}

void bomp_hidden_helpers_submit(struct bomp_member *self, struct bomp_task *task) {
    if (!self->team->thread_team) {
        self->team->helped = true;
        await_at_exit();
    }
    bz_mutex_lock(&pool.lock);
    append(&task->extra->item);
    struct call call = call_one();
    bz_mutex_unlock(&pool.lock);
    carry_out(self, call);
}

void bomp_hidden_helpers_reserve(void) {
    unsigned helpers = bomp_env_helpers();
    if (helpers > 0) /* LLVM's runtime has one more, which runs no tasks */
        pool.numbers = bz_thread_numbers_reserve(helpers + 1) + 1;
    pool.reserved = helpers;
}

/* ---- fork ---- */

/* The child has no helper threads; tasks that these had taken never end, and root teams do not wait for them. Teams run
 * the queued ones. New helper threads get other numbers: locks identify lost threads by theirs. */
static void child_of_fork(void) {
    struct bomp_task *task;
    for (struct bomp_member *self = bomp_self_if_any(); self; self = bomp_member_around(self)) {
        struct bz_domain *domain = bz_worker_domain(self->worker);
        if (self->team->helped && !bz_domain_quiet(domain))
            bz_domain_keep_only(domain, self->worker);
    }
    bz_store_relaxed(&pool.lock, BZ_MUTEX_FREE); /* relaxed: the only thread */
    pool.idle = NULL;
    pool.threads = pool.called = 0;
    pool.places = pool.reserved = 0;
    pool.said = UINT32_MAX;
    while ((task = take()))
        bz_domain_put_in_child(to_team(task), &task->extra->item);
    bz_store_relaxed(&pool.queued, 0); /* relaxed: as above; a thread that was about to count is not here */
}

__attribute__((constructor)) static void follow_forks(void) {
    bz_os_at_fork(NULL, NULL, child_of_fork);
}
