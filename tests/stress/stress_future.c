/* stress_future.c: futures with no waiter, or with several at once, inside and outside of the pool, with time limits
 * that end too early, and with help; jobs that are cancelled as they begin; pools that end while threads wait for their
 * futures. */
#include "blitz.h"

#include <errno.h>

#include "stress.h"

#define SHARED 32

static blitz_pool *pool;

/* Its effects are plain memory: any waiter may read them. */
struct work {
    unsigned number, ran;
    blitz_token token;
};

static intptr_t work(void *arg) {
    struct work *mine = arg;
    mine->ran++;
    return (intptr_t)mine->number;
}

static blitz_future *submit(struct work *mine, const blitz_options *options) {
    blitz_future *future = NULL;
    stress_check(blitz_future_submit(pool, work, mine, options, &future) == 0);
    return future;
}

/* Waits by a random function of the API. */
static int wait_somehow(struct stress_rng *rng, blitz_future *future, intptr_t *value) {
    int error;
    switch (stress_random(rng, 4)) {
    case 0:
        return blitz_future_wait(future, value);
    case 1:
        while ((error = blitz_future_wait_for(future, stress_random(rng, 100000), value)) == ETIMEDOUT)
            ;
        return error;
    case 2:
        while (!blitz_future_is_done(future))
            if (!blitz_help(pool))
                sched_yield();
        return blitz_future_wait_for(future, 0, value);
    default:
        return blitz_future_help(future, value);
    }
}

/* ---- one future, one waiter ---- */

static void submit_and_wait(struct stress_rng *rng, unsigned times) {
    for (unsigned i = 0; i < times; i++) {
        struct work mine = {.number = i};
        blitz_options options = {.priority = (int)stress_random(rng, 3) - 1};
        blitz_future *future = submit(&mine, &options);
        intptr_t value = -1;
        stress_check(wait_somehow(rng, future, &value) == 0);
        stress_check(value == (intptr_t)i && mine.ran == 1);
        blitz_future_drop(future);
    }
}

static void wait_inside(void *arg) {
    submit_and_wait(arg, stress_scaled(100));
}

static void wait_alone(unsigned thread, void *arg) {
    struct stress_rng rng = stress_rng(thread);
    (void)arg;
    submit_and_wait(&rng, stress_scaled(300));
    stress_check(blitz_call(pool, wait_inside, &rng) == 0);
}

/* ---- many waiters ---- */

static struct shared {
    struct work works[SHARED];
    blitz_future *futures[SHARED];
    struct stress_meeting meeting;
    unsigned rounds;
} shared;

static void wait_for_all(void *arg) {
    struct stress_rng *rng = arg;
    for (unsigned i = 0, at = stress_random(rng, SHARED); i < SHARED; i++, at++) {
        intptr_t value = -1;
        stress_check(wait_somehow(rng, shared.futures[at % SHARED], &value) == 0);
        stress_check(value == (intptr_t)(at % SHARED) && shared.works[at % SHARED].ran == 1);
    }
}

static void wait_together(unsigned thread, void *arg) {
    struct stress_rng rng = stress_rng(thread);
    (void)arg;
    for (unsigned round = 0; round < shared.rounds; round++) {
        for (unsigned i = 0; thread == 0 && i < SHARED; i++) {
            shared.works[i] = (struct work){.number = i};
            shared.futures[i] = submit(&shared.works[i], NULL);
        }
        stress_meet(&shared.meeting, stress.threads);
        if (thread % 2)
            wait_for_all(&rng);
        else
            stress_check(blitz_call(pool, wait_for_all, &rng) == 0);
        stress_meet(&shared.meeting, stress.threads);
        for (unsigned i = thread; i < SHARED; i += stress.threads)
            blitz_future_drop(shared.futures[i]);
        stress_meet(&shared.meeting, stress.threads);
    }
}

/* ---- jobs that wait for jobs ---- */

struct node {
    unsigned depth;
    uint64_t seed;
};

static intptr_t grow(void *arg) {
    struct node *node = arg;
    struct stress_rng rng = {node->seed};
    struct node children[2];
    blitz_future *futures[2];
    intptr_t sum = 1, value = 0;
    if (node->depth == 0)
        return 1;
    for (unsigned i = 0; i < 2; i++) {
        children[i] = (struct node){node->depth - 1, node->seed * 2 + i};
        stress_check(blitz_future_submit(pool, grow, &children[i], NULL, &futures[i]) == 0);
    }
    for (unsigned i = 0; i < 2; i++) {
        stress_check((stress_random(&rng, 2)
                          ? blitz_future_wait(futures[i], &value)
                          : blitz_future_wait_for(futures[i], BLITZ_FOREVER, &value)) == 0);
        blitz_future_drop(futures[i]);
        sum += value;
    }
    return sum;
}

