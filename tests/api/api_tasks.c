/* api_tasks.c: any number of tasks at once, tokens of cancellation, priorities, futures, and help. */
#include <blitz.h>

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "../asserts.h"
#include "../unit/capture.h"

#define MANY 1000

static unsigned runs;

static void run(void *arg) {
    (void)arg;
    __atomic_fetch_add(&runs, 1, __ATOMIC_RELAXED);
}

static int run_range(size_t lo, size_t hi, void *ctx) {
    (void)ctx;
    __atomic_fetch_add(&runs, (unsigned)(hi - lo), __ATOMIC_RELAXED);
    return 0;
}

static void wait_for_flag(const int *flag) {
    while (!__atomic_load_n(flag, __ATOMIC_ACQUIRE))
        sched_yield();
}

static void set_flag(int *flag) {
    __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
}

/* A pool of one worker, which a job keeps busy until its release. */
struct busy {
    blitz_pool *pool;
    int begun, go;
};

static void be_busy(void *arg) {
    struct busy *busy = arg;
    set_flag(&busy->begun);
    wait_for_flag(&busy->go);
}

static void begin_busy(struct busy *busy) {
    blitz_config config = {.workers = 1};
    *busy = (struct busy){0};
    assert_int_equal(blitz_pool_create(&config, &busy->pool), 0);
    assert_int_equal(blitz_submit(busy->pool, be_busy, busy), 0);
    wait_for_flag(&busy->begun);
}

static void end_busy(struct busy *busy) {
    set_flag(&busy->go);
    assert_int_equal(blitz_pool_destroy(busy->pool), 0);
}

/* ---- any number of tasks ---- */

static void count_up(void *arg) {
    ++*(unsigned *)arg;
}

static void each_task_runs_once(void **state) {
    static blitz_task tasks[MANY];
    static unsigned counts[MANY];
    (void)state;
    for (size_t n = 0; n <= MANY; n = n < 4 ? n + 1 : 5 * n) {
        memset(counts, 0, sizeof counts);
        for (size_t i = 0; i < MANY; i++)
            tasks[i] = (blitz_task){count_up, &counts[i]};
        blitz_join_n(tasks, n);
        for (size_t i = 0; i < MANY; i++)
            assert_int_equal(counts[i], i < n);
    }
}

struct meeting {
    blitz_task tasks[3];
    unsigned arrived;
};

static void meet(void *arg) {
    struct meeting *meeting = arg;
    __atomic_fetch_add(&meeting->arrived, 1, __ATOMIC_ACQ_REL);
    while (__atomic_load_n(&meeting->arrived, __ATOMIC_ACQUIRE) < 3)
        sched_yield();
}

static void join_meeting(void *arg) {
    blitz_join_n(((struct meeting *)arg)->tasks, 3);
}

/* Three tasks that wait for each other end only if they run at the same time. */
static void tasks_run_at_once(void **state) {
    blitz_config config = {.workers = 3};
    blitz_pool *pool;
    struct meeting meeting = {.arrived = 0};
    (void)state;
    for (int i = 0; i < 3; i++)
        meeting.tasks[i] = (blitz_task){meet, &meeting};
    assert_int_equal(blitz_pool_create(&config, &pool), 0);
    assert_int_equal(blitz_call(pool, join_meeting, &meeting), 0);
    assert_int_equal(meeting.arrived, 3);
    assert_int_equal(blitz_pool_destroy(pool), 0);
}

static void join_what_is_missing(void) {
    blitz_task tasks[3] = {{run, NULL}, {NULL, NULL}, {run, NULL}};
    blitz_join_n(tasks, 3);
    blitz_join_n(NULL, 0);
}

static void a_missing_function_is_said_and_skipped(void **state) {
    char line[512];
    struct capture capture;
    (void)state;
    runs = 0;
    capture_begin(&capture);
    join_what_is_missing();
    capture_next(&capture, line, sizeof line);
    capture_end(&capture);
    assert_string_equal(line, "blitz: blitz_join_n: the function is NULL; skipped\n");
    assert_int_equal(runs, 2);
}

