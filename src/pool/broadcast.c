/* One call on each thread of a pool, which reads it as mail between two jobs. */
#include "pool/pool.h"

#include <errno.h>

#include "base/hooks.h"
#include "base/sanitizer.h"
#include "os/os.h"
#include "pool/spawn.h"
#include "sched/views.h"
#include "wait/mutex.h"

/* On the broadcaster's stack; gone once `left` is 0. */
struct bz_broadcast {
    void (*fn)(unsigned index, void *arg);
    void *arg;
    const void *site;   /* of the program's call */
    struct bz_a32 left; /* threads that have not run it, and the broadcaster; lowered by each */
};

static void finish_one(struct bz_broadcast *broadcast) {
    uint32_t *word = &broadcast->left.v;
    if (bz_fetch_sub_release(&broadcast->left, 1) == 1) /* X3: pairs with X4 */
        bz_os_futex_wake(word, 1);                      /* the word may be gone: harmless */
}

static void call(const struct bz_broadcast *broadcast, unsigned index) {
    bool watched = bz_unlikely(bz_hooks);
    if (watched)
        bz_watched_begin((const void *)(uintptr_t)broadcast->fn, broadcast->site);
    broadcast->fn(index, broadcast->arg);
    if (watched)
        bz_hooks->ends();
}

void bz_broadcast_serve(struct bz_place *place) {
    struct bz_broadcast *broadcast = bz_load_acquire(&place->mail); /* X1: pairs with X2 */
    if (!broadcast)
        return;
    bz_store_relaxed(&place->mail, NULL); /* relaxed: no other broadcast begins before this one ends */
    bz_tsan_after(broadcast);
    bz_views_enter(&place->worker);
    struct bz_strict_before before = bz_strict_begin(place, (uintptr_t)broadcast->fn);
    call(broadcast, place->worker.index);
    bz_strict_end(place, before, "blitz_broadcast");
    bz_views_leave(&place->worker, "a broadcast");
    bz_tsan_before(&broadcast->left);
    finish_one(broadcast);
}

/* The place of a running thread; NULL: none, or one whose start may still fail. Under the lock. */
static struct bz_place *thread_at(struct blitz_pool *pool, unsigned index) {
    struct bz_place *place = bz_pool_place(pool, index);
    return place && place->is_thread && place->holder ? place : NULL;
}

static unsigned count_threads(struct blitz_pool *pool) {
    unsigned count = 0;
    for (unsigned i = 0; i < pool->places; i++)
        count += thread_at(pool, i) != NULL;
    return count;
}

/* False: it must reach all threads, and one is missing. */
static bool post_to_threads(struct blitz_pool *pool, struct bz_broadcast *broadcast, bool all) {
    bz_mutex_lock(&pool->lock);
    bool enough = !all || pool->closing || count_threads(pool) >= bz_load_relaxed(&pool->size);
    for (unsigned i = 0; enough && i < pool->places; i++) {
        struct bz_place *place = thread_at(pool, i);
        if (!place)
            continue;
        bz_fetch_add_relaxed(&broadcast->left, 1); /* relaxed: the broadcaster holds a count */
        bz_store_release(&place->mail, broadcast); /* X2: pairs with X1 */
        bz_worker_wake(&place->worker);
    }
    bz_mutex_unlock(&pool->lock);
    return enough;
}

/* A serial pool's only worker is the caller. */
static void call_here(void *arg) {
    struct bz_broadcast *broadcast = arg;
    bz_views_enter(bz_self);
    call(broadcast, blitz_worker_index());
    bz_views_leave(bz_self, "a broadcast");
}

int blitz_broadcast(blitz_pool *pool, void (*fn)(unsigned index, void *arg), void *arg) {
    if (!fn)
        return EINVAL;
    if (!(pool = bz_pool_or_global(pool, "blitz_broadcast")))
        return ENOMEM;
    if (bz_pool_is_inside(pool, "blitz_broadcast"))
        return EDEADLK;
    struct bz_broadcast broadcast = {.fn = fn, .arg = arg, .site = __builtin_return_address(0), .left = {1}};
    if (pool->serial)
        return bz_pool_run(pool, call_here, &broadcast, "blitz_broadcast", (uintptr_t)fn);
    bz_pool_leave_outer();
    bz_mutex_lock(&pool->broadcasting);
    bz_tsan_before(&broadcast);
    int error;
    while ((error = bz_pool_start_all(pool), !post_to_threads(pool, &broadcast, error == 0)))
        bz_os_yield();
    finish_one(&broadcast);
    bz_watched_waits(BZ_WATCHED_GROUP, NULL, broadcast.site);
    bz_sleep_until_zero(&broadcast.left);
    bz_watched_goes_on(BZ_WATCHED_GROUP);
    bz_tsan_after(&broadcast.left);
    bz_mutex_unlock(&pool->broadcasting);
    bz_pool_return_to_outer();
    if (error) /* submitters may have relied on the thread that did not start */
        bz_pool_serve(pool);
    return error;
}
