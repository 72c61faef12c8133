/* api_misuse.c: bad input yields an error or one message, and nothing is lost. */
#include <blitz/reducer.h>

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../asserts.h"
#include "../unit/capture.h"

/* A child that ends with a message prints only that, without the leak check's reports about threads that it lacks. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
    return "detect_leaks=0";
}
const char *__tsan_default_options(void);
const char *__tsan_default_options(void) {
    return "die_after_fork=0:atexit_sleep_ms=0";
}

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

/* The message of body on standard error, one line or none. */
static const char *said_by(void (*body)(void)) {
    static char line[512], more[512];
    struct capture capture;
    capture_begin(&capture);
    body();
    capture_next(&capture, line, sizeof line);
    capture_next(&capture, more, sizeof more);
    capture_end(&capture);
    assert_string_equal(more, "");
    return line;
}

static void missing_functions_are_errors(void **state) {
    int value;
    blitz_reduce_op op = {0, &value, NULL, NULL};
    (void)state;
    assert_int_equal(blitz_for(0, 10, 0, NULL, NULL), EINVAL);
    assert_int_equal(blitz_reduce(0, 10, 0, NULL, NULL, &value), EINVAL);
    assert_int_equal(blitz_reduce(0, 10, 0, &op, NULL, &value), EINVAL);
    assert_int_equal(blitz_call(NULL, NULL, NULL), EINVAL);
    assert_int_equal(blitz_submit(NULL, NULL, NULL), EINVAL);
    assert_int_equal(blitz_broadcast(NULL, NULL, NULL), EINVAL);
    assert_int_equal(blitz_pool_create(NULL, NULL), EINVAL);
    assert_int_equal(blitz_configure(NULL), EINVAL);
    assert_int_equal(blitz_stats_get(NULL, NULL), EINVAL);
    assert_int_equal(blitz_stats_worker(NULL, 0, NULL), EINVAL);
}

static int map_nothing(size_t lo, size_t hi, void *value, void *ctx) {
    (void)lo, (void)hi, (void)value, (void)ctx;
    return 0;
}

static void combine_nothing(void *left, const void *right, void *ctx) {
    (void)left, (void)right, (void)ctx;
}

static void a_reduction_must_be_whole(void **state) {
    int zero = 0, out = 5;
    blitz_reduce_op op = {sizeof zero, &zero, map_nothing, combine_nothing}, bad;
    (void)state;
    assert_int_equal(blitz_reduce(0, 10, 0, &op, NULL, &out), 0);
    assert_int_equal(out, 0);
    bad = op, bad.size = 0;
    assert_int_equal(blitz_reduce(0, 10, 0, &bad, NULL, &out), EINVAL);
    bad = op, bad.identity = NULL;
    assert_int_equal(blitz_reduce(0, 10, 0, &bad, NULL, &out), EINVAL);
    bad = op, bad.map = NULL;
    assert_int_equal(blitz_reduce(0, 10, 0, &bad, NULL, &out), EINVAL);
    bad = op, bad.combine = NULL;
    assert_int_equal(blitz_reduce(0, 10, 0, &bad, NULL, &out), EINVAL);
    assert_int_equal(blitz_reduce(0, 10, 0, &op, NULL, NULL), EINVAL);
}

static void ranges_that_are_empty_run_nothing(void **state) {
    (void)state;
    runs = 0;
    assert_int_equal(blitz_for(10, 10, 0, run_range, NULL), 0);
    assert_int_equal(blitz_for(11, 10, 0, run_range, NULL), 0);
    assert_int_equal(blitz_for(SIZE_MAX, 0, SIZE_MAX, run_range, NULL), 0);
    assert_int_equal(runs, 0);
}

static void join_with_nothing(void) {
    blitz_join(NULL, NULL, run, NULL);
    blitz_join(run, NULL, NULL, NULL);
}

static void spawn_nothing(void) {
    blitz_scope scope;
    blitz_scope_begin(&scope);
    blitz_scope_spawn(&scope, NULL, NULL);
    blitz_scope_spawn(&scope, run, NULL);
    blitz_scope_spawn(&scope, NULL, NULL);
    blitz_scope_wait(&scope);
}

static void fork_nothing(void) {
    blitz_frame frame;
    blitz_fork(&frame, NULL, NULL);
    blitz_sync(&frame);
}

static void what_cannot_be_run_is_said_once(void **state) {
    (void)state;
    runs = 0;
    assert_string_equal(said_by(join_with_nothing), "blitz: blitz_join: the function is NULL; skipped\n");
    assert_string_equal(said_by(spawn_nothing), "blitz: blitz_scope_spawn: the function is NULL; skipped\n");
    assert_string_equal(said_by(fork_nothing), "blitz: blitz_fork: the function is NULL; skipped\n");
    assert_string_equal(said_by(join_with_nothing), "");
    assert_string_equal(said_by(fork_nothing), "");
    assert_int_equal(runs, 5);
}

