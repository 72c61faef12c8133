/* test_pool_threads.c: pool.h: the fate of jobs when no thread can start. */
#include "pool/pool.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../asserts.h"
#include "../rig.h"
#include "capture.h"
#include "in_child.h"

/* These tests use a child with threads of its own. */
const char *__tsan_default_options(void);
const char *__tsan_default_options(void) {
    return "die_after_fork=0";
}

/* ---- what is replaced (linked with --wrap=NAME) ---- */

static struct bz_aflag no_threads;
/* Called once, by the next thread that starts one, in a child with one thread. */
static struct { void (*v)(void); } while_starting;

int __real_bz_os_thread_start(const struct bz_os_thread_attr *, void (*)(void *), void *);
int __wrap_bz_os_thread_start(const struct bz_os_thread_attr *, void (*)(void *), void *);
int __wrap_bz_os_thread_start(const struct bz_os_thread_attr *attr, void (*main)(void *), void *arg) {
    void (*meanwhile)(void) = bz_exchange_relaxed(&while_starting, NULL);
    if (meanwhile)
        meanwhile();
    return bz_load_relaxed(&no_threads) ? EAGAIN : __real_bz_os_thread_start(attr, main, arg);
}

/* ---- tools ---- */

static void raise_word(void *arg) {
    bz_fetch_add_release((struct bz_a32 *)arg, 1);
}

static bool is_raised(struct bz_a32 *word) {
    return bz_load_acquire(word) > 0;
}

static void nothing(unsigned index, void *arg) {
    (void)index, (void)arg;
}

/* ---- the tests ---- */

static bool submit_without_threads(void) {
    struct capture capture;
    char line[256], more[256];
    struct bz_a32 runs = {0};
    blitz_pool *pool;
    bz_store_relaxed(&no_threads, true);
    capture_begin(&capture);
    bool ok = blitz_pool_create(&(blitz_config){.workers = 3}, &pool) == 0;
    for (unsigned i = 0; i < 100; i++)
        ok = ok && blitz_submit(pool, raise_word, &runs) == 0;
    ok = ok && runs.v == 100 && blitz_wait_idle(pool) == 0;
    ok = ok && blitz_broadcast(pool, nothing, NULL) == EAGAIN && blitz_pool_destroy(pool) == 0;
    capture_next(&capture, line, sizeof line);
    capture_next(&capture, more, sizeof more);
    capture_end(&capture);
    return ok && more[0] == '\0' &&
           strcmp(line,
                  "blitz: cannot start thread 1 of 3: Resource temporarily unavailable; going on with 0\n") ==
               0;
}

static void without_threads_the_caller_runs_all(void **state) {
    (void)state;
    in_child(submit_without_threads);
}

static struct bz_a32 late_runs;
static blitz_pool *late_pool;

static void submit_late(void) {
    (void)blitz_submit(late_pool, raise_word, &late_runs);
}

/* A submission while a thread is starting relies on that thread. */
static bool broadcast_without_threads(void) {
    FILE *null = freopen("/dev/null", "w", stderr);
    bz_store_relaxed(&no_threads, true);
    bool ok = null && blitz_pool_create(&(blitz_config){.workers = 1}, &late_pool) == 0;
    bz_store_relaxed(&while_starting, submit_late);
    ok = ok && blitz_broadcast(late_pool, nothing, NULL) == EAGAIN;
    return ok && !bz_load_relaxed(&while_starting) && late_runs.v == 1 && blitz_pool_destroy(late_pool) == 0;
}

static void a_broadcast_that_starts_no_thread_strands_no_job(void **state) {
    (void)state;
    in_child(broadcast_without_threads);
}

static struct bz_a32 broadcasts;

static void *broadcast_there(void *arg) {
    if (blitz_broadcast(arg, nothing, NULL) == EAGAIN)
        bz_fetch_add_release(&broadcasts, 1);
    return NULL;
}

static pthread_t broadcaster;

static void broadcast_meanwhile(void) {
    (void)pthread_create(&broadcaster, NULL, broadcast_there, late_pool);
    for (unsigned i = 0; i < 200; i++) /* lets it go on until it waits */
        usleep(1000);
}

/* The thread that is being started for a job fails to start. */
static bool broadcast_to_no_thread(void) {
    FILE *null = freopen("/dev/null", "w", stderr);
    bz_store_relaxed(&no_threads, true);
    bool ok = null && blitz_pool_create(&(blitz_config){.workers = 1}, &late_pool) == 0;
    bz_store_relaxed(&while_starting, broadcast_meanwhile);
    ok = ok && blitz_submit(late_pool, raise_word, &late_runs) == 0 && !bz_load_relaxed(&while_starting);
    ok = ok && pthread_join(broadcaster, NULL) == 0 && is_raised(&broadcasts) && is_raised(&late_runs);
    return ok && blitz_pool_destroy(late_pool) == 0;
}

static void a_broadcast_does_not_wait_for_a_thread_that_never_was(void **state) {
    (void)state;
    in_child(broadcast_to_no_thread);
}

static struct bz_a32 stopping, may_stop;

static void stop_slowly(unsigned index, void *arg) {
    (void)index, (void)arg;
    bz_store_release(&stopping, 1);
    rig_until(is_raised(&may_stop));
}

static void stay_until_stopping(void *arg) {
    static struct bz_a32 runs;
    do { /* a thread that sleeps need not leave */
        (void)blitz_submit(arg, raise_word, &runs);
        bz_os_yield();
    } while (!is_raised(&stopping));
}

/* Its only thread is leaving for an external one, which has left since, and no other thread can start. */
static bool submit_while_it_stops(void) {
    FILE *null = freopen("/dev/null", "w", stderr);
    struct bz_a32 runs = {0};
    blitz_pool *pool;
    blitz_config config = {.workers = 1, .on_stop = stop_slowly};
    bool ok = null && blitz_pool_create(&config, &pool) == 0 && blitz_submit(pool, raise_word, &runs) == 0 &&
              blitz_wait_idle(pool) == 0;
    bz_store_relaxed(&no_threads, true);
    ok = ok && blitz_call(pool, stay_until_stopping, pool) == 0;
    ok = ok && blitz_submit(pool, raise_word, &runs) == 0 && bz_load_acquire(&runs) == 2;
    bz_store_release(&may_stop, 1);
    return ok && blitz_pool_destroy(pool) == 0;
}

static void a_thread_that_leaves_strands_no_job(void **state) {
    (void)state;
    in_child(submit_while_it_stops);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_threads_the_caller_runs_all),
        cmocka_unit_test(a_broadcast_that_starts_no_thread_strands_no_job),
        cmocka_unit_test(a_broadcast_does_not_wait_for_a_thread_that_never_was),
        cmocka_unit_test(a_thread_that_leaves_strands_no_job),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