static void trees(void) {
    for (unsigned i = 0; i < stress_scaled(30); i++) {
        struct node root = {6, stress.seed + i};
        blitz_future *future;
        intptr_t value = 0;
        stress_check(blitz_future_submit(pool, grow, &root, NULL, &future) == 0);
        stress_check(blitz_future_wait(future, &value) == 0 && value == 127);
        blitz_future_drop(future);
    }
}

/* ---- cancellation ---- */

static struct bz_a64 counted;

static void count(void *arg) {
    (void)arg;
    bz_fetch_add_relaxed(&counted, 1);
}

static int cancel_some(size_t lo, size_t hi, void *ctx) {
    bz_fetch_add_relaxed(&counted, hi - lo);
    if (lo <= 500 && 500 < hi)
        blitz_token_cancel(ctx);
    return 0;
}

static void cancel_jobs(unsigned thread, void *arg) {
    struct stress_rng rng = stress_rng(thread);
    (void)arg;
    for (unsigned i = 0; i < stress_scaled(300); i++) {
        struct work mine = {.number = i};
        blitz_token_init(&mine.token, NULL);
        blitz_options options = {.token = &mine.token};
        blitz_future *future = submit(&mine, &options);
        for (unsigned pause = stress_random(&rng, 3); pause > 0; pause--)
            sched_yield();
        blitz_token_cancel(&mine.token);
        intptr_t value = -1;
        int error = wait_somehow(&rng, future, &value);
        stress_check(error == ECANCELED ? mine.ran == 0 && value == -1 : error == 0 && mine.ran == 1);
        blitz_future_drop(future);
        blitz_token token, child;
        blitz_token_init(&token, NULL);
        blitz_token_init(&child, &token);
        stress_check(blitz_for_with(0, 1000, 1, cancel_some, &token, &(blitz_options){.token = &child}) ==
                         ECANCELED ||
                     blitz_token_is_cancelled(&child));
        blitz_scope scope;
        blitz_scope_begin_with(&scope, &(blitz_options){.token = &child});
        blitz_scope_spawn(&scope, count, NULL);
        blitz_scope_wait(&scope);
    }
}

/* ---- pools that end ---- */

struct ending {
    blitz_future *futures[SHARED];
    struct bz_a32 ready;
};

static void wait_while_it_ends(unsigned thread, void *arg) {
    struct ending *ending = arg;
    struct stress_rng rng = stress_rng(thread);
    if (thread == 0) {
        blitz_pool *mine = pool;
        static struct work works[SHARED];
        for (unsigned i = 0; i < SHARED; i++) {
            works[i] = (struct work){.number = i};
            ending->futures[i] = submit(&works[i], NULL);
        }
        bz_store_release(&ending->ready, 1);
        stress_check(blitz_pool_destroy(mine) == 0);
        return;
    }
    while (!bz_load_acquire(&ending->ready))
        sched_yield();
    for (unsigned i = 0; i < SHARED; i++) {
        intptr_t value = -1;
        int error;
        while ((error = blitz_future_wait_for(ending->futures[i], stress_random(&rng, 50000), &value)) ==
               ETIMEDOUT)
            ;
        stress_check(error == 0 && value == (intptr_t)i);
    }
}

static void end_pools(void) {
    for (unsigned i = 0; i < stress_scaled(30); i++) {
        struct ending ending = {.ready = {0}};
        stress_check(blitz_pool_create(&(blitz_config){.workers = 1 + i % 3}, &pool) == 0);
        stress_run(3, wait_while_it_ends, &ending);
        for (unsigned j = 0; j < SHARED; j++)
            blitz_future_drop(ending.futures[j]);
    }
}

int main(int argc, char **argv) {
    stress_begin(argc, argv);
    for (unsigned i = 0; i < stress.iter; i++, stress.seed++) {
        blitz_config config = {.workers = 1 + i % 4, .spin_ns = i % 2 ? BLITZ_SPIN_NEVER : 0};
        stress_check(blitz_pool_create(&config, &pool) == 0);
        stress_part("one waiter");
        stress_run(stress.threads, wait_alone, NULL);
        stress_part("many waiters");
        shared.rounds = stress_scaled(30);
        stress_run(stress.threads, wait_together, NULL);
        stress_part("jobs that wait for jobs");
        trees();
        stress_part("cancellation");
        stress_run(stress.threads, cancel_jobs, NULL);
        for (unsigned j = 0; j < 100; j++) { /* without a waiter */
            static struct work works[100];
            blitz_future_drop(submit(&works[j], NULL));
        }
        stress_part("the end of the pool");
        stress_check(blitz_pool_destroy(pool) == 0);
        stress_part("pools that end");
        end_pools();
    }
    puts("done");
}
