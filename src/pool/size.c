/* The size of a pool: set by the program or the user, else the CPUs of the process, read again now and then. */
#include <errno.h>

#include "env/error.h"
#include "env/options.h"
#include "pool/pool.h"
#include "wait/mutex.h"

unsigned bz_pool_size(unsigned wanted) {
    static struct bz_aflag warned;
    unsigned usual = bz_options_get()->workers;
    if (wanted == 0)
        wanted = usual == BZ_WORKERS_AUTO ? bz_budget() : usual;
    if (wanted <= BLITZ_WORKERS_MAX)
        return wanted;
    bz_warn_once(&warned, "workers=%u: the limit is %u; using that", wanted, BLITZ_WORKERS_MAX);
    return BLITZ_WORKERS_MAX;
}

uint32_t bz_pool_budget(const struct blitz_pool *pool, unsigned wanted) {
    bool follows =
        wanted == 0 && bz_options_get()->workers == BZ_WORKERS_AUTO && !pool->serial && !pool->pinned;
    return follows ? bz_budget() : 0;
}

/* With the lock held. */
static void set_size(struct blitz_pool *pool, unsigned workers) {
    bz_store_relaxed(&pool->size, workers); /* relaxed: under the lock */
    pool->refused = 0;
    bz_pool_balance(pool);
    if (pool->surplus > 0) {
        bz_store_relaxed(&pool->leave_at, 1); /* at once; relaxed: by the latches */
        bz_pool_wake_workers(pool);
    }
}

/* With the lock held. A size that the program has set meanwhile stays. */
static void follow(struct blitz_pool *pool, uint32_t budget) {
    if (bz_load_relaxed(&pool->budget) == 0) /* relaxed, both: under the lock */
        return;
    bz_store_relaxed(&pool->budget, budget);
    unsigned size = pool->reported != 0 && pool->reported < budget ? pool->reported : budget;
    if (size != bz_load_relaxed(&pool->size))
        set_size(pool, size);
}

int blitz_pool_resize(blitz_pool *pool, unsigned workers) {
    if (!(pool = bz_pool_or_global(pool, "blitz_pool_resize")))
        return ENOMEM;
    if (pool->serial)
        return 0;
    unsigned size = bz_pool_size(workers);
    uint32_t budget = bz_pool_budget(pool, workers);
    bz_mutex_lock(&pool->lock);
    pool->reported = 0;
    bz_store_relaxed(&pool->budget, budget); /* relaxed: under the lock */
    set_size(pool, size);
    bz_mutex_unlock(&pool->lock);
    bz_pool_serve(pool); /* as in broadcast.c */
    return 0;
}

unsigned bz_pool_refresh(struct blitz_pool *pool, bool reports) {
    uint32_t budget = bz_budget();
    bz_mutex_lock(&pool->lock);
    if (reports)
        pool->reported = 0;
    follow(pool, budget);
    unsigned size = bz_load_relaxed(&pool->size); /* relaxed: under the lock */
    if (reports)
        pool->reported = size;
    bz_mutex_unlock(&pool->lock);
    bz_pool_serve(pool);
    return size;
}

unsigned blitz_pool_workers(blitz_pool *pool) {
    return (pool = bz_pool_or_global(pool, "blitz_pool_workers")) ? bz_pool_refresh(pool, true) : 0;
}
