#include "omp/task/hidden_helper.h"

#include <string.h>

#include "omp/affinity/affinity_format.h"
#include "omp/base/tuning.h"
#include "omp/icv/env.h"
#include "omp/icv/icv.h"
#include "omp/task/free_agent.h"
#include "omp/task/task_inner.h"
#include "omp/task/taskgroup.h"
#include "omp/team/team_data.h"
#include "omp/tool/tool_data.h"

static struct {
    struct bz_a32 lock;                  /* guards the rest */
    struct bz_pqueue_item *first, *last; /* tasks, linked by `next`, oldest first */
    struct bomp_idle *idle;              /* the youngest is called first */
    struct bz_a32 queued; /* their number; written under the lock, read by creators as a hint */
    unsigned threads;     /* idle ones included */
    unsigned called;      /* of these, called or started and not yet at the list */
    uint32_t places;      /* a bit for each thread: its index among all */
    uint32_t said;        /* the same: its CPUs have been printed */
    uint32_t numbers;     /* the first reserved thread number; constant */
    uint32_t
        reserved; /* count of these; further threads keep their own. Constant, except in the child of a fork */
} pool;

struct bomp_hidden_helper_left bomp_hidden_helper_left;

_Static_assert(BOMP_HELPERS_MOST < 32, "each has a bit, and one is left");

/* ---- tasks for hidden helper threads ---- */

static unsigned most(void) {
    const struct bomp_global *global = bomp_global();
    return global->uses_helpers ? global->helpers : 0;
}

/* Other tasks stay with their team. Those of a helper thread, also in its regions, do: if all these threads waited for
 * their children, no thread would be left to run these. */
static bool creates_for_helpers(const struct bomp_member *self) {
    return !self->team->initial->helps && !bomp_group_has_reduction(self->current->group) && !bomp_hooks &&
           !bz_domain_is_alone(bz_worker_domain(self->worker)) &&
           bz_load_relaxed(&pool.queued) < BOMP_HELPED_MOST; /* relaxed: a hint */
}

/* A creator may never wait meanwhile: so it completes returned tasks here. */
bool bomp_task_may_help(void) {
    struct bomp_member *self = bomp_self();
    struct bz_worker *worker = self->worker;
    if (most() == 0 || !creates_for_helpers(self))
        return false;
    if (bz_domain_put_count(bz_worker_domain(worker)) >= BOMP_HELPED_BACK && bz_stack_is_left(worker))
        bomp_free_agents_complete(worker);
    return true;
}

/* ---- the queue: with the lock held ---- each change of it is one store (fork.md) */

