/* External threads, which work in a pool during their outermost call. */
#include <errno.h>

#include "base/hooks.h"
#include "base/sanitizer.h"
#include "env/error.h"
#include "os/os.h"
#include "pool/help.h"
#include "pool/pool.h"
#include "sched/stack.h"
#include "sched/views.h"
#include "team/adopt.h"
#include "wait/load.h"
#include "wait/mutex.h"

/* From a pool's end until external threads must have left. */
#define LEAVE_NS UINT64_C(1000000000)

/* The place's thread begins or ends to block or to work elsewhere. A leaving thread counts as away already. */
static void count_away(struct bz_place *place, int delta) {
    struct blitz_pool *pool = place->pool;
    bz_mutex_lock(&pool->lock);
    if (!place->stopping) {
        pool->away += (unsigned)delta;
        bz_pool_balance(pool);
    }
    bz_mutex_unlock(&pool->lock);
}

/* Its jobs become public, and another thread may replace it. Without one it runs the jobs from outside itself, since posters
 * may have relied on it. */
static void leave_outer(struct bz_worker *outer) {
    struct blitz_pool *pool = bz_pool_of_outer(outer);
    if (!pool) {
        if (!outer || outer->domain->host)
            bz_awake_add(1); /* cached threads count anyway */
        return;
    }
    count_away(bz_place_of(outer), 1);
    bz_deque_expose_all(&outer->deque);
    bz_domain_offer(&pool->domain,
                    outer); /* also for jobs that were public: the thread notified then may be gone */
    while (!bz_pool_attend(pool))
        bz_pool_run_injected(outer);
}

static void return_to_outer(struct bz_worker *outer) {
    if (bz_pool_of_outer(outer))
        count_away(bz_place_of(outer), -1);
    else if (!outer || outer->domain->host)
        bz_awake_add(-1);
}

static void work_at(struct bz_place *place, struct bz_worker *outer) {
    place->outer = outer;
    place->worker.stack.limit = outer ? outer->stack.limit : bz_stack_bound();
    bz_become(&place->worker);
}

struct bz_worker *bz_pool_enter(struct blitz_pool *pool) {
    struct bz_worker *outer = bz_worker_adopt();
    bz_pool_follow_budget(pool);
    bz_mutex_lock(&pool->lock);
    struct bz_place *place = bz_pool_take_place(pool);
    if (place) {
        place->holder = &bz_self;
        pool->external++;
        bz_pool_balance(pool);
    }
    bz_mutex_unlock(&pool->lock);
    if (!place)
        return NULL;
    leave_outer(outer);
    work_at(place, outer);
    return bz_self;
}

void bz_pool_leave_outer(void) {
    leave_outer(bz_self);
}

void bz_pool_return_to_outer(void) {
    return_to_outer(bz_self);
}

__attribute__((noinline)) static void leave_place(struct bz_place *place) {
    struct blitz_pool *pool = place->pool;
    return_to_outer(place->outer);
    bz_mutex_lock(&pool->lock);
    pool->external--;
    bz_pool_balance(pool);
    bz_pool_free_place(place);
    bz_mutex_unlock(&pool->lock);
}

static BZ_COLD void hand_views_over(struct bz_worker *self) {
    bz_views_hand_over(self, bz_place_of(self)->outer, &bz_self);
}

/* With an empty deque: its owner is gone afterwards. */
BZ_INLINE void leave(struct bz_worker *self) {
    struct bz_place *place = bz_place_of(self);
    while (bz_unlikely(bz_deque_size(&self->deque) > 0))
        bz_pool_run_own_jobs(self);
    if (bz_unlikely(self->views.top))
        hand_views_over(self);
    bz_become(place->outer);
    leave_place(place);
}

void bz_pool_serve(struct blitz_pool *pool) {
    while (!bz_pool_attend(pool)) {
        struct bz_worker *here = bz_pool_self(), *self = bz_pool_enter(pool);
        if (self) {
            bz_pool_run_injected(self);
            leave(self);
        } else if (!here || bz_pool_of(here) != pool || !bz_help_once(here)) {
            bz_os_yield(); /* the thread in the place is leaving, and may be the caller */
        }
    }
}

struct bz_worker *bz_pool_come(void) {
    struct blitz_pool *pool = bz_pool_global();
    return pool ? bz_pool_enter(pool) : NULL;
}