static void make_a_huge_pool(void) {
    blitz_config config = {.workers = UINT_MAX};
    blitz_pool *pool;
    assert_int_equal(blitz_pool_create(&config, &pool), 0);
    assert_int_equal(blitz_pool_workers(pool), BLITZ_WORKERS_MAX);
    assert_int_equal(blitz_pool_resize(pool, UINT_MAX), 0);
    assert_int_equal(blitz_pool_workers(pool), BLITZ_WORKERS_MAX);
    assert_int_equal(blitz_pool_resize(pool, 1), 0);
    assert_int_equal(blitz_pool_workers(pool), 1);
    assert_int_equal(blitz_pool_destroy(pool), 0);
}

static void huge_pools_are_cut(void **state) {
    (void)state;
    assert_string_equal(said_by(make_a_huge_pool),
                        "blitz: workers=4294967295: the limit is 4096; using that\n");
}

static void configure_too_late(void *arg) {
    blitz_config config = {.workers = 2};
    *(int *)arg = blitz_configure(&config);
}

static void reach_nothing(unsigned index, void *arg) {
    (void)index, (void)arg;
}

static void wait_inside(void *arg) {
    blitz_pool *pool = blitz_pool_current();
    int *errors = arg;
    errors[0] = blitz_wait_idle(pool);
    errors[1] = blitz_broadcast(pool, reach_nothing, NULL);
    errors[2] = blitz_pool_destroy(pool);
}

static void what_would_never_end_is_refused(void **state) {
    int errors[3] = {0, 0, 0};
    blitz_pool *pool;
    (void)state;
    assert_int_equal(blitz_pool_create(NULL, &pool), 0);
    assert_int_equal(blitz_call(pool, wait_inside, errors), 0);
    for (int i = 0; i < 3; i++)
        assert_int_equal(errors[i], EDEADLK);
    assert_int_equal(blitz_pool_destroy(pool), 0);
    assert_int_equal(blitz_pool_destroy(NULL), 0);
    assert_int_equal(blitz_call(NULL, configure_too_late, errors), 0);
    assert_int_equal(errors[0], EBUSY);
    assert_int_equal(blitz_shutdown(), 0);
    assert_int_equal(blitz_shutdown(), 0);
    configure_too_late(errors);
    assert_int_equal(errors[0], 0);
    assert_int_equal(blitz_pool_workers(NULL), 2);
}

static void statistics_of_no_pool(void **state) {
    blitz_stats stats;
    char line[8];
    (void)state;
    assert_int_equal(blitz_stats_worker(NULL, UINT_MAX, &stats), ENOENT);
    assert_true(blitz_stats_line(NULL, NULL, 0) > 20);
    assert_true(blitz_stats_line(NULL, line, sizeof line) > 20);
    assert_int_equal(strlen(line), 7);
}

/* ---- reducers without a serial order ---- */

static blitz_reducer sum;
static long sum_value;

static void add_one(void *arg) {
    (void)arg;
    ++*BLITZ_VIEW(long, &sum);
}
static void begin_elsewhere(void *arg) {
    (void)arg;
    blitz_reducer_begin(&sum, &blitz_sum_long_op, NULL, &sum_value);
}
static void in_scope(void *arg) {
    blitz_scope scope;
    blitz_scope_begin(&scope);
    blitz_scope_spawn(&scope, add_one, arg);
    blitz_scope_wait(&scope);
}
static void in_submitted(void *arg) {
    if (blitz_submit(NULL, add_one, arg) == 0)
        blitz_wait_idle(NULL);
}
static blitz_pool *serial; /* a pool without threads */
static void in_serial_submitted(void *arg) {
    if (blitz_submit(serial, add_one, arg) == 0)
        blitz_wait_idle(serial);
}
static void add_each(unsigned index, void *arg) {
    (void)index;
    add_one(arg);
}
static void in_broadcast(void *arg) {
    blitz_broadcast(NULL, add_each, arg);
}
static void in_serial_broadcast(void *arg) {
    blitz_broadcast(serial, add_each, arg);
}
static intptr_t add_later(void *arg) {
    add_one(arg);
    return 0;
}
static void future_in(blitz_pool *pool) {
    blitz_future *future;
    if (blitz_future_submit(pool, add_later, NULL, NULL, &future) == 0) {
        blitz_future_wait(future, NULL);
        blitz_future_drop(future);
    }
}
static void in_future(void *arg) {
    (void)arg;
    future_in(NULL);
}
static void in_serial_future(void *arg) {
    (void)arg;
    future_in(serial);
}
/* Each of these begins and ends a reducer. */
static void end_late(void *arg) {
    blitz_reducer late;
    blitz_frame frame;
    long value = 0;
    blitz_fork(&frame, run, arg);
    blitz_reducer_begin(&late, &blitz_sum_long_op, NULL, &value);
    blitz_sync(&frame);
    blitz_reducer_end(&late);
}
static void end_early(void *arg) {
    blitz_frame frame;
    blitz_fork(&frame, add_one, arg);
    begin_elsewhere(NULL);
    blitz_reducer_end(&sum);
    blitz_sync(&frame);
}
static void unended(void *arg) {
    (void)arg;
    blitz_call(NULL, begin_elsewhere, NULL);
}

