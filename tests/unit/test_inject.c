/* test_inject.c: inject.h: first in, first out. stress_inject.c has many producers. */
#include "sched/inject.h"

#include "../asserts.h"

enum { MANY = 40 };

static struct bz_inject_node nodes[MANY];

static void push(struct bz_injector *injector, int from, int to) {
    for (int i = from; i < to; i++)
        bz_injector_push(injector, &nodes[i]);
}

static void expect(struct bz_injector *injector, int from, int to) {
    for (int i = from; i < to; i++)
        assert_ptr_equal(bz_injector_take(injector), &nodes[i]);
}

static void an_empty_one_gives_nothing(void **state) {
    (void)state;
    struct bz_injector injector = {.takes = 0};
    assert_false(bz_injector_has_jobs(&injector));
    assert_null(bz_injector_take(&injector));
}

static void jobs_come_out_in_the_order_they_went_in(void **state) {
    (void)state;
    struct bz_injector injector = {.takes = 0};
    push(&injector, 0, MANY);
    assert_true(bz_injector_has_jobs(&injector));
    expect(&injector, 0, 16);
    assert_true(bz_injector_has_jobs(&injector));
    expect(&injector, 16, 32);
    expect(&injector, 32, MANY);
    assert_false(bz_injector_has_jobs(&injector));
    assert_null(bz_injector_take(&injector));
}

static void later_jobs_wait_for_what_was_left(void **state) {
    (void)state;
    struct bz_injector injector = {.takes = 0};
    push(&injector, 0, 5);
    expect(&injector, 0, 2);
    push(&injector, 5, 8);
    expect(&injector, 2, 4);
    expect(&injector, 4, 5); /* the rest of the first ones */
    expect(&injector, 5, 7);
    expect(&injector, 7, 8);
    assert_false(bz_injector_has_jobs(&injector));
}

static void a_second_taker_does_not_wait_for_the_first(void **state) {
    (void)state;
    struct bz_injector injector = {.takes = 0};
    push(&injector, 0, 3);
    injector.busy.v = 1; /* another thread is taking */
    assert_null(bz_injector_take(&injector));
    assert_int_equal(injector.busy.v, 1);
    assert_true(bz_injector_has_jobs(&injector));
    injector.busy.v = 0;
    expect(&injector, 0, 3);
    assert_int_equal(injector.busy.v, 0);
}

static void push_at(struct bz_injector *injector, enum bz_inject_priority priority, int from, int to) {
    for (int i = from; i < to; i++)
        nodes[i].priority = priority;
    push(injector, from, to);
    for (int i = from; i < to; i++) /* for later tests: the variable is not read again */
        nodes[i].priority = BZ_INJECT_NORMAL;
}

static void urgent_jobs_come_first(void **state) {
    (void)state;
    struct bz_injector injector = {.takes = 0};
    push_at(&injector, BZ_INJECT_LOW, 0, 2);
    push_at(&injector, BZ_INJECT_NORMAL, 2, 4);
    push_at(&injector, BZ_INJECT_HIGH, 4, 6);
    assert_true(bz_injector_has_priority(&injector, BZ_INJECT_HIGH));
    expect(&injector, 4, 5);
    expect(&injector, 5, 6);
    assert_false(bz_injector_has_priority(&injector, BZ_INJECT_HIGH));
    push_at(&injector, BZ_INJECT_HIGH, 6, 7);
    expect(&injector, 6, 7);
    expect(&injector, 2, 3);
    expect(&injector, 3, 4);
    expect(&injector, 0, 1);
    assert_true(bz_injector_has_jobs(&injector));
    expect(&injector, 1, 2);
    assert_false(bz_injector_has_jobs(&injector));
}

/* However many urgent jobs there are: of 16 takes, each other priority gets one. */
static void no_priority_waits_for_ever(void **state) {
    (void)state;
    struct bz_injector injector = {.takes = 0};
    push_at(&injector, BZ_INJECT_HIGH, 0, 34);
    push_at(&injector, BZ_INJECT_NORMAL, 34, 37);
    push_at(&injector, BZ_INJECT_LOW, 37, 40);
    int taken[2][BZ_INJECT_PRIORITIES] = {{0}};
    for (int i = 0; i < 32; i++) {
        int index = (int)(bz_injector_take(&injector) - nodes);
        taken[i / 16][index < 34 ? BZ_INJECT_HIGH : index < 37 ? BZ_INJECT_NORMAL : BZ_INJECT_LOW]++;
    }
    for (int half = 0; half < 2; half++) {
        assert_int_equal(taken[half][BZ_INJECT_HIGH], 14);
        assert_int_equal(taken[half][BZ_INJECT_NORMAL], 1);
        assert_int_equal(taken[half][BZ_INJECT_LOW], 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_one_gives_nothing),
        cmocka_unit_test(jobs_come_out_in_the_order_they_went_in),
        cmocka_unit_test(later_jobs_wait_for_what_was_left),
        cmocka_unit_test(a_second_taker_does_not_wait_for_the_first),
        cmocka_unit_test(urgent_jobs_come_first),
        cmocka_unit_test(no_priority_waits_for_ever),
    };
    return cmocka_run_group_tests_name("inject", tests, NULL, NULL);
}
