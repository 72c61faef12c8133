/* stress_pool.c: pools under changing load: external threads that come and go, storms of submitted jobs, sizes that
 * change while work goes on, broadcasts, calls from pool to pool and back, pools created and destroyed in a row. */
#include "blitz.h"
#include "stress.h"

static struct bz_a64 count;

static void add_one(void *arg) {
    (void)arg;
    bz_fetch_add_relaxed(&count, 1);
}

static int add_range(size_t lo, size_t hi, void *ctx) {
    (void)ctx;
    bz_fetch_add_relaxed(&count, hi - lo);
    return 0;
}

static void join_some(void *arg) {
    uintptr_t depth = (uintptr_t)arg;
    if (depth == 0)
        add_one(NULL);
    else
        blitz_join(join_some, (void *)(depth - 1), join_some, (void *)(depth - 1));
}

/* ---- external threads that come and go ---- */

static void enter(unsigned thread, void *arg) {
    (void)arg;
    stress_check(!blitz_pool_current());
    if (thread % 2)
        stress_check(blitz_for(0, 100, 0, add_range, NULL) == 0);
    else
        blitz_join(add_one, NULL, join_some, (void *)(uintptr_t)6);
    stress_check(!blitz_pool_current());
}

static void short_lives(void) {
    unsigned rounds = stress_scaled(1000) / stress.threads + 1;
    stress_part("outside threads that come and go");
    count.v = 0;
    for (unsigned i = 0; i < rounds; i++)
        stress_run(stress.threads, enter, NULL);
    uint64_t odd = stress.threads / 2, even = stress.threads - odd;
    stress_check(count.v == rounds * (odd * 100 + even * 65));
}

/* ---- entries that are not counted, and the calls that make them count ---- */

static int add_and_fork(size_t lo, size_t hi, void *ctx) {
    blitz_join(add_one, NULL, add_one, NULL);
    return add_range(lo, hi, ctx);
}

static void enter_often(unsigned thread, void *arg) {
    for (unsigned i = 0; i < *(unsigned *)arg; i++) {
        stress_check(blitz_for(0, 1, 0, i % 64 == thread % 64 ? add_and_fork : add_range, NULL) == 0);
        if (i % 100 == 0)
            stress_check(blitz_submit(NULL, add_one, NULL) == 0);
    }
}

static void short_entries(void) {
    unsigned rounds = stress_scaled(50), each = 6400;
    stress_part("short entries");
    for (unsigned i = 0; i < rounds; i++) {
        unsigned threads = i % 3 + 1;
        count.v = 0;
        stress_run(threads, enter_often, &each);
        stress_check(blitz_wait_idle(NULL) == 0);
        stress_check(count.v == (uint64_t)threads * (each + 2 * (each / 64) + each / 100));
    }
}

/* ---- submitted jobs ---- */

static void submit_more(void *arg) {
    uintptr_t depth = (uintptr_t)arg;
    add_one(NULL);
    for (unsigned i = 0; depth > 0 && i < 2; i++)
        stress_check(blitz_submit(NULL, submit_more, (void *)(depth - 1)) == 0);
}

static void submit_many(unsigned thread, void *arg) {
    (void)thread;
    for (unsigned i = 0; i < *(unsigned *)arg; i++)
        stress_check(blitz_submit(NULL, submit_more, (void *)(uintptr_t)(i % 4)) == 0);
}

static void storm(void) {
    unsigned each = stress_scaled(5000) * 4;
    stress_part("a storm of submitted jobs");
    count.v = 0;
    stress_run(4, submit_many, &each);
    stress_check(blitz_wait_idle(NULL) == 0);
    stress_check(count.v == (uint64_t)each * (1 + 3 + 7 + 15));
}

/* ---- sizes that change ---- */

struct changing {
    blitz_pool *pool;
    struct bz_a32 busy; /* threads that still work */
};

static void call_for(void *arg) {
    (void)arg;
    stress_check(blitz_for(0, 2000, 1, add_range, NULL) == 0);
}

static void count_worker(unsigned index, void *arg) {
    (void)index;
    bz_fetch_add_relaxed((struct bz_a32 *)arg, 1);
}