/* ---- tokens ---- */

static void a_token_is_cancelled_with_its_parent(void **state) {
    blitz_token parent, child, other;
    (void)state;
    blitz_token_init(&parent, NULL);
    blitz_token_init(&child, &parent);
    blitz_token_init(&other, &parent);
    assert_false(blitz_token_is_cancelled(&child));
    blitz_token_cancel(&child);
    assert_true(blitz_token_is_cancelled(&child));
    assert_false(blitz_token_is_cancelled(&parent));
    assert_false(blitz_token_is_cancelled(&other));
    blitz_token_cancel(&parent);
    blitz_token_cancel(&parent);
    assert_true(blitz_token_is_cancelled(&other));
    blitz_token_cancel(NULL);
    assert_false(blitz_token_is_cancelled(NULL));
}

static int cancel_in_range(size_t lo, size_t hi, void *ctx) {
    run_range(lo, hi, NULL);
    blitz_token_cancel(ctx);
    return 0;
}

static int map_nothing(size_t lo, size_t hi, void *value, void *ctx) {
    (void)lo, (void)hi, (void)value, (void)ctx;
    return 0;
}

static void combine_nothing(void *left, const void *right, void *ctx) {
    (void)left, (void)right, (void)ctx;
}

static void a_loop_ends_early(void **state) {
    blitz_token token;
    int zero = 0, out = 5;
    blitz_reduce_op op = {sizeof zero, &zero, map_nothing, combine_nothing};
    (void)state;
    blitz_token_init(&token, NULL);
    runs = 0;
    assert_int_equal(blitz_for_with(0, 100000, 1, run_range, NULL, &(blitz_options){.token = &token}), 0);
    assert_int_equal(blitz_reduce_with(0, 100, 1, &op, NULL, &(blitz_options){.token = &token}, &out), 0);
    assert_int_equal(runs, 100000);
    assert_int_equal(out, 0);
    runs = 0;
    assert_int_equal(blitz_for_with(0, 100000, 1, cancel_in_range, &token, &(blitz_options){.token = &token}),
                     ECANCELED);
    assert_in_range(runs, 1, 99999);
    runs = 0;
    out = 5;
    assert_int_equal(blitz_for_with(0, 100000, 1, run_range, NULL, &(blitz_options){.token = &token}),
                     ECANCELED);
    assert_int_equal(blitz_reduce_with(0, 100, 1, &op, NULL, &(blitz_options){.token = &token}, &out),
                     ECANCELED);
    assert_int_equal(blitz_for_with(0, 0, 1, run_range, NULL, &(blitz_options){.token = &token}), 0);
    assert_int_equal(blitz_for_with(0, 1, 1, NULL, NULL, &(blitz_options){.token = &token}), EINVAL);
    assert_int_equal(runs, 0);
    assert_int_equal(out, 5);
}

static void a_scope_skips_its_tasks(void **state) {
    blitz_token token;
    blitz_scope scope;
    (void)state;
    blitz_token_init(&token, NULL);
    runs = 0;
    blitz_scope_begin_with(&scope, &(blitz_options){.token = &token});
    for (int i = 0; i < MANY; i++)
        blitz_scope_spawn(&scope, run, NULL);
    blitz_scope_wait(&scope);
    assert_int_equal(runs, MANY);
    blitz_token_cancel(&token);
    blitz_scope_begin_with(&scope, &(blitz_options){.token = &token});
    for (int i = 0; i < MANY; i++)
        blitz_scope_spawn(&scope, run, NULL);
    blitz_scope_wait(&scope);
    assert_int_equal(runs, MANY);
}

static intptr_t answer(void *arg) {
    run(NULL);
    return *(int *)arg;
}

