/* test_watchdog.c: tools/watchdog: the values of BLITZ_WATCHDOG; records of tasks that are reused, from any thread.
 * tests/tools/watchdog.sh tests its reports. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

#include "../asserts.h"
#include "tools/watchdog/scene.h"
#include "tools/watchdog/settings.h"

static void good_values(void **state) {
    struct bomp_watchdog_settings settings;
    (void)state;
    assert_int_equal(bomp_watchdog_parse("10", &settings), 0);
    assert_true(settings.limit_ns == 10000000000 && settings.then == BOMP_WATCHDOG_GO_ON);
    assert_int_equal(bomp_watchdog_parse(" 0.25 , exit = 7 ", &settings), 0);
    assert_true(settings.limit_ns == 250000000 && settings.then == BOMP_WATCHDOG_EXIT && settings.code == 7);
    assert_int_equal(bomp_watchdog_parse("1.5,abort", &settings), 0);
    assert_true(settings.limit_ns == 1500000000 && settings.then == BOMP_WATCHDOG_ABORT);
    assert_int_equal(bomp_watchdog_parse("0", &settings), 0);
    assert_int_equal(settings.limit_ns, 0);
    assert_int_equal(bomp_watchdog_parse("0.000", &settings), 0);
    assert_int_equal(settings.limit_ns, 0);
    assert_int_equal(bomp_watchdog_parse("2.0004", &settings), 0);
    assert_true(settings.limit_ns == 2000000000);
    assert_int_equal(bomp_watchdog_parse("3,exit=0", &settings), 0);
    assert_int_equal(settings.code, 0);
}

static void bad_values(void **state) {
    static const char *const values[] = {"",          "x",        "-1",         "1.",        "1,",
                                         "1,exit",    "1,exit=",  "1,exit=256", "1,aborted", "1 2",
                                         "1,exit=-1", "99999999", "0.0004"};
    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        struct bomp_watchdog_settings settings = {.limit_ns = 42};
        assert_int_equal(bomp_watchdog_parse(values[i], &settings), EINVAL);
        assert_int_equal(settings.limit_ns, 42);
    }
}

static bool count_item(void *record, void *arg) {
    const struct bomp_hang_item *item = record;
    *(unsigned *)arg += bz_load_relaxed(&item->state) != BOMP_HANG_FREE;
    return true;
}

static unsigned count_items(void) {
    unsigned count = 0;
    bomp_hang_each_item(count_item, &count);
    return count;
}

enum { TASKS = 3 * BOMP_CELLS_AT_ONCE };

static struct bomp_hang_item *tasks[TASKS];

static void *free_tasks(void *arg) {
    struct bomp_hang_thread *self = bomp_hang_thread_new();
    (void)arg;
    for (unsigned i = 0; i < TASKS; i += 2) {
        bomp_hang_item_free(tasks[i]);
    }
    bomp_hang_item_free(tasks[0]); /* without effect */
    bomp_hang_thread_end(self);
    return NULL;
}

static void records_are_used_again(void **state) {
    struct bomp_hang_thread *self = bomp_hang_thread_new();
    pthread_t other;
    (void)state;
    for (unsigned i = 0; i < TASKS; i++) {
        assert_non_null(tasks[i] = bomp_hang_item_new(self, BOMP_HANG_CREATED));
    }
    struct bomp_hang_ref ref;
    bomp_hang_refer(&ref, tasks[0]);
    assert_ptr_equal(bomp_hang_referred(&ref), tasks[0]);
    assert_int_equal(count_items(), TASKS);
    assert_int_equal(pthread_create(&other, NULL, free_tasks, NULL), 0);
    assert_int_equal(pthread_join(other, NULL), 0);
    assert_int_equal(count_items(), TASKS / 2);
    assert_null(bomp_hang_referred(&ref));
    for (unsigned i = 0; i < TASKS; i += 2) {
        assert_non_null(tasks[i] = bomp_hang_item_new(self, BOMP_HANG_CREATED));
    }
    assert_null(bomp_hang_referred(&ref));
    assert_int_equal(count_items(), TASKS);
    struct bomp_cells_chunk *last = self->items.chunks.v;
    assert_non_null(last->next->next);
    assert_null(last->next->next->next);
    bomp_hang_thread_end(self);
    struct bomp_hang_thread *again = bomp_hang_thread_new();
    assert_true(again == self || again == bomp_hang_threads()); /* a record of a thread that has ended */
    bomp_hang_thread_end(again);
    for (unsigned i = 0; i < TASKS; i++) {
        bomp_hang_item_free(tasks[i]);
    }
}

/* A task waits for a lock, the lock's holder for its child, and the child for a lock of the first one's thread. */
static void rings_are_found(void **state) {
    struct bomp_hang_thread *self = bomp_hang_thread_new(), *other = bomp_hang_thread_new();
    struct bomp_hang_item *mine = bomp_hang_item_new(self, BOMP_HANG_BEGUN);
    struct bomp_hang_item *its = bomp_hang_item_new(other, BOMP_HANG_BEGUN);
    struct bomp_hang_item *child = bomp_hang_item_new(self, BOMP_HANG_DETACHED);
    struct bomp_hang_scene scene;
    static struct bomp_hang_cycle cycle;
    (void)state;
    bz_store_relaxed(&self->current, mine);
    bz_store_relaxed(&mine->thread, self);
    bz_store_relaxed(&other->current, its);
    bz_store_relaxed(&its->thread, other);
    bz_store_relaxed(&mine->wait.kind, BOMP_HANG_LOCK);
    bz_store_relaxed(&mine->wait.object, 100);
    bz_store_relaxed(&its->wait.kind, BOMP_HANG_TASKWAIT);
    bz_store_relaxed(&other->held[0].object, 100);
    bomp_hang_refer(&child->parent, its);
    assert_true(bomp_hang_scene_take(&scene));
    bomp_hang_find_cycle(&scene, &cycle);
    assert_int_equal(cycle.count, 0); /* the child waits for nothing */

    bz_store_relaxed(&child->state, BOMP_HANG_BEGUN);
    bz_store_relaxed(&child->wait.kind, BOMP_HANG_CRITICAL);
    bz_store_relaxed(&child->wait.object, 200);
    bz_store_relaxed(&self->held[3].object, 200);
    bomp_hang_find_cycle(&scene, &cycle);
    assert_int_equal(cycle.count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_ptr_equal(cycle.steps[i].reason.other, cycle.steps[(i + 1) % 3].task);
    }
    bomp_hang_scene_free(&scene);
    bomp_hang_thread_end(self);
    bomp_hang_thread_end(other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_values),
        cmocka_unit_test(bad_values),
        cmocka_unit_test(records_are_used_again),
        cmocka_unit_test(rings_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
