/* test_scope.c: scope.h: the jobs that the end of a scope runs, and where its owner may steal while it waits. */
#include "api/scope.h"

#include <unistd.h>

#include "../asserts.h"
#include "../rig.h"
#include "pool/pool.h"

struct play {
    blitz_pool *pool;
    struct bz_worker *owner;
    uint64_t parks; /* of the owner, before it waits; written before it spawns */
    blitz_scope scope, other;
    struct bz_a32 runs;   /* of the counted function */
    struct bz_a32 began;  /* a task runs, on another worker */
    struct bz_a32 helped; /* the task's child has run */
    pthread_t helper;
    struct bz_a32 stranger_began, stranger_child, may_end;
    pthread_t ran_stranger_child;
};

static void run(void *arg) {
    bz_fetch_add_relaxed(&((struct play *)arg)->runs, 1);
}

/* Runs body(play) inside a new pool. */
static void in_pool(unsigned workers, blitz_fn *body) {
    struct play play = {.owner = NULL};
    alarm(HANG_SECONDS);
    assert_int_equal(blitz_pool_create(&(blitz_config){.workers = workers}, &play.pool), 0);
    assert_int_equal(blitz_call(play.pool, body, &play), 0);
    assert_int_equal(blitz_wait_idle(play.pool), 0);
    assert_int_equal(blitz_pool_destroy(play.pool), 0);
}

/* ---- alone ---- */

static void end_scope_above_a_future(void *arg) {
    struct play *play = arg, older = {.owner = NULL};
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
    struct play *play = arg, older = {.owner = NULL};
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

static void help(void *arg) {
    struct play *play = arg;
    play->helper = pthread_self();
    bz_store_release(&play->helped, 1);
}

/* A task whose child only another thread can run. */
static void need_help(void *arg) {
    struct play *play = arg;
    blitz_frame child;
    bz_store_release(&play->began, 1);
    blitz_fork(&child, help, play);
    rig_until(bz_load_acquire(&play->helped) == 1);
    blitz_sync(&child);
}

static void wait_for_one_that_needs_help(void *arg) {
    struct play *play = arg;
    blitz_scope_begin(&play->scope);
    blitz_scope_spawn(&play->scope, need_help, play);
    rig_until(bz_load_acquire(&play->began) == 1);
    blitz_scope_wait(&play->scope);
    assert_true(pthread_equal(play->helper, pthread_self()));
}

static void a_waiter_helps_the_threads_that_run_tasks(void **state) {
    (void)state;
    in_pool(2, wait_for_one_that_needs_help);
}

static void run_stranger_child(void *arg) {
    struct play *play = arg;
    play->ran_stranger_child = pthread_self();
    bz_store_release(&play->stranger_child, 1);
}

static void stay_strange(void *arg) {
    struct play *play = arg;
    blitz_frame child;
    blitz_fork(&child, run_stranger_child, play);
    bz_store_release(&play->stranger_began, 1);
    rig_until(bz_load_acquire(&play->may_end) == 1);
    blitz_sync(&child);
}

static uint64_t parks_of(const struct bz_worker *worker) {
    return bz_load_relaxed(&worker->stats.parks);
}

static void end_when_the_owner_sleeps(void *arg) {
    struct play *play = arg;
    bz_store_release(&play->began, 1);
    rig_until(bz_load_acquire(&play->stranger_began) == 1);
    rig_until(parks_of(play->owner) > play->parks || bz_load_acquire(&play->stranger_child) > 0);
    bz_store_release(&play->may_end, 1);
}

/* One thread runs the task, the other a stranger with jobs to steal. */
static void wait_with_a_stranger(void *arg) {
    struct play *play = arg;
    play->owner = bz_self;
    play->parks = parks_of(bz_self); /* it may sleep before the task's first search */
    blitz_scope_begin(&play->scope);
    blitz_scope_spawn(&play->scope, end_when_the_owner_sleeps, play);
    rig_until(bz_load_acquire(&play->began) == 1);
    assert_int_equal(blitz_submit(play->pool, stay_strange, play), 0);
    rig_until(bz_load_acquire(&play->stranger_began) == 1);
    blitz_scope_wait(&play->scope);
    assert_true(parks_of(play->owner) > 0);
    rig_until(bz_load_acquire(&play->stranger_child) == 1);
    assert_false(pthread_equal(play->ran_stranger_child, pthread_self()));
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