static void submitted_jobs_are_skipped(void **state) {
    struct busy busy;
    blitz_token token;
    blitz_future *future;
    int number = 42;
    (void)state;
    blitz_token_init(&token, NULL);
    blitz_options options = {.token = &token};
    begin_busy(&busy);
    runs = 0;
    assert_int_equal(blitz_submit_with(busy.pool, run, NULL, &options), 0);
    assert_int_equal(blitz_future_submit(busy.pool, answer, &number, &options, &future), 0);
    blitz_token_cancel(&token);
    set_flag(&busy.go);
    assert_int_equal(blitz_wait_idle(busy.pool), 0);
    assert_int_equal(runs, 0);
    intptr_t value = 7;
    assert_true(blitz_future_is_done(future));
    assert_int_equal(blitz_future_wait(future, &value), ECANCELED);
    assert_int_equal(value, 7);
    blitz_future_drop(future);
    end_busy(&busy);
}

/* ---- priorities ---- */

static char order[64];

static void note(void *arg) {
    order[strlen(order)] = *(char *)arg; /* by one worker */
}

static void urgent_jobs_run_first(void **state) {
    static char low = 'l', normal = 'n', high = 'h';
    struct busy busy;
    blitz_options options = {.priority = BLITZ_PRIORITY_LOW};
    (void)state;
    begin_busy(&busy);
    memset(order, 0, sizeof order);
    assert_int_equal(blitz_submit_with(busy.pool, note, &low, &options), 0);
    assert_int_equal(blitz_submit(busy.pool, note, &normal), 0);
    options.priority = BLITZ_PRIORITY_HIGH;
    assert_int_equal(blitz_submit_with(busy.pool, note, &high, &options), 0);
    assert_int_equal(blitz_submit_with(busy.pool, note, &normal, NULL), 0);
    end_busy(&busy);
    assert_string_equal(order, "hnnl");
}

static void urgent_jobs_keep_their_order(void **state) {
    static char letters[] = "abcdefghijklmnopqrstuvwxyz";
    struct busy busy;
    blitz_options options = {.priority = BLITZ_PRIORITY_HIGH};
    (void)state;
    begin_busy(&busy);
    memset(order, 0, sizeof order);
    for (int i = 0; i < 26; i++)
        assert_int_equal(blitz_submit_with(busy.pool, note, &letters[i], &options), 0);
    end_busy(&busy);
    assert_string_equal(order, letters);
}

static void a_wrong_priority_is_an_error(void **state) {
    blitz_options options = {.priority = 2};
    blitz_future *future;
    int number = 0;
    (void)state;
    assert_int_equal(blitz_submit_with(NULL, run, NULL, &options), EINVAL);
    assert_int_equal(blitz_future_submit(NULL, answer, &number, &options, &future), EINVAL);
    options.priority = -2;
    assert_int_equal(blitz_submit_with(NULL, run, NULL, &options), EINVAL);
    options.priority = 0;
    assert_int_equal(blitz_submit_with(NULL, NULL, NULL, &options), EINVAL);
    assert_int_equal(blitz_future_submit(NULL, NULL, NULL, NULL, &future), EINVAL);
    assert_int_equal(blitz_future_submit(NULL, answer, &number, NULL, NULL), EINVAL);
    assert_int_equal(blitz_future_wait(NULL, NULL), EINVAL);
    assert_int_equal(blitz_future_wait_for(NULL, 0, NULL), EINVAL);
    assert_int_equal(blitz_future_help(NULL, NULL), EINVAL);
    assert_int_equal(blitz_future_is_done(NULL), 0);
    blitz_future_drop(NULL);
}

/* ---- futures ---- */

static void a_future_carries_a_number_or_a_pointer(void **state) {
    blitz_future *future;
    int number = -42;
    intptr_t value = 0;
    (void)state;
    assert_int_equal(blitz_future_submit(NULL, answer, &number, NULL, &future), 0);
    assert_int_equal(blitz_future_wait(future, &value), 0);
    assert_int_equal(value, -42);
    assert_true(blitz_future_is_done(future));
    assert_int_equal(blitz_future_wait(future, NULL), 0);
    assert_int_equal(blitz_future_wait_for(future, 0, &value), 0);
    blitz_future_drop(future);
}

