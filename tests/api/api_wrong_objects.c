/* api_wrong_objects.c: wrong use of pools, futures and tokens: after their end, and of memory that never was one. */
#include <blitz.h>

#include <pthread.h>

#include "../asserts.h"
#include "wrong_use.h"

static void run(void *arg) {
    (void)arg;
}

static int run_range(size_t lo, size_t hi, void *ctx) {
    (void)lo, (void)hi, (void)ctx;
    return 0;
}

static intptr_t run_valued(void *arg) {
    (void)arg;
    return 0;
}

static blitz_scope scope;

/* ---- pools ---- */

static blitz_pool *pool;
static char no_pool[8192] __attribute__((aligned(64)));

static void make_and_destroy(void) {
    if (blitz_pool_create(NULL, &pool) || blitz_call(pool, run, NULL) || blitz_pool_destroy(pool))
        _exit(0);
}
static void destroy_twice(void *arg) {
    (void)arg;
    make_and_destroy();
    (void)blitz_pool_destroy(pool);
}
static void destroy_after_others(void *arg) {
    (void)arg;
    make_and_destroy();
    blitz_pool *first = pool;
    for (int i = 0; i < 20; i++)
        make_and_destroy();
    (void)blitz_pool_destroy(first);
}
static void destroy_none(void *arg) {
    (void)arg;
    (void)blitz_pool_destroy((blitz_pool *)no_pool);
}
static void reach(unsigned index, void *arg) {
    (void)index, (void)arg;
}

static void late_call(void) {
    (void)blitz_call(pool, run, NULL);
}
static void late_submit(void) {
    (void)blitz_submit(pool, run, NULL);
}
static void late_future(void) {
    static blitz_future *future;
    (void)blitz_future_submit(pool, run_valued, NULL, NULL, &future);
}
static void late_broadcast(void) {
    (void)blitz_broadcast(pool, reach, NULL);
}
static void late_resize(void) {
    (void)blitz_pool_resize(pool, 2);
}
static void late_workers(void) {
    (void)blitz_pool_workers(pool);
}
static void late_lend(void) {
    (void)blitz_pool_lend(pool, 1);
}
static void late_recall(void) {
    (void)blitz_pool_recall(pool);
}
static void late_idle(void) {
    (void)blitz_wait_idle(pool);
}
static void late_help(void) {
    (void)blitz_help(pool);
}
static void late_stats(void) {
    static blitz_stats stats;
    (void)blitz_stats_get(pool, &stats);
}
static void late_worker_stats(void) {
    static blitz_stats stats;
    (void)blitz_stats_worker(pool, 0, &stats);
}
static void late_stats_line(void) {
    char line[200];
    (void)blitz_stats_line(pool, line, sizeof line);
}

static void (*late_use)(void);

static void use_late(void *arg) {
    (void)arg;
    make_and_destroy();
    late_use();
}
static void use_none(void *arg) {
    (void)arg;
    pool = (blitz_pool *)no_pool;
    late_use();
}

static int is_inside;

static void stay(void *arg) {
    (void)arg;
    __atomic_store_n(&is_inside, 1, __ATOMIC_RELEASE);
    for (;;)
        pause();
}
static void *stay_inside(void *arg) {
    (void)blitz_call(pool, stay, arg);
    return NULL;
}
static void destroy_under_others(void *arg) {
    pthread_t thread;
    if (blitz_pool_create(NULL, &pool) || pthread_create(&thread, NULL, stay_inside, arg))
        _exit(0);
    while (!__atomic_load_n(&is_inside, __ATOMIC_ACQUIRE))
        (void)usleep(1000);
    (void)blitz_pool_destroy(pool);
}

/* ---- futures ---- */

static blitz_future *made(void) {
    blitz_future *future;
    if (blitz_future_submit(NULL, run_valued, NULL, NULL, &future))
        _exit(0);
    return future;
}
static intptr_t sleep_long(void *arg) {
    (void)arg;
    (void)sleep(1000);
    return 0;
}
static void drop_running_twice(void *arg) {
    blitz_future *future;
    if (blitz_future_submit(NULL, sleep_long, arg, NULL, &future))
        _exit(0);
    blitz_future_drop(future);
    blitz_future_drop(future);
}
static void wait_for_dropped(void *arg) {
    blitz_future *future;
    if (blitz_future_submit(NULL, sleep_long, arg, NULL, &future))
        _exit(0);
    blitz_future_drop(future);
    (void)blitz_future_wait(future, NULL);
}
static void help_dropped(void *arg) {
    blitz_future *future;
    if (blitz_future_submit(NULL, sleep_long, arg, NULL, &future))
        _exit(0);
    blitz_future_drop(future);
    (void)blitz_future_help(future, NULL);
}
static void ask_dropped(void *arg) {
    blitz_future *future;
    if (blitz_future_submit(NULL, sleep_long, arg, NULL, &future))
        _exit(0);
    blitz_future_drop(future);
    (void)blitz_future_is_done(future);
}
static void drop_done_twice(void *arg) {
    blitz_future *future = made();
    (void)arg;
    (void)blitz_future_wait(future, NULL);
    (void)blitz_wait_idle(NULL);
    blitz_future_drop(future);
    blitz_future_drop(future);
}

