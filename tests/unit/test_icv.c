/*
 * test_icv.c: icv.h, from a store that the test fills in; test_env.c tests values from the environment.
 */
#include "omp/icv/icv.h"

#include <pthread.h>
#include <stdlib.h>

#include "../asserts.h"

static struct bomp_icv_store store;

static int set_up(void **state) {
    (void)state;
    bomp_icv_defaults(&store);
    return 0;
}

static void defaults_are_libgomps(void **state) {
    (void)state;
    const struct bomp_icv *icv = &store.initial;
    assert_int_equal(icv->thread_limit, UINT_MAX);
    assert_int_equal(icv->sched, BOMP_LOOP_DYNAMIC);
    assert_int_equal(icv->chunk, 1);
    assert_int_equal(icv->max_active_levels, 1);
    assert_int_equal(icv->bind, BOMP_BIND_FALSE);
    assert_false(icv->dynamic);
    assert_int_equal(icv->default_device, 0);
    assert_int_equal(store.global.max_task_priority, 0);
    assert_int_equal(store.global.stack_size, 0);
    assert_string_equal(store.global.affinity_format, "level %L thread %i affinity %A");
}

/* Each level takes the next entry of the lists; the last one stays. */
static void levels_take_from_the_lists(void **state) {
    (void)state;
    struct bomp_icv icv = store.initial;
    store.threads_list[0] = 3;
    store.threads_list[1] = 2;
    icv.threads = 4;
    icv.threads_left = 2;
    store.bind_list[0] = BOMP_BIND_CLOSE;
    icv.bind = BOMP_BIND_SPREAD;
    icv.bind_left = 1;
    static const unsigned threads[] = {3, 2, 2, 2};
    for (int level = 0; level < 4; level++) {
        struct bomp_icv child;
        bomp_icv_child(&child, &icv);
        assert_int_equal(child.threads, threads[level]);
        assert_int_equal(child.bind, BOMP_BIND_CLOSE);
        icv = child;
    }
}

/* A number that the program sets holds for its own level; the list still decides the levels below. */
static void a_set_number_replaces_the_lists_first(void **state) {
    (void)state;
    struct bomp_icv icv = store.initial;
    store.threads_list[0] = 2;
    icv.threads = 7;
    icv.threads_left = 1;
    bomp_icv_child(&icv, &icv);
    assert_int_equal(icv.threads, 2);
    icv.threads = 9;
    bomp_icv_child(&icv, &icv);
    assert_int_equal(icv.threads, 9);
}

static void children_inherit_the_rest(void **state) {
    (void)state;
    struct bomp_icv icv = store.initial;
    struct bomp_icv child;
    icv.threads = 5;
    icv.dynamic = true;
    icv.thread_limit = 11;
    icv.default_device = 3;
    bomp_icv_set_schedule(&icv, BOMP_LOOP_GUIDED | BOMP_LOOP_MONOTONIC, 6);
    bomp_icv_set_max_active_levels(&icv, 4);
    bomp_icv_child(&child, &icv);
    assert_memory_equal(&child, &icv, sizeof icv);
}

static void team_sizes(void **state) {
    (void)state;
    struct bomp_icv icv = store.initial;
    icv.threads = 6;
    icv.max_active_levels = 2;
    assert_int_equal(bomp_icv_team_size(&icv, 0, 0), 6);
    assert_int_equal(bomp_icv_team_size(&icv, 3, 1), 3);
    assert_int_equal(bomp_icv_team_size(&icv, 3, 2), 1);
    assert_int_equal(bomp_icv_team_size(&icv, 1, 0), 1);
    icv.thread_limit = 4;
    assert_int_equal(bomp_icv_team_size(&icv, 0, 0), 4);
    assert_int_equal(bomp_icv_team_size(&icv, UINT_MAX, 0), 4);
    icv.max_active_levels = 0;
    assert_int_equal(bomp_icv_team_size(&icv, 3, 0), 1);
}