void bz_pool_go(struct bz_worker *self) {
    struct blitz_pool *pool = bz_pool_of(self);
    leave(self);
    bz_pool_serve(pool); /* posters may have relied on this thread */
}

void bz_pool_inject(struct blitz_pool *pool, struct bz_inject_node *node) {
    bz_pool_follow_budget(pool);
    bz_domain_inject(&pool->domain, node);
    bz_pool_serve(pool);
}

/* ---- who is inside ---- */

void bz_pool_wait_for_external(struct blitz_pool *pool) {
    uint64_t deadline = bz_os_now_ns() + LEAVE_NS;
    for (;;) {
        bz_mutex_lock(&pool->lock);
        unsigned external = pool->external;
        bz_mutex_unlock(&pool->lock);
        if (external == 0)
            return;
        if (bz_os_now_ns() > deadline)
            bz_misuse("blitz_pool_destroy", "pool", pool,
                      "threads are still inside (%u); they must leave before it is destroyed", external);
        bz_os_yield();
    }
}

/* ---- a call that a thread of the pool runs ---- */

struct injected_call {
    struct bz_inject_node node; /* first */
    struct bz_once_latch done;
    blitz_fn *fn;
    void *arg;
    const char *verb;
    uintptr_t named;
    struct bz_worker *outer; /* the caller's; constant */
    const void *thread;      /* the caller's &bz_self; constant */
};

static void run_injected(struct bz_job *job, struct bz_worker *self) {
    struct injected_call *call = (struct injected_call *)job;
    bz_views_enter(self);
    bz_tsan_after(call);
    bz_strict_call(self, call->verb, call->named, call->fn, call->arg);
    if (bz_unlikely(self->views.top)) /* the caller sleeps, so this thread may access its state */
        bz_views_hand_over(self, call->outer, call->thread);
    bz_tsan_before(call);
    bz_once_latch_set(&call->done); /* the call may be gone after this line */
}

static void call_and_wait(struct blitz_pool *pool, blitz_fn *fn, void *arg, const char *verb,
                          uintptr_t named) {
    struct injected_call call = {.node.job.run = run_injected,
                                 .fn = fn,
                                 .arg = arg,
                                 .verb = verb,
                                 .named = named,
                                 .outer = bz_self,
                                 .thread = &bz_self};
    bz_once_latch_init(&call.done);
    bz_pool_leave_outer();
    bz_tsan_before(&call);
    bz_pool_inject(pool, &call.node);
    bz_once_latch_wait(&call.done);
    bz_tsan_after(&call);
    bz_pool_return_to_outer();
}

int bz_pool_run(struct blitz_pool *pool, blitz_fn *fn, void *arg, const char *verb, uintptr_t named) {
    struct bz_worker *self = bz_pool_self();
    if (!pool && !self && !(pool = bz_pool_global()))
        return ENOMEM;
    if (self && (!pool || bz_pool_of(self) == pool)) {
        bz_strict_check(bz_place_of(self), verb);
        bz_strict_call(self, verb, named, fn, arg);
    } else if ((self = bz_pool_enter(pool))) {
        bz_strict_call(self, verb, named, fn, arg);
        bz_pool_close(self);
    } else if (bz_load_relaxed(&pool->usable)) { /* relaxed: it stays; others have all places */
        call_and_wait(pool, fn, arg, verb, named);
    } else {
        return ENOMEM;
    }
    return 0;
}

int blitz_call(blitz_pool *pool, blitz_fn *fn, void *arg) {
    if (!fn)
        return EINVAL;
    uintptr_t named = (uintptr_t)fn;
    if (!(pool = bz_pool_or_global(pool, "blitz_call")))
        return ENOMEM;
    if (bz_unlikely(bz_hooks))
        bz_watched_make(&fn, &arg, __builtin_return_address(0));
    int error = bz_pool_run(pool, fn, arg, "blitz_call", named);
    if (error)
        bz_watched_skip(fn, arg);
    return error;
}

blitz_pool *blitz_pool_current(void) {
    struct bz_worker *self = bz_pool_self();
    return self ? bz_pool_of(self) : NULL;
}

unsigned blitz_worker_index(void) {
    struct bz_worker *self = bz_pool_self();
    return self ? self->index : 0;
}
