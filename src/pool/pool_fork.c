/* How the child of a fork repairs its pools: see fork.md. */
#include "pool/pool.h"
#include "wait/mutex.h"

/* The places of lost threads, for leak checkers. */
static struct bz_place *lost;

/* Whether this thread entered another pool from this place, and so is away. A team's leader is not. */
static bool is_left(struct blitz_pool *first, const struct bz_place *place) {
    /* relaxed, all: the only thread */
    for (struct blitz_pool *pool = first; pool; pool = bz_load_relaxed(&pool->next_pool))
        for (unsigned i = 0; i < pool->places; i++) {
            struct bz_place *other = bz_pool_place(pool, i);
            if (other && other->holder == &bz_self && !other->is_thread && !other->stopping &&
                other->outer == &place->worker)
                return true;
        }
    return false;
}

/* Sets places of lost threads aside. This thread stays in its own until its job ends, and drops a broadcast. */
static void sort_out(struct blitz_pool *first, struct blitz_pool *pool, struct bz_place *place) {
    bz_deque_forget_thieves(&place->worker.deque); /* relaxed, all: the only thread */
    if (place->holder == &bz_self) {
        *(place->is_thread ? &pool->threads : place->stopping ? &pool->stopping : &pool->external) += 1;
        pool->away += !place->stopping && is_left(first, place);
        pool->lent += place->is_lent;
        if (place->is_lent) /* this thread may have more than one place */
            bz_store_relaxed(&pool->lenders, 1);
        place->stranded = place->is_thread;
        pool->domain.orphaned = true;
        bz_store_relaxed(&place->mail, NULL);
    } else if (place->holder || place->is_thread) {
        bz_store_relaxed(&pool->domain.slots[place->worker.index], NULL);
        place->next = lost;
        lost = place;
    } else {
        bz_pool_free_place(place); /* a thread that was about to take it is gone */
    }
}

/* The fork may have interrupted any change: only the slots are reliable. */
static void leave_behind(struct blitz_pool *first, struct blitz_pool *pool) {
    bz_store_relaxed(&pool->lock, BZ_MUTEX_FREE); /* relaxed, all: the only thread */
    pool->threads = pool->external = pool->lent = pool->away = pool->stopping = pool->surplus = 0;
    bz_store_relaxed(&pool->leave_at, 0);
    bz_store_relaxed(&pool->lenders, 0);
    pool->free = NULL;
    bool any = false;
    bz_store_relaxed(&pool->domain.count, pool->places);
    for (unsigned i = 0; i < pool->places; i++) {
        if (bz_pool_place(pool, i))
            sort_out(first, pool, bz_pool_place(pool, i));
        any |= bz_pool_place(pool, i) != NULL;
    }
    /* Without memory, calls run at once or fail, and none waits for a thread. */
    if (!any && !bz_pool_has_place(pool))
        pool->serial = true;
    pool->unstarted = pool->refused = 0;
    pool->domain.injector = (struct bz_injector){.takes = 0};
    bz_store_relaxed(&pool->pending, 0);
    bz_store_relaxed(&pool->idle_waiters, 0);
    bz_store_relaxed(&pool->broadcasting, 0);
    bz_pool_balance(pool);
}

void bz_pools_leave_behind(struct blitz_pool *first) {
    /* relaxed: the only thread */
    for (struct blitz_pool *pool = first; pool; pool = bz_load_relaxed(&pool->next_pool))
        leave_behind(first, pool);
}