/* The effect of omp_set_schedule; from schedule 2, 5 each. */
static void schedules(void **state) {
    (void)state;
    static const struct {
        uint32_t sched;
        int chunk;
        uint32_t new_sched;
        int new_chunk;
    } cases[] = {
        {0, 3, 2, 5},
        {5, 3, 2, 5},
        {BOMP_LOOP_MONOTONIC, 3, 2, 5},
        {1, 0, 1, 0},
        {1, -2, 1, 0},
        {1, 4, 1, 4},
        {2, 0, 2, 1},
        {2, -2, 2, 1},
        {3, 9, 3, 9},
        {3, INT_MIN, 3, 1},
        {4, 9, 4, 5},
        {BOMP_LOOP_MONOTONIC | 2, 9, BOMP_LOOP_MONOTONIC | 2, 9},
        {BOMP_LOOP_MONOTONIC | 1, INT_MAX, BOMP_LOOP_MONOTONIC | 1, INT_MAX},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bomp_icv icv = store.initial;
        bomp_icv_set_schedule(&icv, 2, 5);
        bomp_icv_set_schedule(&icv, cases[i].sched, cases[i].chunk);
        assert_int_equal(icv.sched, cases[i].new_sched);
        assert_int_equal(icv.chunk, cases[i].new_chunk);
    }
}

static void active_levels(void **state) {
    (void)state;
    static const struct {
        int levels, becomes;
    } cases[] = {{0, 0}, {3, 3}, {-1, 7}, {INT_MIN, 7}, {255, 255}, {256, 255}, {INT_MAX, 255}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bomp_icv icv = store.initial;
        icv.max_active_levels = 7;
        bomp_icv_set_max_active_levels(&icv, cases[i].levels);
        assert_int_equal(icv.max_active_levels, cases[i].becomes);
    }
}

static void *first_use(void *arg) {
    (void)arg;
    return (void *)(uintptr_t)bomp_icv_initial()->threads;
}

/* However many threads arrive first, all see the values of the environment. */
static void first_use_by_many_threads(void **state) {
    (void)state;
    enum { THREADS = 8 };
    pthread_t threads[THREADS];
    setenv("OMP_NUM_THREADS", "13", 1);
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, first_use, NULL), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        void *seen;
        pthread_join(threads[i], &seen);
        assert_int_equal((uintptr_t)seen, 13);
    }
    setenv("OMP_NUM_THREADS", "14", 1);
    assert_int_equal(bomp_icv_initial()->threads, 13);
}

/* After the first use: the process's store tells how many CPUs there are. */
static void dynamic_teams_have_the_cpus(void **state) {
    (void)state;
    struct bomp_icv icv = store.initial;
    unsigned cpus = bz_budget();
    assert_true(cpus >= 1 && cpus <= bz_topology_affinity_count());
    icv.threads = 1000000;
    icv.dynamic = true;
    assert_int_equal(bomp_icv_team_size(&icv, 0, 0), cpus);
    assert_int_equal(bomp_icv_team_size(&icv, cpus + 1, 0), cpus);
    assert_int_equal(bomp_icv_team_size(&icv, 1, 0), 1);
    icv.dynamic = false;
    assert_int_equal(bomp_icv_team_size(&icv, cpus + 1, 0), cpus + 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(defaults_are_libgomps, set_up),
        cmocka_unit_test_setup(levels_take_from_the_lists, set_up),
        cmocka_unit_test_setup(a_set_number_replaces_the_lists_first, set_up),
        cmocka_unit_test_setup(children_inherit_the_rest, set_up),
        cmocka_unit_test_setup(team_sizes, set_up),
        cmocka_unit_test_setup(schedules, set_up),
        cmocka_unit_test_setup(active_levels, set_up),
        cmocka_unit_test(first_use_by_many_threads),
        cmocka_unit_test(dynamic_teams_have_the_cpus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
