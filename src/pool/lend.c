/* blitz_pool_lend: an external thread runs the pool's jobs until a deadline or a recall, which raises a count and wakes all
 * lent threads. A pool's end is a recall, and waits until lenders have left (R1, R2). Check: tests/check/pool.c. */
#include <errno.h>

#include "base/hooks.h"
#include "os/os.h"
#include "pool/pool.h"
#include "wait/mutex.h"

struct lease {
    struct bz_wait wait;
    struct blitz_pool *pool;
    uint32_t recalls; /* when it began */
};

static bool is_over(void *arg) {
    struct lease *lease = arg;
    return bz_load_relaxed(&lease->pool->recalls) != lease->recalls || /* relaxed: by the latch */
           (lease->wait.deadline_ns && bz_os_now_ns() >= lease->wait.deadline_ns);
}

/* Begins or ends the lease. False: the pool is about to end. */
static bool set_lent(struct lease *lease, struct bz_place *place, bool lent) {
    struct blitz_pool *pool = lease->pool;
    bz_mutex_lock(&pool->lock);
    bool changes = !lent || !pool->closing;
    if (changes) {
        place->is_lent = lent;
        pool->lent += lent ? 1 : -1;
        bz_pool_balance(pool);
    }
    lease->recalls = bz_load_relaxed(&pool->recalls); /* relaxed: by the lock */
    bz_mutex_unlock(&pool->lock);
    return changes;
}

static int lend(struct blitz_pool *pool, uint64_t deadline_ns) {
    struct lease lease = {
        .wait = {.done = is_over, .filter = {.injected = true}, .deadline_ns = deadline_ns, .what = "work"},
        .pool = pool};
    struct bz_worker *self = bz_pool_enter(pool);
    if (!self)
        return bz_pool_no_place(pool);
    lease.wait.arg = &lease;
    if (set_lent(&lease, bz_place_of(self), true)) {
        if (pool->on_start)
            pool->on_start(self->index, pool->hook_arg);
        bz_watched_waits(BZ_WATCHED_LENT, NULL, NULL);
        bz_worker_wait_until(self, &lease.wait);
        bz_watched_goes_on(BZ_WATCHED_LENT);
        bz_pool_run_own_jobs(self);
        if (pool->on_stop)
            pool->on_stop(self->index, pool->hook_arg);
        (void)set_lent(&lease, bz_place_of(self), false);
    }
    bz_pool_close(self);
    return 0;
}

int blitz_pool_lend(blitz_pool *pool, uint64_t timeout_ns) {
    if (!(pool = bz_pool_or_global(pool, "blitz_pool_lend")))
        return ENOMEM;
    if (bz_pool_is_inside(pool, "blitz_pool_lend"))
        return EDEADLK;
    if (pool->serial || timeout_ns == 0)
        return 0;
    uint64_t now = bz_os_now_ns();
    bz_fetch_add_relaxed(&pool->lenders, 1); /* relaxed: the pool does not end before the call has begun */
    int error = lend(pool, timeout_ns < BLITZ_FOREVER - now ? now + timeout_ns : 0);
    bz_fetch_sub_release(&pool->lenders, 1); /* R1: pairs with R2; the pool may be gone after this line */
    return error;
}

int blitz_pool_recall(blitz_pool *pool) {
    if (!(pool = bz_pool_or_global(pool, "blitz_pool_recall")))
        return ENOMEM;
    bz_mutex_lock(&pool->lock);
    bz_fetch_add_relaxed(&pool->recalls, 1); /* relaxed: by the latches */
    bz_pool_wake_workers(pool);
    bz_mutex_unlock(&pool->lock);
    return 0;
}
