/* test_scope.c: scope.h: the jobs that the end of a scope runs, and where its owner may steal while it waits. */
#include "api/scope.h"

#include <unistd.h>

#include "../asserts.h"
#include "waiter.h"

struct play {
    struct waiter waiter;
    blitz_scope scope, other;
    struct bz_a32 runs; /* of the counted function */
};

static void run(void *arg) {
    bz_fetch_add_relaxed(&((struct play *)arg)->runs, 1);
}

/* Runs body(play) inside a new pool. */
static void in_pool(unsigned workers, blitz_fn *body) {
    struct play play = {.waiter.owner = NULL};
    alarm(HANG_SECONDS);
    assert_int_equal(blitz_pool_create(&(blitz_config){.workers = workers}, &play.waiter.pool), 0);
    assert_int_equal(blitz_call(play.waiter.pool, body, &play), 0);
    assert_int_equal(blitz_wait_idle(play.waiter.pool), 0);
    assert_int_equal(blitz_pool_destroy(play.waiter.pool), 0);
}

/* ---- alone ---- */

static void end_scope_above_a_future(void *arg) {
    struct play *play = arg, older = {.waiter.owner = NULL};
    blitz_frame frame;
    blitz_fork(&frame, run, &older);
    blitz_scope_begin(&play->scope);
    for (int i = 0; i < 1000; i++)
        blitz_scope_spawn(&play->scope, run, play);
    assert_int_equal(play->runs.v, 0);
    blitz_scope_wait(&play->scope);
    assert_int_equal(play->runs.v, 1000);
    assert_int_equal(older.runs.v, 0);
    blitz_sync(&frame);
    assert_int_equal(older.runs.v, 1);
}

static void the_end_runs_what_is_younger_only(void **state) {
    (void)state;
    in_pool(1, end_scope_above_a_future);
}

/* The scope's tasks are above the frame when it is synced: they run first. */
static void sync_a_future_below_tasks(void *arg) {
    struct play *play = arg, older = {.waiter.owner = NULL};
    blitz_frame frame;
    blitz_scope_begin(&play->scope);
    blitz_fork(&frame, run, &older);
    blitz_scope_spawn(&play->scope, run, play);
    blitz_scope_spawn(&play->scope, run, play);
    blitz_sync(&frame);
    assert_int_equal(older.runs.v, 1);
    assert_int_equal(play->runs.v, 2);
    blitz_scope_wait(&play->scope);
    assert_int_equal(play->runs.v, 2);
}

static void forks_and_spawns_may_be_mixed(void **state) {
    (void)state;
    in_pool(1, sync_a_future_below_tasks);
}

static struct bz_scope *served(void) {
    return bz_load_relaxed(&bz_place_of(bz_self)->serving);
}

static void is_served(void *arg) {
    struct play *play = arg;
    assert_ptr_equal(served(), &play->scope);
    run(play);
}

static void is_not_served(void *arg) {
    struct play *play = arg;
    assert_null(served());
    run(play);
}

/* Only a task that begins with an empty deque knows that all jobs there are its own. */
static void check_order_of_service(void *arg) {
    struct play *play = arg;
    blitz_scope_begin(&play->scope);
    blitz_scope_spawn(&play->scope, is_served, play);
    blitz_scope_spawn(&play->scope, is_not_served, play);
    blitz_scope_wait(&play->scope); /* the newest first */
    assert_null(served());
    assert_int_equal(play->runs.v, 2);
}

static void a_worker_serves_a_scope_when_it_has_nothing_else(void **state) {
    (void)state;
    in_pool(1, check_order_of_service);
}

/* ---- with others ---- */

static void wait_for_one_that_needs_help(void *arg) {
    struct play *play = arg;
    struct waiter *waiter = &play->waiter;
    blitz_scope_begin(&play->scope);
    blitz_scope_spawn(&play->scope, waiter_need_help, waiter);
    rig_until(bz_load_acquire(&waiter->began) == 1);
    blitz_scope_wait(&play->scope);
    assert_true(pthread_equal(waiter->ran_child, pthread_self()));
}

static void a_waiter_helps_the_threads_that_run_tasks(void **state) {
    (void)state;
    in_pool(2, wait_for_one_that_needs_help);
}

/* One thread runs the task, the other a stranger with jobs to steal. */
static void wait_with_a_stranger(void *arg) {
    struct play *play = arg;
    struct waiter *waiter = &play->waiter;
    waiter->owner = bz_self;
    waiter->parks = waiter_parks_of(bz_self); /* it may sleep before the task's first search */
    blitz_scope_begin(&play->scope);
    blitz_scope_spawn(&play->scope, waiter_end_when_the_owner_sleeps, waiter);
    rig_until(bz_load_acquire(&waiter->began) == 1);
    assert_int_equal(blitz_submit(waiter->pool, waiter_stay_strange, waiter), 0);
    rig_until(bz_load_acquire(&waiter->stranger_began) == 1);
    blitz_scope_wait(&play->scope);
    assert_true(waiter_parks_of(waiter->owner) > 0);
    rig_until(bz_load_acquire(&waiter->stranger_child) == 1);
    assert_false(pthread_equal(waiter->ran_stranger_child, pthread_self()));
}

static void a_waiter_runs_no_unrelated_job(void **state) {
    (void)state;
    in_pool(3, wait_with_a_stranger);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_end_runs_what_is_younger_only),
        cmocka_unit_test(forks_and_spawns_may_be_mixed),
        cmocka_unit_test(a_worker_serves_a_scope_when_it_has_nothing_else),
        cmocka_unit_test(a_waiter_helps_the_threads_that_run_tasks),
        cmocka_unit_test(a_waiter_runs_no_unrelated_job),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
