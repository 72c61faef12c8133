/* test_initial.c: initial.h, teams, and thread limits: the state that the body of a target region or a team sees, its
 * isolation from the region around, and the restored state afterwards. */
#include "omp/team/initial.h"

#include <pthread.h>
#include <string.h>

#include "../asserts.h"
#include "blitz.h"
#include "omp/api/allocator.h"
#include "omp/bomp.h"
#include "omp/team/caller.h"
#include "omp/team/team.h"

#define SIZE 4 /* threads of the regions here */

static unsigned failures; /* of checks on any thread */

static void check(bool ok) {
    if (!ok)
        __atomic_fetch_add(&failures, 1, __ATOMIC_RELAXED);
}

static struct bomp_initial_spec spec_of(unsigned limit, unsigned num, unsigned count) {
    return (struct bomp_initial_spec){.icv = bomp_icv_initial(),
                                      .allocator = 5,
                                      .thread_limit = limit,
                                      .team_num = num,
                                      .num_teams = count};
}

/* ---- the state in the body ---- */

static void count_threads(void *data) {
    unsigned *sum = data;
    check(bomp_level() == 1 && bomp_team_num() == 3 && bomp_num_teams() == 7);
    __atomic_fetch_add(sum, 1, __ATOMIC_RELAXED);
}

static void check_body(void *data) {
    unsigned sum = 0;
    struct bomp_member *self = bomp_self();
    check(self->team->size == 1 && !self->team->thread_team && self->current == &self->implicit);
    check(bomp_level() == 0 && bomp_active_level() == 0 && bomp_thread_num() == 0 && bomp_num_threads() == 1);
    check(bomp_ancestor_thread_num(0) == 0 && bomp_ancestor_thread_num(1) == -1);
    check(bomp_team_num() == 3 && bomp_num_teams() == 7 && bomp_default_allocator() == 5);
    check(bomp_icv()->threads == bomp_icv_initial()->threads && bomp_icv()->thread_limit == 3);
    check(!bomp_in_final());
    bomp_icv_own()->threads = 77;
    bomp_set_default_allocator(6);
    bomp_parallel(count_threads, &sum, 9);
    check(sum == 3 && bomp_icv()->threads == 77);
    bomp_barrier();
    __atomic_fetch_add((unsigned *)data, 1, __ATOMIC_RELAXED);
}

static void run_body(void *data) {
    struct bomp_initial_spec spec = spec_of(3, 3, 7);
    struct bomp_member *self = bomp_self();
    struct bz_worker *worker = bz_self;
    struct bomp_task *current = self->current;
    int num = bomp_thread_num(), level = bomp_level();
    bomp_icv_own()->threads = 50 + (unsigned)num;
    bomp_run_initial(check_body, data, &spec);
    check(bomp_self() == self && bz_self == worker && self->current == current);
    check(bomp_thread_num() == num && bomp_level() == level);
    check(bomp_icv()->threads == 50 + (unsigned)num);
}

static void is_an_initial_thread(void **state) {
    (void)state;
    unsigned bodies = 0;
    run_body(&bodies);
    run_body(&bodies);
    assert_int_equal(bodies, 2);
    bomp_parallel(run_body, &bodies, SIZE);
    assert_int_equal(bodies, 2 + SIZE);
    assert_int_equal(failures, 0);
}

static void nested_body(void *data) {
    struct bomp_initial_spec spec = spec_of(0, 0, 1);
    int *depth = data;
    check(bomp_level() == 0);
    bomp_icv_own()->threads = 5 + (unsigned)*depth;
    if (--*depth > 0)
        bomp_run_initial(nested_body, depth, &spec);
    check(bomp_icv()->threads >= 5 && bomp_level() == 0);
}

static void can_be_nested(void **state) {
    (void)state;
    int depth = 5;
    nested_body(&depth);
    assert_int_equal(depth, 0);
    assert_int_equal(failures, 0);
}

/* ---- isolated from the team around ---- */

static struct bz_a32 outer_tasks;
static bool inside;

static void outer_task(void *data) {
    (void)data;
    check(!inside && bomp_level() == 1);
    bz_fetch_add_relaxed(&outer_tasks, 1);
}

static void inner_task(void *data) {
    check(bomp_level() == 0);
    __atomic_fetch_add(*(unsigned **)data, 1, __ATOMIC_RELAXED);
}

static void *fulfill(void *handle) {
    bz_os_yield();
    bomp_event_fulfill(handle);
    return NULL;
}

/* Waits of every kind, on a thread whose team has tasks queued. */
static void waits_inside(void *data) {
    unsigned ran = 0, *to = &ran;
    void *handle = NULL;
    pthread_t thread;
    inside = true;
    for (int i = 0; i < 10; i++)
        bomp_task_plain(inner_task, &to, NULL, sizeof to, sizeof to, true);
    bomp_taskwait();
    check(ran == 10);
    bomp_taskyield();
    bomp_task_create(&(struct bomp_task_spec){.fn = inner_task,
                                              .data = &to,
                                              .size = sizeof to,
                                              .align = sizeof to,
                                              .detach = true,
                                              .handles = {(void **)&handle}});
    check(ran == 11);
    check(pthread_create(&thread, NULL, fulfill, handle) == 0);
    bomp_taskgroup_start();
    bomp_task_plain(inner_task, &to, NULL, sizeof to, sizeof to, false);
    bomp_taskgroup_end();
    bomp_taskwait();
    bomp_barrier();
    check(ran == 12);
    pthread_join(thread, NULL);
    inside = false;
    (void)data;
}

