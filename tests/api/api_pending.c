/* api_pending.c: a thread with a pending cancellation is not cancelled inside the library, with locks held or a file
 * open, whatever it calls and whatever the library prints. It is cancelled at its own next cancellation point. */
#include <blitz.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../asserts.h"
#include "../unit/capture.h"
#include "../unit/in_child.h"

static unsigned jobs, arrived, departed;

static void work(void *arg) {
    (void)arg;
    __atomic_fetch_add(&jobs, 1, __ATOMIC_RELAXED);
}

static void work_at(unsigned index, void *arg) {
    (void)index;
    work(arg);
}

static int work_range(size_t lo, size_t hi, void *ctx) {
    for (; lo < hi; lo++)
        work(ctx);
    return 0;
}

static intptr_t answer(void *arg) {
    work(NULL);
    return (intptr_t)arg;
}

static bool use(blitz_pool *pool) {
    blitz_future *future = NULL;
    intptr_t value = 0;
    char line[200];
    bool ok = blitz_call(pool, work, NULL) == 0 && blitz_broadcast(pool, work_at, NULL) == 0 &&
              blitz_submit(pool, work, NULL) == 0 && blitz_wait_idle(pool) == 0 &&
              blitz_future_submit(pool, answer, &value, NULL, &future) == 0;
    ok = ok && blitz_future_wait(future, &value) == 0 && value == (intptr_t)&value;
    blitz_future_drop(future);
    return ok && blitz_for(0, 1000, 1, work_range, NULL) == 0 && blitz_pool_resize(pool, 2) == 0 &&
           blitz_stats_line(pool, line, sizeof line) >= 0 && blitz_pool_lend(pool, 1000000) == 0;
}

static void *run(void *arg) {
    blitz_config config = {.workers = 3, .flags = BLITZ_POOL_PINNED};
    blitz_config many = {.workers = BLITZ_WORKERS_MAX + 1};
    blitz_pool *pool;
    bool ok = true;
    (void)arg;
    pthread_cancel(pthread_self());
    ok = use(NULL) && ok; /* reads the environment, and prints a warning about it */
    ok = blitz_pool_create(&many, &pool) == 0 && ok; /* prints that these are too many */
    ok = blitz_pool_destroy(pool) == 0 && ok;
    ok = blitz_pool_create(&config, &pool) == 0 && ok; /* reads the CPUs */
    ok = use(pool) && ok;
    ok = blitz_pool_destroy(pool) == 0 && ok;
    ok = blitz_shutdown() == 0 && ok;
    __atomic_store_n(&arrived, ok ? 1 : 2, __ATOMIC_RELAXED);
    pthread_testcancel();
    departed = 1; /* never */
    return NULL;
}

static bool is_cancelled_outside(void) {
    struct capture capture;
    char text[200];
    pthread_t thread;
    void *result;
    if (setenv("BLITZ_WORKERS", "many", 1) != 0 || setenv("BLITZ_SPIN", "long", 1) != 0)
        return false;
    capture_begin(&capture);
    if (pthread_create(&thread, NULL, run, NULL) != 0 || pthread_join(thread, &result) != 0)
        return false;
    capture_next(&capture, text, sizeof text);
    capture_end(&capture);
    return strstr(text, "BLITZ_") && result == PTHREAD_CANCELED && arrived == 1 && departed == 0 &&
           jobs > 2000 && blitz_call(NULL, work, NULL) == 0;
}

static void a_pending_cancellation_waits_for_the_programs_own_points(void **state) {
    (void)state;
    in_child(is_cancelled_outside);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pending_cancellation_waits_for_the_programs_own_points)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
