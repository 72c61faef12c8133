/* What the child of a fork makes of its pools: see fork.md. */
#include "pool/pool.h"
#include "wait/mutex.h"

/* The places of threads that did not come along, so that they are found: never freed. */
static struct bz_place *lost;

/* Whether this thread has gone from the place to another pool, where it does not count meanwhile. It counts where it leads a
 * team: its worker is another one then, too. */
static bool is_left(struct blitz_pool *first, const struct bz_place *place) {
    for (struct blitz_pool *pool = first; pool;
         pool = bz_load_relaxed(&pool->next_pool)) /* relaxed: the only thread */
        for (unsigned i = 0; i < pool->places; i++) {
            struct bz_worker *worker = bz_load_relaxed(&pool->domain.slots[i]); /* relaxed: the only thread */
            struct bz_place *other = worker ? bz_place_of(worker) : NULL;
            if (other && other->holder == &bz_self && !other->is_thread && !other->stopping &&
                other->outer == &place->worker)
                return true;
        }
    return false;
}

/* Puts aside the places of threads that no longer exist: their stacks hold what this thread may have forked or taken. This
 * thread stays where it is until its job is over, and drops a call that another thread has posted to it. */
static void sort_out(struct blitz_pool *first, struct blitz_pool *pool, struct bz_place *place) {
    bz_deque_forget_thieves(&place->worker.deque);
    if (place->holder == &bz_self) {
        *(place->is_thread || place->stopping ? &pool->threads : &pool->external) += 1;
        pool->stopping += place->stopping; /* it is in its hook, and away for that reason already */
        pool->away += place->stopping || is_left(first, place);
        pool->lent += place->is_lent;
        if (place->is_lent)                      /* this thread may have another place, too */
            bz_store_relaxed(&pool->lenders, 1); /* relaxed: the only thread */
        place->stranded = place->is_thread;
        pool->domain.orphaned = true;
        bz_store_relaxed(&place->mail, NULL); /* relaxed, all: the only thread */
    } else if (place->holder || place->is_thread) {
        bz_store_relaxed(&pool->domain.slots[place->worker.index], NULL);
        place->next = lost;
        lost = place;
    } else {
        bz_pool_free_place(place); /* a thread that was about to take it is gone */
    }
}

/* The slots alone say which places there are: the list of free ones may be in the middle of a change, and a place may have
 * its slot, but not yet be counted among those that thieves and wakers look at. */
static void leave_behind(struct blitz_pool *first, struct blitz_pool *pool) {
    bz_store_relaxed(&pool->lock, BZ_MUTEX_FREE);
    pool->threads = pool->external = pool->lent = pool->away = pool->stopping = 0;
    bz_store_relaxed(&pool->lenders, 0); /* relaxed: the only thread */
    pool->free = NULL;
    bz_store_relaxed(&pool->domain.count, pool->places); /* relaxed: the only thread */
    uint64_t entry = bz_load_relaxed(&pool->entry);
    if (entry) /* the thread that came in uncounted counts from now on */
        bz_load_relaxed(&pool->cached)->holder = bz_pool_holder_by(entry);
    bz_store_relaxed(&pool->entry, 0);
    bool usable = false;
    for (unsigned i = 0; i < pool->places; i++) {
        struct bz_worker *worker = bz_load_relaxed(&pool->domain.slots[i]);
        if (worker)
            sort_out(first, pool, bz_place_of(worker));
        usable |= bz_load_relaxed(&pool->domain.slots[i]) != NULL; /* relaxed: the only thread */
    }
    bz_store_relaxed(&pool->usable, usable); /* relaxed: the only thread */
    pool->unstarted = pool->refused = 0;
    bz_injector_init(&pool->domain.injector);
    bz_store_relaxed(&pool->pending, 0);
    bz_store_relaxed(&pool->idle_waiters, 0);
    bz_store_relaxed(&pool->broadcasting, 0);
    bz_pool_balance(pool);
}

void bz_pools_leave_behind(struct blitz_pool *first) {
    for (struct blitz_pool *pool = first; pool;
         pool = bz_load_relaxed(&pool->next_pool)) /* relaxed: the only thread */
        leave_behind(first, pool);
}