/* ---- tokens ---- */

static blitz_token odd_token, token;

static void make_odd(void) {
    memset(&odd_token, 0x5a, sizeof odd_token);
}
static void init_nothing(void *arg) {
    (void)arg;
    blitz_token_init(NULL, NULL);
}
static void odd_parent(void *arg) {
    (void)arg;
    make_odd();
    blitz_token_init(&token, &odd_token);
}
static void cancel_odd(void *arg) {
    (void)arg;
    make_odd();
    blitz_token_cancel(&odd_token);
}
static void ask_odd(void *arg) {
    (void)arg;
    make_odd();
    (void)blitz_token_is_cancelled(&odd_token);
}
static void loop_until_odd(void *arg) {
    make_odd();
    (void)blitz_for_with(0, 10, 0, run_range, arg, &(blitz_options){.token = &odd_token});
}
static void scope_until_odd(void *arg) {
    (void)arg;
    make_odd();
    blitz_scope_begin_with(&scope, &(blitz_options){.token = &odd_token});
}
static void submit_until_odd(void *arg) {
    blitz_options options = {.token = &odd_token};
    make_odd();
    (void)blitz_submit_with(NULL, run, arg, &options);
}

/* ---- the lines ---- */

#define ENDED                                                                                                \
    "was destroyed, or never was a pool; pass a pool that blitz_pool_create returned, or NULL for the "      \
    "global one"
#define DROPPED "was already dropped; use it only before its drop"
#define NOT_NULL "must not be NULL"

static const struct wrong wrongs[] = {
    {destroy_twice, "blitz_pool_destroy: pool", ENDED, 0},
    {destroy_after_others, "blitz_pool_destroy: pool", ENDED, 0},
    {destroy_none, "blitz_pool_destroy: pool", ENDED, 0},
    {destroy_under_others, "blitz_pool_destroy: pool",
     "threads are still inside (1); they must leave before it is destroyed", 0},
    {drop_running_twice, "blitz_future_drop: future", DROPPED, 0},
    {drop_done_twice, "blitz_future_drop: future", DROPPED, SANITIZED ? NEVER : 0},
    {wait_for_dropped, "blitz_future_wait: future", DROPPED, 0},
    {help_dropped, "blitz_future_help: future", DROPPED, 0},
    {ask_dropped, "blitz_future_is_done: future", DROPPED, 0},
    {init_nothing, "blitz_token_init: token", NOT_NULL, 0},
    {odd_parent, "blitz_token_init: token", "was never initialised; call blitz_token_init first", 0},
    {cancel_odd, "blitz_token_cancel: token", "was never initialised; call blitz_token_init first", 0},
    {ask_odd, "blitz_token_is_cancelled: token", "was never initialised; call blitz_token_init first", 1},
    {loop_until_odd, "blitz_for_with: token", "was never initialised; call blitz_token_init first", 0},
    {scope_until_odd, "blitz_scope_begin_with: token", "was never initialised; call blitz_token_init first",
     0},
    {submit_until_odd, NULL, "was never initialised; call blitz_token_init first", 0},
};

static void each_ends_with_its_line(void **state) {
    (void)state;
    assert_int_equal(check_all(wrongs, COUNT(wrongs)), 0);
}

static const struct {
    void (*use)(void);
    const char *what;
} lates[] = {
    {late_call, "blitz_call: pool"},
    {late_submit, "blitz_submit: pool"},
    {late_future, "blitz_future_submit: pool"},
    {late_broadcast, "blitz_broadcast: pool"},
    {late_resize, "blitz_pool_resize: pool"},
    {late_workers, "blitz_pool_workers: pool"},
    {late_lend, "blitz_pool_lend: pool"},
    {late_recall, "blitz_pool_recall: pool"},
    {late_idle, "blitz_wait_idle: pool"},
    {late_help, "blitz_help: pool"},
    {late_stats, "blitz_stats_get: pool"},
    {late_worker_stats, "blitz_stats_worker: pool"},
    {late_stats_line, "blitz_stats_line: pool"},
};

static void a_pool_that_has_ended_is_named(void **state) {
    int failures = 0;
    (void)state;
    for (size_t i = 0; i < COUNT(lates); i++) {
        struct wrong late = {use_late, lates[i].what, ENDED, 0}, none = late;
        none.use = use_none;
        late_use = lates[i].use;
        failures += check(&late, lates[i].what) + check(&none, lates[i].what);
    }
    assert_int_equal(failures, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_ends_with_its_line),
        cmocka_unit_test(a_pool_that_has_ended_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
