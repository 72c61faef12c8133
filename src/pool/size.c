/* size.c: how many workers a pool has: a number from the program or the user, or the CPUs of the process, counted again
 * now and then. */
#include <errno.h>

#include "env/error.h"
#include "env/options.h"
#include "os/topology.h"
#include "pool/pool.h"
#include "wait/mutex.h"
#include "wait/tick.h"

unsigned bz_pool_size(unsigned wanted) {
    static struct bz_aflag warned;
    unsigned usual = bz_options_get()->workers;
    if (wanted == 0)
        wanted = usual == BZ_WORKERS_AUTO ? bz_topology_default_workers() : usual;
    if (wanted <= BLITZ_WORKERS_MAX)
        return wanted;
    bz_warn_once(&warned, "workers=%u: a pool has %u at most; using these", wanted, BLITZ_WORKERS_MAX);
    return BLITZ_WORKERS_MAX;
}

uint64_t bz_pool_size_due(const struct blitz_pool *pool, unsigned wanted) {
    bool follows =
        wanted == 0 && bz_options_get()->workers == BZ_WORKERS_AUTO && !pool->serial && !pool->pinned;
    return follows ? bz_tick_ns() + BZ_BUDGET_NS : UINT64_MAX;
}

/* Under the lock; leaves it. */
static void resize(struct blitz_pool *pool, unsigned workers) {
    pool->size = workers;
    pool->refused = 0;
    bz_pool_balance(pool);
    if (bz_load_relaxed(&pool->surplus)) { /* relaxed: under the lock */
        bz_store_relaxed(&pool->urgent, true);
        bz_pool_wake_workers(pool);
    }
    bz_mutex_unlock(&pool->lock);
    bz_pool_serve(pool); /* a thread that could not be started was counted meanwhile: see broadcast.c */
}

int blitz_pool_resize(blitz_pool *pool, unsigned workers) {
    if (!(pool = bz_pool_or_global(pool, "blitz_pool_resize")))
        return ENOMEM;
    if (pool->serial)
        return 0;
    unsigned size = bz_pool_size(workers);
    bz_mutex_lock(&pool->lock);
    bz_store_relaxed(&pool->size_due, bz_pool_size_due(pool, workers)); /* relaxed: under the lock */
    resize(pool, size);
    return 0;
}

/* Of several threads that come at the same time one asks. A size that the program sets meanwhile stays. */
void bz_pool_follow_budget(struct blitz_pool *pool) {
    uint64_t due = bz_load_relaxed(&pool->size_due), now = bz_tick_ns(); /* relaxed, all: a rate */
    if (now < due || !bz_cas_relaxed(&pool->size_due, &due, now + BZ_BUDGET_NS))
        return;
    unsigned size = bz_pool_size(0);
    bz_mutex_lock(&pool->lock);
    if (size != pool->size &&
        bz_load_relaxed(&pool->size_due) != UINT64_MAX) /* relaxed: said under the lock */
        resize(pool, size);
    else
        bz_mutex_unlock(&pool->lock);
}

unsigned blitz_pool_workers(blitz_pool *pool) {
    if (!(pool = bz_pool_or_global(pool, "blitz_pool_workers")))
        return 0;
    bz_mutex_lock(&pool->lock);
    unsigned size = pool->size;
    bz_mutex_unlock(&pool->lock);
    return size;
}
