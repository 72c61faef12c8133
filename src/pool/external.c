/* External threads, which work in a pool during their outermost call. */
#include <errno.h>

#include "base/hooks.h"
#include "env/error.h"
#include "os/os.h"
#include "pool/pool.h"
#include "sched/stack.h"
#include "sched/views.h"
#include "team/adopt.h"
#include "wait/load.h"
#include "wait/mutex.h"

/* From a pool's end until external threads must have left. */
#define LEAVE_NS UINT64_C(1000000000)

/* The place's thread blocks or works elsewhere, or no longer. A leaving thread does not count. */
static void count_away(struct bz_place *place, int delta) {
    struct blitz_pool *pool = bz_pool_of(&place->worker);
    bz_mutex_lock(&pool->lock);
    if (!place->stopping) {
        pool->away += (unsigned)delta;
        bz_pool_balance(pool);
    }
    bz_mutex_unlock(&pool->lock);
}

/* Its jobs become public, and another thread may replace it. Without one it runs jobs from outside itself, since posters may
 * rely on it. */
void bz_pool_leave_outer(void) {
    struct bz_worker *outer = bz_self;
    struct blitz_pool *pool = bz_pool_of_outer(outer);
    if (!pool) {
        if (bz_is_outside(outer))
            bz_awake_add(1); /* cached threads count anyway */
        return;
    }
    count_away(bz_place_of(outer), 1);
    bz_deque_expose_all(&outer->deque);
    bz_domain_recheck(&pool->domain, outer); /* also for public jobs: the notified thread may be gone */
    while (!bz_pool_attend(pool))
        bz_pool_run_injected(outer);
}

void bz_pool_return_to_outer(void) {
    struct bz_worker *outer = bz_self;
    if (bz_pool_of_outer(outer))
        count_away(bz_place_of(outer), -1);
    else if (bz_is_outside(outer))
        bz_awake_add(-1);
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
    bz_pool_leave_outer();
    place->outer = outer;
    place->worker.stack.limit = outer ? outer->stack.limit : bz_stack_bound();
    bz_become(&place->worker);
    return bz_self;
}

__attribute__((noinline)) static void leave_place(struct bz_place *place) {
    struct blitz_pool *pool = bz_pool_of(&place->worker);
    bz_pool_return_to_outer();
    bz_mutex_lock(&pool->lock);
    pool->external--;
    bz_pool_balance(pool);
    bz_pool_free_place(place);
    bz_mutex_unlock(&pool->lock);
}

/* With an empty deque: its owner is gone afterwards. */
BZ_INLINE void leave(struct bz_worker *self) {
    struct bz_place *place = bz_place_of(self);
    while (bz_unlikely(bz_deque_size(&self->deque) > 0))
        bz_pool_run_own_jobs(self);
    if (bz_unlikely(self->views.top))
        bz_views_hand_over(self, place->outer);
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
    bz_mutex_lock(&pool->lock);
    while (pool->external > 0 && bz_os_now_ns() <= deadline)
        bz_mutex_yield(&pool->lock);
    unsigned external = pool->external;
    bz_mutex_unlock(&pool->lock);
    if (external > 0)
        bz_misuse("blitz_pool_destroy", "pool", pool,
                  "threads are still inside (%u); they must leave before it is destroyed", external);
}

/* ---- calls ---- */

int bz_pool_no_place(struct blitz_pool *pool) {
    bz_mutex_lock(&pool->lock);
    bool full = pool->places == BZ_POOL_PLACES;
    bz_mutex_unlock(&pool->lock);
    return full ? EAGAIN : ENOMEM;
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
    } else {
        return bz_pool_no_place(pool);
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