static void work_or_change(unsigned thread, void *arg) {
    struct changing *changing = arg;
    struct stress_rng rng = stress_rng(thread);
    if (thread > 2) {
        for (unsigned i = 0; i < stress_scaled(200); i++)
            stress_check(blitz_call(changing->pool, call_for, NULL) == 0);
        bz_fetch_sub_release(&changing->busy, 1);
    } else {
        while (bz_load_acquire(&changing->busy) > 0) {
            struct bz_a32 reached = {0};
            if (thread == 0)
                stress_check(blitz_pool_resize(changing->pool, 1 + stress_random(&rng, 8)) == 0);
            else if (thread == 1)
                stress_check(blitz_broadcast(changing->pool, count_worker, &reached) == 0 && reached.v > 0);
            else
                stress_check(blitz_submit(changing->pool, add_one, NULL) == 0);
            sched_yield();
        }
    }
}

static void change_sizes(void) {
    struct changing changing = {.busy = {3}};
    stress_part("sizes that change");
    stress_check(blitz_pool_create(&(blitz_config){.workers = 2}, &changing.pool) == 0);
    stress_run(6, work_or_change, &changing);
    stress_check(blitz_pool_destroy(changing.pool) == 0);
}

/* ---- from pool to pool ---- */

struct hop {
    blitz_pool **pools;
    unsigned depth;
};

static void hop(void *arg);

static void hop_and_join(void *arg) {
    struct hop *from = arg;
    struct hop left = {from->pools, from->depth - 1}, right = left;
    blitz_join(hop, &left, hop, &right);
}

/* Enters the other pool, and forks two calls there that each come back. */
static void hop(void *arg) {
    struct hop *at = arg;
    if (at->depth == 0)
        add_one(NULL);
    else
        stress_check(blitz_call(at->pools[at->depth % 2], hop_and_join, at) == 0);
}

static void hop_often(unsigned thread, void *arg) {
    (void)thread;
    for (unsigned i = 0; i < stress_scaled(30); i++) {
        struct hop from = {arg, 6};
        hop(&from);
    }
}

static void cross(void) {
    for (unsigned workers = 1; workers <= 3; workers += 2) {
        blitz_pool *pools[2];
        stress_part("from pool to pool");
        count.v = 0;
        stress_check(blitz_pool_create(&(blitz_config){.workers = workers, .name = "left"}, &pools[0]) == 0);
        stress_check(blitz_pool_create(&(blitz_config){.workers = workers, .name = "right"}, &pools[1]) == 0);
        stress_run(4, hop_often, pools);
        stress_check(count.v == 4 * 64 * (uint64_t)stress_scaled(30));
        stress_check(blitz_pool_destroy(pools[0]) == 0);
        stress_check(blitz_pool_destroy(pools[1]) == 0);
    }
}

/* ---- many pools ---- */

static void pools_in_a_row(unsigned thread, void *arg) {
    struct stress_rng rng = stress_rng(thread);
    (void)arg;
    for (unsigned i = 0; i < stress_scaled(50); i++) {
        blitz_pool *pool;
        blitz_config config = {.workers = 1 + stress_random(&rng, 4),
                               .spin_ns = i % 2 ? BLITZ_SPIN_NEVER : 0};
        stress_check(blitz_pool_create(&config, &pool) == 0);
        for (unsigned j = stress_random(&rng, 20); j > 0; j--)
            stress_check(blitz_submit(pool, join_some, (void *)(uintptr_t)3) == 0);
        if (i % 3 == 0)
            stress_check(blitz_call(pool, call_for, NULL) == 0);
        stress_check(blitz_pool_destroy(pool) == 0);
    }
}

int main(int argc, char **argv) {
    stress_begin(argc, argv);
    blitz_config config = {.workers = stress.threads};
    stress_check(blitz_configure(&config) == 0);
    for (unsigned i = 0; i < stress.iter; i++, stress.seed++) {
        short_lives();
        short_entries();
        storm();
        change_sizes();
        cross();
        stress_part("many pools");
        stress_run(3, pools_in_a_row, NULL);
        stress_part("shutdown");
        stress_check(blitz_shutdown() == 0);
    }
    puts("done");
}