/* In a child, which ends with the message. */
static void use_wrongly(blitz_fn *use) {
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        blitz_config config = {.flags = BLITZ_POOL_SERIAL};
        if (blitz_pool_create(&config, &serial))
            _exit(0);
        begin_elsewhere(NULL);
        use(NULL);
        _exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_false(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static blitz_fn *wrong_use;

static void use_it_wrongly(void) {
    use_wrongly(wrong_use);
}

static void assert_ends(blitz_fn *use, const char *line) {
    wrong_use = use;
    const char *said = said_by(use_it_wrongly);
    if (!strstr(said, line))
        fprintf(stderr, "\"%s\" instead of \"%s\"\n", said, line);
    assert_non_null(strstr(said, line));
}

/* The same while another worker makes a view, for which it needs memory from the system. */
static char big_value[1 << 20];
static void combine_big(void *left, void *right, void *ctx) {
    (void)left, (void)right, (void)ctx;
}
static const blitz_reducer_op big_op = {sizeof big_value, big_value, combine_big};
static int big_view_begun;
static unsigned end_delay;

static void view_big(void *arg) {
    __atomic_store_n(&big_view_begun, 1, __ATOMIC_RELEASE);
    (void)blitz_reducer_view(arg);
}
static void end_it_meanwhile(void *arg) {
    blitz_frame frame;
    static blitz_reducer big; /* its memory is still there when its views are found */
    (void)arg;
    blitz_reducer_begin(&big, &big_op, NULL, big_value);
    blitz_fork(&frame, view_big, &big);
    for (unsigned polls = 0; polls < 10000000 && !__atomic_load_n(&big_view_begun, __ATOMIC_ACQUIRE); polls++)
        ;
    for (volatile unsigned delay = 0; delay < end_delay; delay++)
        ;
    blitz_reducer_end(&big);
    blitz_sync(&frame);
}
static void end_meanwhile(void *arg) {
    blitz_call(NULL, end_it_meanwhile, arg);
}

static void a_reducer_ended_while_it_is_used_ends_the_program(void **state) {
    (void)state;
    for (end_delay = 0; end_delay < 20000; end_delay += 100)
        assert_ends(end_meanwhile, "was used after its end");
}

static void reducers_without_an_order_end_the_program(void **state) {
    (void)state;
    assert_ends(in_scope, "was used in a task of a scope");
    assert_ends(in_submitted, "was used in a submitted task");
    assert_ends(in_serial_submitted, "was used in a submitted task");
    assert_ends(in_future, "was used in a task with a future");
    assert_ends(in_serial_future, "was used in a task with a future");
    assert_ends(in_broadcast, "was used in a broadcast");
    assert_ends(in_serial_broadcast, "was used in a broadcast");
    assert_ends(unended, "was not ended by the task that began it");
    assert_ends(end_late, "was not ended by the task that began it");
    assert_ends(end_early, "was used after its end");
}

/* ---- reducers outside of all pools, on a thread that has never been in one, or has been ---- */

static long outer_value;
static blitz_reducer outer;
static blitz_frame open_fork;
static blitz_scope open_scope;

static void begin_outside(void) {
    blitz_reducer_begin(&outer, &blitz_sum_long_op, NULL, &outer_value);
    ++*BLITZ_VIEW(long, &outer);
}
static void end_in_fork(void *arg) {
    begin_outside();
    blitz_fork(&open_fork, run, arg);
    ++*BLITZ_VIEW(long, &outer);
    blitz_reducer_end(&outer);
}
static void end_in_scope(void *arg) {
    (void)arg;
    begin_outside();
    blitz_scope_begin(&open_scope);
    blitz_reducer_end(&outer);
}
static void end_outer(void *arg) {
    (void)arg;
    blitz_reducer_end(&outer);
}
static void end_in_call(void *arg) {
    begin_outside();
    blitz_call(NULL, end_outer, arg);
}
static void begin_in_fork(void *arg) {
    blitz_fork(&open_fork, run, arg);
    begin_outside();
    blitz_sync(&open_fork);
}
static void begin_in_scope(void *arg) {
    (void)arg;
    blitz_scope_begin(&open_scope);
    begin_outside();
    blitz_scope_wait(&open_scope);
}
static void *end_there(void *arg) {
    blitz_reducer_end(arg);
    return NULL;
}
static void end_elsewhere(void *arg) {
    pthread_t thread;
    (void)arg;
    begin_outside();
    if (pthread_create(&thread, NULL, end_there, &outer) == 0)
        pthread_join(thread, NULL);
}
static void end_twice(void *arg) {
    begin_outside();
    end_outer(arg);
    end_outer(arg);
}
static void end_unbegun(void *arg) {
    end_outer(arg);
}
static void view_unbegun(void *arg) {
    (void)arg;
    ++*BLITZ_VIEW(long, &outer);
}
static void view_nothing(void *arg) {
    (void)arg;
    (void)blitz_reducer_view(NULL);
}
static void begin_twice(void *arg) {
    (void)arg;
    begin_outside();
    begin_outside();
}

static blitz_fn *outside_use;

static void call_outside_use(void *arg) {
    blitz_call(NULL, outside_use, arg);
}
static void visit_before(void *arg) {
    blitz_call(NULL, run, arg);
    outside_use(arg);
}

/* A thread's earlier use of a pool makes no difference. */
static void assert_ends_outside(blitz_fn *use, const char *line) {
    outside_use = use;
    assert_ends(use, line);
    assert_ends(visit_before, line);
}

static void a_reducer_ends_where_it_began(void **state) {
    static const char early[] =
        "was begun outside of all pools, and must not end between a fork and its sync";
    static const char late[] = "was not ended by the task that began it, or by a thread outside of all pools";
    (void)state;
    assert_ends_outside(end_in_fork, early);
    assert_ends_outside(end_in_scope, early);
    assert_ends_outside(end_in_call, early);
    assert_ends_outside(begin_in_fork, late);
    assert_ends_outside(begin_in_scope, late);
    assert_ends_outside(end_elsewhere, "must be ended by the thread that began it");
    assert_ends_outside(end_twice, "blitz: blitz_reducer_end: reducer 0x");
    assert_ends_outside(end_twice, "has ended before");
    assert_ends_outside(end_unbegun, "was never begun");
    assert_ends_outside(view_unbegun, "was never begun");
    assert_ends_outside(view_nothing, "must not be NULL");
    outside_use = begin_twice;
    assert_ends(call_outside_use, "is already begun; end it first");
    outside_use = view_unbegun;
    assert_ends(call_outside_use, "was never begun");
}

/* In between it may do both. */
static void *reduce_in_between(void *arg) {
    blitz_reducer reducer;
    blitz_frame frame;
    long value = 0, before = 0;
    blitz_reducer both;
    if (arg)
        blitz_call(NULL, run, NULL);
    blitz_reducer_begin(&both, &blitz_sum_long_op, NULL, &before);
    blitz_fork(&frame, run, NULL);
    ++*BLITZ_VIEW(long, &both);
    blitz_reducer_begin(&reducer, &blitz_sum_long_op, NULL, &value);
    ++*BLITZ_VIEW(long, &reducer);
    int error = blitz_reducer_end(&reducer);
    blitz_sync(&frame);
    error |= blitz_reducer_end(&both);
    return error || value != 1 || before != 1 ? &sum : NULL;
}

static void a_reducer_may_begin_and_end_in_between(void **state) {
    (void)state;
    for (int visits = 0; visits < 2; visits++) {
        pthread_t thread;
        void *wrong;
        assert_int_equal(pthread_create(&thread, NULL, reduce_in_between, visits ? &sum : NULL), 0);
        assert_int_equal(pthread_join(thread, &wrong), 0);
        assert_null(wrong);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(missing_functions_are_errors),
        cmocka_unit_test(a_reduction_must_be_whole),
        cmocka_unit_test(ranges_that_are_empty_run_nothing),
        cmocka_unit_test(what_cannot_be_run_is_said_once),
        cmocka_unit_test(huge_pools_are_cut),
        cmocka_unit_test(what_would_never_end_is_refused),
        cmocka_unit_test(statistics_of_no_pool),
        cmocka_unit_test(reducers_without_an_order_end_the_program),
        cmocka_unit_test(a_reducer_ended_while_it_is_used_ends_the_program),
        cmocka_unit_test(a_reducer_ends_where_it_began),
        cmocka_unit_test(a_reducer_may_begin_and_end_in_between),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
