/* pools.h: shared by the tests of pools: a pool, its state, and bodies of jobs and loops. */
#ifndef POOLS_H
#define POOLS_H

#include "base/atomic.h"
#include "in_child.h"
#include "pool/pool.h"
#include "wait/mutex.h"

static inline blitz_pool *make_pool(unsigned workers) {
    blitz_pool *pool;
    assert_int_equal(blitz_pool_create(&(blitz_config){.workers = workers}, &pool), 0);
    return pool;
}

static inline unsigned threads_of(blitz_pool *pool) {
    bz_mutex_lock(&pool->lock);
    unsigned threads = pool->threads;
    bz_mutex_unlock(&pool->lock);
    return threads;
}

static inline void raise_word(void *arg) {
    bz_fetch_add_release((struct bz_a32 *)arg, 1);
}

static inline int count_indices(size_t lo, size_t hi, void *arg) {
    bz_fetch_add_relaxed((struct bz_a32 *)arg, (uint32_t)(hi - lo));
    return 0;
}

static inline void nothing(unsigned index, void *arg) {
    (void)index;
    (void)arg;
}

/* Setup of a group of tests: an alarm ends a hang. */
static inline int pools_setup(void **state) {
    (void)state;
    alarm(HANG_SECONDS);
    return 0;
}

#endif
