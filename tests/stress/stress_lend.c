/* stress_lend.c: threads are lent to a pool, mostly for so short a time that the lease ends at once. Meanwhile other
 * threads submit jobs, change the size, recall lent threads and end pools. A lent thread that leaves with an unused
 * wake would strand a job forever. */
#include "blitz.h"
#include "stress.h"

static struct world {
    blitz_pool *pool;
    struct bz_a32 submitting;
    struct bz_a64 done;
    unsigned jobs;        /* of each submitter */
    struct bz_a32 inside; /* workers between their hooks */
} world;

static void one_more(unsigned index, void *arg) {
    (void)index, (void)arg;
    bz_fetch_add_relaxed(&world.inside, 1);
}

static void one_less(unsigned index, void *arg) {
    (void)index, (void)arg;
    stress_check(bz_fetch_sub_relaxed(&world.inside, 1) > 0);
}

static int count_range(size_t lo, size_t hi, void *ctx) {
    (void)ctx;
    bz_fetch_add_relaxed(&world.done, hi - lo);
    return 0;
}

static void job(void *arg) {
    if (arg)
        stress_check(blitz_for(0, 10, 1, count_range, NULL) == 0);
    else
        bz_fetch_add_relaxed(&world.done, 10);
}

static void submit(unsigned thread) {
    struct stress_rng rng = stress_rng(thread);
    for (unsigned i = 0; i < world.jobs; i++) {
        stress_check(blitz_submit(world.pool, job, i % 3 ? NULL : &world) == 0);
        if (stress_random(&rng, 8) == 0) /* lets the pool run dry: then each job needs its own wake */
            stress_check(blitz_wait_idle(world.pool) == 0);
    }
    bz_fetch_sub_release(&world.submitting, 1);
}

static void lend(unsigned thread) {
    struct stress_rng rng = stress_rng(thread);
    while (bz_load_acquire(&world.submitting) > 0)
        stress_check(blitz_pool_lend(world.pool, stress_random(&rng, 4) ? stress_random(&rng, 200000)
                                                                        : BLITZ_FOREVER) == 0);
}

static void steer(unsigned thread) {
    struct stress_rng rng = stress_rng(thread);
    while (bz_load_acquire(&world.submitting) > 0) {
        stress_check(blitz_pool_resize(world.pool, 1 + stress_random(&rng, 3)) == 0);
        stress_check(blitz_pool_recall(world.pool) == 0);
        for (unsigned pause = stress_random(&rng, 30); pause > 0; pause--)
            sched_yield();
    }
    stress_check(blitz_pool_recall(world.pool) == 0);
}

static void take_part(unsigned thread, void *arg) {
    (void)arg;
    if (thread < 2)
        submit(thread);
    else if (thread == 2)
        steer(thread);
    else
        lend(thread);
}

/* The last recall may come before the last lease begins. */
static void recall_for_good(unsigned thread, void *arg) {
    if (thread == 0) {
        take_part(2, NULL);
        while (bz_load_acquire((struct bz_a32 *)arg) > 0) {
            stress_check(blitz_pool_recall(world.pool) == 0);
            sched_yield();
        }
        return;
    }
    take_part(thread == 1 ? 0 : thread == 2 ? 1 : thread, NULL);
    bz_fetch_sub_release((struct bz_a32 *)arg, 1);
}

/* ---- the end ---- */

static void lend_for_ever(unsigned thread, void *arg) {
    (void)arg;
    if (thread > 0) {
        stress_check(blitz_pool_lend(world.pool, BLITZ_FOREVER) == 0);
        return;
    }
    while (bz_load_relaxed(&world.inside) < 2) /* they must not arrive after the pool has ended */
        sched_yield();
    stress_check(blitz_pool_destroy(world.pool) == 0);
}

int main(int argc, char **argv) {
    stress_begin(argc, argv);
    unsigned threads = stress.threads < 5 ? 5 : stress.threads;
    for (unsigned i = 0; i < stress.iter; i++, stress.seed++) {
        blitz_config config = {
            .workers = 1, .spin_ns = i % 2 ? BLITZ_SPIN_NEVER : 0, .on_start = one_more, .on_stop = one_less};
        struct bz_a32 others = {threads - 1};
        world = (struct world){.submitting = {2}, .jobs = stress_scaled(1000)};
        stress_part("leases");
        stress_check(blitz_pool_create(&config, &world.pool) == 0);
        stress_run(threads, recall_for_good, &others);
        stress_check(blitz_pool_destroy(world.pool) == 0);
        stress_check(world.done.v == 20 * (uint64_t)world.jobs && world.inside.v == 0);
        stress_part("the end of pools with lent threads");
        for (unsigned j = 0; j < stress_scaled(100); j++) {
            stress_check(blitz_pool_create(&config, &world.pool) == 0);
            stress_run(3, lend_for_ever, NULL);
            stress_check(world.inside.v == 0);
        }
    }
    puts("done");
}