static void append(struct bz_pqueue_item *item) {
    item->next = NULL;
    bz_signal_fence(); /* the child of a fork may find the queue at any moment */
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

/* Gives a task back to its team: the caller puts it into the returned domain's priority queue. */
static struct bz_domain *to_team(struct bomp_task *task) {
    task->extra->by = BOMP_BY_TEAM;
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

/* By KMP_HIDDEN_HELPER_AFFINITY. A team may have moved the thread meanwhile. */
static void go_to_place(unsigned place) {
    static struct bz_aflag warned;
    const struct bomp_global *global = bomp_global();
    uint32_t count = global->helper_places.count;
    if (count == 0)
        return;
    int error = bz_pin(bomp_place(&global->helper_places, (global->helper_first + place) % count));
    if (error != 0)
        bz_warn_once(&warned, "KMP_HIDDEN_HELPER_AFFINITY: cannot bind a thread: %s; it stays where it was",
                     strerror(error));
}

/* The lowest free index: a leaving thread may give it back only in a moment. */
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

/* The calling thread becomes a helper thread. Returns the number that it had, or 0 if it keeps that. */
static uint32_t appear(unsigned place) {
    uint32_t number = 0;
    if (place < pool.reserved) {
        number = bz_thread_number_change(pool.numbers + place);
        bz_thread_cache_rename();
    }
    go_to_place(place);
    if (bomp_global()->helper_verbose && !(pool.said & 1u << place))
        say_where();
    bz_mutex_lock(&pool.lock);
    pool.said |= 1u << place;
    bz_mutex_unlock(&pool.lock);
    return number;
}

/* It becomes an ordinary thread again. Another thread may get the index and the number from then on. */
static void disappear(unsigned place, uint32_t number) {
    bz_unpin();
    if (number != 0) {
        int id = (int)bz_thread_number_change(number) - 1;
        void (*forget)(int) =
            bz_load_relaxed(&bomp_hidden_helper_left); /* relaxed: a thread that has data has set it */
        if (forget)
            forget(id);
        bz_thread_cache_rename();
    }
    bz_mutex_lock(&pool.lock);
    pool.places &= ~(1u << place);
    bz_mutex_unlock(&pool.lock);
}

/* ---- waking and starting threads ---- */

struct call {
    struct bomp_idle *idle; /* to wake, or NULL */
    bool starts;            /* a new thread */
};

/* For the first task, unless a thread is on its way to it: that thread calls the next if there are more tasks then. */
static struct call call_one(void) {
    struct call call = {NULL, false};
    if (!pool.first || pool.called > 0)
        return call;
    call.idle = bomp_idle_call(&pool.idle);
    call.starts = !call.idle && pool.threads < most();
    pool.threads += call.starts;
    pool.called += call.idle || call.starts;
    return call;
}

static void helper_main(void *arg);

/* No thread could be created: its task goes to its team, or all tasks if there is no helper thread. Tasks that were
 * submitted meanwhile have called no thread. */
static void go_without(int error) {
    bz_mutex_lock(&pool.lock);
    unsigned number = pool.threads--;
    pool.called--;
    do {
        struct bomp_task *task = take();
        if (!task)
            break;
        struct bz_domain *home = to_team(task);
        bz_domain_enter_external(home);
        bz_domain_put_from_outside(home, &task->extra->item);
        bz_domain_leave_external(home);
    } while (pool.threads == 0);
    struct bomp_idle *idle = pool.first && pool.called == 0 ? bomp_idle_call(&pool.idle) : NULL;
    pool.called += idle != NULL;
    bz_mutex_unlock(&pool.lock);
    if (idle)
        bomp_idle_wake(idle);
    bz_thread_cache_warn(number, most(), error);
}

static void start(struct bomp_member *self) {
    int error = bz_solo_run(self->worker, helper_main, NULL);
    if (error)
        go_without(error);
}

static void carry_out(struct bomp_member *self, struct call call) {
    if (call.idle)
        bomp_idle_wake(call.idle);
    if (call.starts)
        start(self);
}

/* ---- a hidden helper thread ---- */

/* With the lock held, which it releases meanwhile: runs tasks until none has come for a while. False: this is the child
 * of a fork in one of them. */
static bool serve(struct bomp_member *self, unsigned place) {
    uint32_t generation = bz_fork_generation();
    struct bomp_task *task;
    while ((task = take()) || bomp_idle_sleep(&pool.lock, &pool.idle, BOMP_HELPER_LINGER_NS)) {
        if (!task) {
            pool.called--;
            continue;
        }
        struct call call = call_one();
        bz_mutex_unlock(&pool.lock);
        carry_out(self, call);
        go_to_place(place);
        bomp_free_agent_run(self, task, NULL);
        if (bz_fork_generation() != generation)
            return false;
        bz_mutex_lock(&pool.lock);
    }
    return true;
}

/* Tasks that come after it has given back its number are served with another one. */
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

static unsigned missing(void) {
    bz_mutex_lock(&pool.lock);
    unsigned said = (unsigned)__builtin_popcount(pool.said), threads = pool.threads;
    bz_mutex_unlock(&pool.lock);
    return threads > said ? threads - said : 0;
}

/* Each prints its CPUs once: so all start with the first task, whose creator waits until they have. */
BZ_COLD static void start_all(struct bomp_member *self) {
    bz_mutex_lock(&pool.lock);
    unsigned starts = pool.said == 0 ? most() - pool.threads : 0;
    pool.threads += starts;
    pool.called += starts;
    bz_mutex_unlock(&pool.lock);
    for (unsigned i = 0; i < starts; i++)
        start(self);
    while (missing() > 0)
        bz_os_yield();
}

void bomp_hidden_helpers_submit(struct bomp_member *self, struct bomp_task *task) {
    if (!self->team->thread_team) {
        self->team->pooled.helped = true;
        bomp_free_agents_await_at_exit();
    }
    if (bomp_global()->helper_verbose)
        start_all(self);
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

/* The child has no helper threads, and tasks that they had taken never end. Teams run the queued ones. New helper
 * threads get other numbers: locks identify lost threads by theirs. */
static void child_of_fork(void) {
    struct bomp_task *task;
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
