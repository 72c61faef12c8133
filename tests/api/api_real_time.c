/* api_real_time.c: a real-time thread and pools of threads with the usual policy, all on one CPU. Its yields never let
 * these run, but its waits still end. The kernel ends a thread that runs for 300 ms without a sleep. */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif

#include <blitz.h>

#include <sched.h>
#include <stdio.h>
#include <sys/resource.h>

#include "../asserts.h"
#include "../sanitized.h"
#include "../unit/in_child.h"

enum { ROUNDS = 100, WORKERS = 3 };

static int set_policy(int policy, int priority) {
    struct sched_param param = {.sched_priority = priority};
    return sched_setscheduler(0, policy, &param);
}

/* For the pool's own threads; a lent thread keeps its policy. */
static void be_usual(unsigned index, void *arg) {
    (void)index;
    (void)arg;
    if (gettid() != getpid())
        (void)set_policy(SCHED_OTHER, 0);
}

static void on_one_cpu(void) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    (void)sched_setaffinity(0, sizeof one, &one);
}

static unsigned count;

static void work(void *arg) {
    (void)arg;
    for (volatile int i = 0; i < 2000; i++)
        continue;
    __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
}

static int work_range(size_t lo, size_t hi, void *ctx) {
    for (; lo < hi; lo++)
        work(ctx);
    return 0;
}

static void work_at(unsigned index, void *arg) {
    (void)index;
    work(arg);
}

static intptr_t answer(void *arg) {
    work(NULL);
    return (intptr_t)arg;
}

/* Forks, loops and scopes; the other threads take some. */
static void inside(void *arg) {
    blitz_frame frame;
    blitz_scope scope;
    blitz_fork(&frame, work, arg);
    work(arg);
    blitz_sync(&frame);
    (void)blitz_for(0, 20, 1, work_range, arg);
    blitz_scope_begin(&scope);
    for (int i = 0; i < 10; i++)
        blitz_scope_spawn(&scope, work, arg);
    blitz_scope_wait(&scope);
}

static bool use(uint64_t spin_ns) {
    blitz_config config = {.workers = WORKERS, .spin_ns = spin_ns, .on_start = be_usual};
    bool ok = true;
    for (int i = 0; i < ROUNDS; i++) {
        blitz_pool *pool;
        blitz_future *future;
        intptr_t value = 0;
        count = 0;
        ok = ok && blitz_pool_create(&config, &pool) == 0 && blitz_broadcast(pool, work_at, NULL) == 0 &&
             blitz_call(pool, inside, NULL) == 0 && blitz_submit(pool, work, NULL) == 0 &&
             blitz_future_submit(pool, answer, &value, NULL, &future) == 0 &&
             blitz_future_wait(future, &value) == 0 && value == (intptr_t)&value &&
             blitz_pool_resize(pool, 1 + (unsigned)i % WORKERS) == 0 && blitz_wait_idle(pool) == 0 &&
             blitz_broadcast(pool, work_at, NULL) == 0 && blitz_pool_lend(pool, 100000) == 0;
        if (!ok)
            return false;
        blitz_future_drop(future);
        ok = blitz_pool_destroy(pool) == 0 && count >= WORKERS + 2 + 20 + 10 + 2 + 1;
    }
    return ok;
}

static bool all(void) {
    struct rlimit without_sleep = {300000, 300000};
    on_one_cpu();
    if (set_policy(SCHED_FIFO, 10) != 0) {
        fprintf(stderr, "no real-time policy here: not tested\n");
        return true;
    }
    return setrlimit(RLIMIT_RTTIME, &without_sleep) == 0 && use(0) && use(BLITZ_SPIN_NEVER) &&
           use(BLITZ_FOREVER);
}

static void waits_for_threads_of_lower_priority(void **state) {
    (void)state;
    if (SANITIZED) /* one CPU, and too slow on it */
        skip();
    in_child(all);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(waits_for_threads_of_lower_priority)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