static uint64_t now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void a_wait_ends_with_its_time(void **state) {
    struct busy busy;
    blitz_future *future;
    int number = 1;
    intptr_t value = 7;
    (void)state;
    begin_busy(&busy);
    assert_int_equal(blitz_future_submit(busy.pool, answer, &number, NULL, &future), 0);
    assert_false(blitz_future_is_done(future));
    uint64_t start = now_ns();
    assert_int_equal(blitz_future_wait_for(future, 0, &value), ETIMEDOUT);
    assert_int_equal(blitz_future_wait_for(future, 3000000, &value), ETIMEDOUT);
    assert_true(now_ns() - start >= 3000000);
    assert_int_equal(value, 7);
    set_flag(&busy.go);
    assert_int_equal(blitz_future_wait_for(future, BLITZ_FOREVER, &value), 0);
    assert_int_equal(value, 1);
    end_busy(&busy);
    assert_int_equal(blitz_future_wait(future, &value), 0); /* the pool is gone */
    blitz_future_drop(future);
}

static void who_drops_it_loses_nothing(void **state) {
    struct busy busy;
    blitz_future *future;
    int number = 1;
    (void)state;
    begin_busy(&busy);
    runs = 0;
    assert_int_equal(blitz_future_submit(busy.pool, answer, &number, NULL, &future), 0);
    blitz_future_drop(future);
    end_busy(&busy);
    assert_int_equal(runs, 1);
}

/* Each job submits the next and waits for it, in a pool of one: all run on one thread, or on threads that replace
 * waiting ones. */
struct chain {
    blitz_pool *pool;
    int left;
    uint64_t timeout_ns; /* 0: waits by a call that may run the job */
};

static intptr_t add_chain(void *arg) {
    struct chain next = *(struct chain *)arg;
    blitz_future *future;
    intptr_t value;
    if (next.left-- == 0)
        return 0;
    if (blitz_future_submit(next.pool, add_chain, &next, NULL, &future))
        return -1;
    int error = next.timeout_ns ? blitz_future_wait_for(future, next.timeout_ns, &value)
                                : blitz_future_wait(future, &value);
    blitz_future_drop(future);
    return error ? -error : value + 1;
}

static void a_job_may_wait_for_a_job(void **state) {
    blitz_config config = {.workers = 1};
    struct chain chain = {.left = 20};
    blitz_future *future;
    intptr_t value = 0;
    (void)state;
    assert_int_equal(blitz_pool_create(&config, &chain.pool), 0);
    for (int timed = 0; timed < 2; timed++) {
        chain.timeout_ns = timed ? 60000000000u : 0;
        assert_int_equal(blitz_future_submit(chain.pool, add_chain, &chain, NULL, &future), 0);
        assert_int_equal(blitz_future_wait(future, &value), 0);
        assert_int_equal(value, 20);
        blitz_future_drop(future);
    }
    assert_int_equal(blitz_pool_destroy(chain.pool), 0);
}

static blitz_future *own;

static intptr_t wait_for_itself(void *arg) {
    int *go = arg;
    wait_for_flag(go);
    return blitz_future_wait(own, NULL) + blitz_future_wait_for(own, 1, NULL) + blitz_future_help(own, NULL);
}

static void a_job_cannot_wait_for_itself(void **state) {
    int go = 0;
    intptr_t value = 0;
    (void)state;
    blitz_config config = {.workers = 2};
    blitz_pool *pool;
    assert_int_equal(blitz_pool_create(&config, &pool), 0);
    assert_int_equal(blitz_future_submit(pool, wait_for_itself, &go, NULL, &own), 0);
    set_flag(&go);
    assert_int_equal(blitz_future_wait(own, &value), 0);
    assert_int_equal(value, 3 * EDEADLK);
    blitz_future_drop(own);
    assert_int_equal(blitz_pool_destroy(pool), 0);
}

/* ---- help ---- */

