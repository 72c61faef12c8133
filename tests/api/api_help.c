/* api_help.c: the jobs that a thread runs while it waits: the awaited job, or none, or any on request, nested as deeply
 * as there are jobs. */
#include <blitz.h>

#include <pthread.h>
#include <sched.h>

#include "../asserts.h"
#include "../sanitized.h"

static void wait_for_flag(const int *flag) {
    while (!__atomic_load_n(flag, __ATOMIC_ACQUIRE))
        sched_yield();
}

static void set_flag(int *flag) {
    __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
}

static blitz_pool *make_pool(unsigned workers) {
    blitz_config config = {.workers = workers};
    blitz_pool *pool;
    assert_int_equal(blitz_pool_create(&config, &pool), 0);
    return pool;
}

/* ---- the thread that runs the awaited job ---- */

static intptr_t say_who(void *arg) {
    *(pthread_t *)arg = pthread_self();
    return 1;
}

/* On the pool's only worker. The job is queued behind this one: this thread runs it, or a thread that replaces it. */
struct wait {
    uint64_t timeout_ns;
    pthread_t waiter, runner;
    int error;
};

static intptr_t wait_for_another(void *arg) {
    struct wait *wait = arg;
    blitz_future *future;
    intptr_t value = 0;
    wait->waiter = pthread_self();
    wait->error = blitz_future_submit(blitz_pool_current(), say_who, &wait->runner, NULL, &future);
    if (wait->error)
        return 0;
    wait->error = blitz_future_wait_for(future, wait->timeout_ns, &value);
    blitz_future_drop(future);
    return value;
}

static void wait_once(struct wait *wait) {
    blitz_pool *pool = make_pool(1);
    blitz_future *future;
    intptr_t value = 0;
    assert_int_equal(blitz_future_submit(pool, wait_for_another, wait, NULL, &future), 0);
    assert_int_equal(blitz_future_wait(future, &value), 0);
    blitz_future_drop(future);
    assert_int_equal(wait->error, 0);
    assert_int_equal(value, 1);
    assert_int_equal(blitz_pool_destroy(pool), 0);
}

static void a_wait_without_end_runs_its_job(void **state) {
    struct wait wait = {.timeout_ns = BLITZ_FOREVER};
    (void)state;
    wait_once(&wait);
    assert_true(pthread_equal(wait.waiter, wait.runner));
}

static void a_wait_with_a_time_leaves_its_job_to_others(void **state) {
    struct wait wait = {.timeout_ns = UINT64_C(40000000000)};
    (void)state;
    wait_once(&wait);
    assert_false(pthread_equal(wait.waiter, wait.runner));
}

/* ---- help in help ---- */

static struct {
    blitz_pool *pool;
    int begun, go;
    unsigned depth, most, jobs; /* of one thread */
} deep;

static void be_busy(void *arg) {
    (void)arg;
    set_flag(&deep.begun);
    wait_for_flag(&deep.go);
}

static void help_deeper(void *arg) {
    (void)arg;
    deep.jobs++;
    if (++deep.depth > deep.most)
        deep.most = deep.depth;
    blitz_help(deep.pool);
    deep.depth--;
}

/* Each job helps with the next one: more jobs than one stack holds. */
static void help_may_be_nested_as_deep_as_there_are_jobs(void **state) {
    unsigned count = UNDER_TSAN ? 5000 : UNDER_ASAN ? 20000 : 100000; /* its calls are at most 65535 deep */
    (void)state;
    deep.pool = make_pool(1);
    assert_int_equal(blitz_submit(deep.pool, be_busy, NULL), 0);
    wait_for_flag(&deep.begun); /* only this thread runs the others */
    for (unsigned i = 0; i < count; i++)
        assert_int_equal(blitz_submit(deep.pool, help_deeper, NULL), 0);
    assert_int_equal(blitz_help(deep.pool), 1);
    assert_int_equal(deep.jobs, count);
    assert_int_equal(deep.most, count);
    assert_int_equal(blitz_help(deep.pool), 0);
    set_flag(&deep.go);
    assert_int_equal(blitz_pool_destroy(deep.pool), 0);
}

/* ---- waits in jobs that are waited for ---- */

enum { CHAIN = UNDER_TSAN ? 5000 : UNDER_ASAN ? 20000 : 100000 };

static struct {
    blitz_future *links[CHAIN + 1]; /* each waits for the next; the last is NULL */
    int complete;                   /* the chain is */
} chain;

static intptr_t wait_for_next(void *arg) {
    blitz_future **link = arg;
    intptr_t below = 0;
    wait_for_flag(&chain.complete);
    if (link[1])
        assert_int_equal(blitz_future_wait(link[1], &below), 0);
    return below + 1;
}

static void waits_may_be_nested_as_deep_as_there_are_jobs(void **state) {
    (void)state;
    intptr_t length;
    blitz_pool *pool = make_pool(1);
    for (unsigned i = 0; i < CHAIN; i++)
        assert_int_equal(blitz_future_submit(pool, wait_for_next, &chain.links[i], NULL, &chain.links[i]), 0);
    set_flag(&chain.complete);
    assert_int_equal(blitz_future_wait(chain.links[0], &length), 0);
    assert_int_equal(length, CHAIN);
    for (unsigned i = 0; i < CHAIN; i++)
        blitz_future_drop(chain.links[i]);
    assert_int_equal(blitz_pool_destroy(pool), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wait_without_end_runs_its_job),
        cmocka_unit_test(a_wait_with_a_time_leaves_its_job_to_others),
        cmocka_unit_test(help_may_be_nested_as_deep_as_there_are_jobs),
        cmocka_unit_test(waits_may_be_nested_as_deep_as_there_are_jobs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
