/* test_tally.c: tally.h: the arithmetic, and which thread releases; stress_tally.c has threads. */
#include "base/tally.h"

#include "../asserts.h"

static void children_on_the_own_thread_cost_no_atomic(void **state) {
    (void)state;
    struct bz_tally tally;
    bz_tally_init(&tally);
    assert_true(bz_tally_none(&tally));
    for (int i = 0; i < 3; i++)
        bz_tally_add(&tally);
    assert_false(bz_tally_none(&tally));
    for (int i = 0; i < 3; i++)
        bz_tally_sub(&tally);
    assert_true(bz_tally_none(&tally));
    assert_int_equal(tally.shared.v, 0);
}

static void children_that_others_ended_are_brought_in(void **state) {
    (void)state;
    struct bz_tally tally;
    bz_tally_init(&tally);
    for (int i = 0; i < 5; i++)
        bz_tally_add(&tally);
    assert_int_equal(bz_tally_sub_shared(&tally), BZ_TALLY_COUNTED);
    assert_int_equal(bz_tally_sub_shared(&tally), BZ_TALLY_COUNTED);
    bz_tally_sub(&tally);
    assert_int_equal(tally.local, 4 * BZ_TALLY_ONE);
    assert_false(bz_tally_none(&tally));
    assert_int_equal(tally.local, 2 * BZ_TALLY_ONE);
    assert_int_equal(tally.shared.v, 0);
    assert_int_equal(bz_tally_sub_shared(&tally), BZ_TALLY_COUNTED);
    assert_int_equal(bz_tally_sub_shared(&tally), BZ_TALLY_COUNTED);
    assert_true(bz_tally_none(&tally));
    assert_true(bz_tally_none(&tally));
}

static void others_may_add_what_they_hold(void **state) {
    (void)state;
    struct bz_tally tally;
    bz_tally_init(&tally);
    bz_tally_add(&tally);
    bz_tally_add_shared(&tally); /* a member creates another on its own worker */
    assert_int_equal(bz_tally_sub_shared(&tally), BZ_TALLY_COUNTED);
    assert_false(bz_tally_none(&tally));
    bz_tally_add_shared(&tally);
    bz_tally_sub(&tally);
    assert_int_equal(tally.local, 0);
    assert_false(bz_tally_none(&tally)); /* local is 0, and yet one is outstanding */
    assert_int_equal(bz_tally_sub_shared(&tally), BZ_TALLY_COUNTED);
    assert_true(bz_tally_none(&tally));
}

static void a_waiting_owner_is_woken_each_time(void **state) {
    (void)state;
    struct bz_tally tally;
    bz_tally_init(&tally);
    for (int i = 0; i < 4; i++)
        bz_tally_add(&tally);
    assert_int_equal(bz_tally_sub_shared(&tally), BZ_TALLY_COUNTED);
    bz_tally_set_waiting(&tally);
    bz_tally_set_waiting(&tally); /* a second call changes nothing */
    assert_int_equal(bz_tally_sub_shared(&tally), BZ_TALLY_WAKE);
    assert_false(bz_tally_none(&tally)); /* keeps the flag */
    assert_int_equal(bz_tally_sub_shared(&tally), BZ_TALLY_WAKE);
    assert_int_equal(bz_tally_sub_shared(&tally), BZ_TALLY_WAKE);
    assert_true(bz_tally_none(&tally));
    bz_tally_clear_waiting(&tally);
    assert_int_equal(tally.shared.v, 0);
    bz_tally_add(&tally);
    assert_int_equal(bz_tally_sub_shared(&tally), BZ_TALLY_COUNTED);
    assert_true(bz_tally_none(&tally));
}

static void an_end_with_no_child_left_releases_at_once(void **state) {
    (void)state;
    struct bz_tally tally;
    bz_tally_init(&tally);
    assert_true(bz_tally_end(&tally));
    bz_tally_init(&tally);
    bz_tally_add(&tally);
    bz_tally_sub(&tally);
    assert_true(bz_tally_end(&tally));
}

/* However many of `children` end on either side before the end, exactly one releases. */
static void exactly_one_releases(void **state) {
    (void)state;
    enum { CHILDREN = 5 };
    for (int own = 0; own <= CHILDREN; own++)
        for (int others = 0; own + others <= CHILDREN; others++)
            for (int seen = 0; seen <= others; seen++) {
                struct bz_tally tally;
                unsigned released = 0;
                bz_tally_init(&tally);
                for (int i = 0; i < CHILDREN; i++)
                    bz_tally_add(&tally);
                for (int i = 0; i < others; i++) {
                    assert_int_equal(bz_tally_sub_shared(&tally), BZ_TALLY_COUNTED);
                    if (i + 1 == seen)
                        bz_tally_none(&tally);
                }
                for (int i = 0; i < own; i++)
                    bz_tally_sub(&tally);
                released += bz_tally_end(&tally);
                assert_int_equal(released, own + others == CHILDREN);
                for (int i = own + others; i < CHILDREN; i++) {
                    enum bz_tally_result result = bz_tally_sub_shared(&tally);
                    assert_int_not_equal(result, BZ_TALLY_WAKE);
                    released += result == BZ_TALLY_RELEASE;
                    assert_int_equal(released, i + 1 == CHILDREN);
                }
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(children_on_the_own_thread_cost_no_atomic),
        cmocka_unit_test(children_that_others_ended_are_brought_in),
        cmocka_unit_test(others_may_add_what_they_hold),
        cmocka_unit_test(a_waiting_owner_is_woken_each_time),
        cmocka_unit_test(an_end_with_no_child_left_releases_at_once),
        cmocka_unit_test(exactly_one_releases),
    };
    return cmocka_run_group_tests_name("tally", tests, NULL, NULL);
}