static void one_job_at_a_time_is_helped_with(void **state) {
    struct busy busy;
    (void)state;
    begin_busy(&busy);
    runs = 0;
    assert_false(blitz_help(busy.pool));
    for (int i = 0; i < 3; i++)
        assert_int_equal(blitz_submit(busy.pool, run, NULL), 0);
    for (unsigned i = 1; i <= 3; i++) {
        assert_true(blitz_help(busy.pool));
        assert_int_equal(runs, i);
    }
    assert_false(blitz_help(busy.pool));
    end_busy(&busy);
}

/* The only worker waits for a job that waits for the jobs behind it. */
struct helped {
    blitz_pool *pool;
    blitz_future *last;
    int go, number;
};

static intptr_t last_of_all(void *arg) {
    struct helped *helped = arg;
    return helped->number;
}

static void run_and_let_go(void *arg) {
    struct helped *helped = arg;
    run(NULL);
    set_flag(&helped->go);
}

static intptr_t help_until_done(void *arg) {
    struct helped *helped = arg;
    intptr_t value = -1;
    if (blitz_submit(helped->pool, run_and_let_go, helped) ||
        blitz_future_submit(helped->pool, last_of_all, helped, NULL, &helped->last))
        return -2;
    while (!__atomic_load_n(&helped->go, __ATOMIC_ACQUIRE))
        blitz_help(helped->pool); /* no other thread can run them */
    int error = blitz_future_help(helped->last, &value);
    blitz_future_drop(helped->last);
    return error ? -error : value;
}

static void a_waiting_job_may_help(void **state) {
    blitz_config config = {.workers = 1};
    struct helped helped = {.number = 5};
    blitz_future *future;
    intptr_t value = 0;
    (void)state;
    assert_int_equal(blitz_pool_create(&config, &helped.pool), 0);
    assert_int_equal(blitz_future_submit(helped.pool, help_until_done, &helped, NULL, &future), 0);
    assert_int_equal(blitz_future_help(future, &value), 0);
    assert_int_equal(value, 5);
    blitz_future_drop(future);
    assert_int_equal(blitz_pool_destroy(helped.pool), 0);
}

/* Help in the middle of forks leaves these alone. */
static void help_between(void *arg) {
    blitz_frame one, two;
    unsigned a = 0, b = 0;
    blitz_fork(&one, count_up, &a);
    while (blitz_help(blitz_pool_current()))
        ;
    blitz_fork(&two, count_up, &b);
    blitz_sync(&one);
    blitz_sync(&two);
    *(int *)arg = a == 1 && b == 1;
}

static void help_leaves_own_forks_alone(void **state) {
    struct busy busy;
    int right = 0;
    (void)state;
    begin_busy(&busy);
    for (int i = 0; i < 5; i++)
        assert_int_equal(blitz_submit(busy.pool, run, NULL), 0);
    runs = 0;
    assert_int_equal(blitz_call(busy.pool, help_between, &right), 0);
    assert_true(right);
    assert_int_equal(runs, 5);
    end_busy(&busy);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_task_runs_once),
        cmocka_unit_test(tasks_run_at_once),
        cmocka_unit_test(a_missing_function_is_said_and_skipped),
        cmocka_unit_test(a_token_is_cancelled_with_its_parent),
        cmocka_unit_test(a_loop_ends_early),
        cmocka_unit_test(a_scope_skips_its_tasks),
        cmocka_unit_test(submitted_jobs_are_skipped),
        cmocka_unit_test(urgent_jobs_run_first),
        cmocka_unit_test(urgent_jobs_keep_their_order),
        cmocka_unit_test(a_wrong_priority_is_an_error),
        cmocka_unit_test(a_future_carries_a_number_or_a_pointer),
        cmocka_unit_test(a_wait_ends_with_its_time),
        cmocka_unit_test(who_drops_it_loses_nothing),
        cmocka_unit_test(a_job_may_wait_for_a_job),
        cmocka_unit_test(a_job_cannot_wait_for_itself),
        cmocka_unit_test(one_job_at_a_time_is_helped_with),
        cmocka_unit_test(a_waiting_job_may_help),
        cmocka_unit_test(help_leaves_own_forks_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