static void queue_and_go(void *data) {
    struct bomp_initial_spec spec = spec_of(0, 0, 1);
    (void)data;
    /* Thread 1 must not take the tasks, so it stays away until they are there. */
    static struct bz_a32 ready;
    if (bomp_thread_num() == 1) {
        while (!bz_load_acquire(&ready))
            bz_os_yield();
        return;
    }
    for (int i = 0; i < 2 * BOMP_QUEUE_PER_THREAD; i++)
        bomp_task_plain(outer_task, NULL, NULL, 0, 1, true);
    check(bz_load_relaxed(&outer_tasks) == 0);
    bomp_run_initial(waits_inside, NULL, &spec);
    check(bz_load_relaxed(&outer_tasks) == 0);
    bz_store_release(&ready, 1);
}

static void runs_nothing_of_the_team_around(void **state) {
    (void)state;
    bomp_parallel(queue_and_go, NULL, 2);
    assert_int_equal(outer_tasks.v, 2 * BOMP_QUEUE_PER_THREAD);
    assert_int_equal(failures, 0);
}

/* ---- teams ---- */

static unsigned teams_seen[3];

static void one_team(void *data) {
    check(data == teams_seen && bomp_num_teams() == 3 && bomp_icv()->thread_limit == 2);
    check(bomp_icv()->threads == 9);
    bomp_icv_own()->threads = 1;
    teams_seen[bomp_team_num()]++;
}

static void teams_take_turns(void **state) {
    (void)state;
    bomp_icv_own()->threads = 9;
    bomp_teams(one_team, teams_seen, &(struct bomp_league){.teams = 3, .thread_limit = 2});
    for (int i = 0; i < 3; i++)
        assert_int_equal(teams_seen[i], 1);
    assert_int_equal(bomp_icv()->threads, 9);
    assert_int_equal(bomp_num_teams(), 1);
    assert_int_equal(failures, 0);
}

static void leagues_inside(void *data) {
    unsigned runs = 0;
    (void)data;
    for (bool first = true; bomp_teams_next(4, 6, first); first = false)
        check(bomp_num_teams() == 4 && bomp_team_num() == (int)runs++ && bomp_icv()->thread_limit == 6);
    check(runs == 4);
    check(bomp_teams_next(0, 0, true) && bomp_num_teams() == 1 && bomp_icv()->thread_limit == 6);
    check(!bomp_teams_next(0, 0, false));
}

static void a_target_region_has_leagues(void **state) {
    (void)state;
    bomp_target_run(leagues_inside, NULL, 0);
    assert_int_equal(bomp_num_teams(), 1);
    assert_int_equal(failures, 0);
}

/* ---- limits ---- */

static struct bz_a32 most;

static void innermost(void *data) {
    (void)data;
    uint32_t busy = bz_load_relaxed(&bomp_self()->team->initial->busy);
    check(busy <= 6);
    if (busy > bz_load_relaxed(&most))
        bz_store_relaxed(&most, busy);
}

static void inner_regions(void *data) {
    (void)data;
    for (int i = 0; i < 200; i++)
        bomp_parallel(innermost, NULL, 1 + (unsigned)i % 5);
}

static void limited(void *data) {
    (void)data;
    struct bomp_initial *initial = bomp_self()->team->initial;
    bomp_icv_own()->max_active_levels = 3;
    for (unsigned outer = 1; outer <= 8; outer++) {
        bomp_parallel(inner_regions, NULL, outer);
        check(initial->busy.v == 1); /* all given back */
    }
}

static void counts_all_regions_below(void **state) {
    (void)state;
    struct bomp_initial_spec spec = spec_of(6, 0, 1);
    bomp_run_initial(limited, NULL, &spec);
    assert_int_equal(failures, 0);
    assert_int_equal(most.v, 6);
}

/* ---- in a pool ---- */

static unsigned ran;

static void run_queued(void *arg) {
    (void)arg;
    __atomic_fetch_add(&ran, 1, __ATOMIC_RELAXED);
}

static void use_openmp_with_queued_jobs(void *arg) {
    blitz_scope scope;
    (void)arg;
    blitz_scope_begin(&scope);
    for (int i = 0; i < 10; i++)
        blitz_scope_spawn(&scope, run_queued, NULL);
    check(bomp_self()->team->size == 1); /* the worker becomes an initial thread */
    blitz_scope_wait(&scope);
    check(__atomic_load_n(&ran, __ATOMIC_RELAXED) == 10);
}

static void a_pools_worker_keeps_its_jobs(void **state) {
    blitz_config config = {.workers = 1};
    blitz_pool *pool;
    (void)state;
    assert_int_equal(blitz_pool_create(&config, &pool), 0);
    assert_int_equal(blitz_call(pool, use_openmp_with_queued_jobs, NULL), 0);
    assert_int_equal(blitz_pool_destroy(pool), 0);
    assert_int_equal(failures, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_an_initial_thread),
        cmocka_unit_test(can_be_nested),
        cmocka_unit_test(runs_nothing_of_the_team_around),
        cmocka_unit_test(teams_take_turns),
        cmocka_unit_test(a_target_region_has_leagues),
        cmocka_unit_test(counts_all_regions_below),
        cmocka_unit_test(a_pools_worker_keeps_its_jobs),
    };
    return cmocka_run_group_tests_name("initial", tests, NULL, NULL);
}
