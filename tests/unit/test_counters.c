/* test_counters.c: counters.h: three numbers in one word that do not disturb each other. */
#include "sched/counters.h"

#include "../asserts.h"

static void expect(const struct bz_counters *c, unsigned sleeping, unsigned inactive, uint32_t jec) {
    assert_int_equal(bz_counters_sleeping(c->word.v), sleeping);
    assert_int_equal(bz_counters_inactive(c->word.v), inactive);
    assert_int_equal(bz_counters_jec(c->word.v), jec);
}

static void each_changes_alone(void **state) {
    (void)state;
    struct bz_counters c = {{BZ_ONE_JEC}};
    expect(&c, 0, 0, 1);
    bz_counters_add_inactive(&c);
    bz_counters_add_inactive(&c);
    expect(&c, 0, 2, 1);
    uint32_t jec = bz_counters_announce(&c);
    expect(&c, 0, 2, 2);
    assert_true(bz_counters_try_sleep(&c, jec, true));
    expect(&c, 1, 2, 2);
    assert_true(bz_counters_try_sleep(&c, jec, false)); /* inactive from now on */
    expect(&c, 2, 3, 2);
    bz_counters_sub_sleeping(&c);
    expect(&c, 1, 3, 2);
    uint64_t after = bz_counters_sub_inactive(&c);
    assert_int_equal(after, c.word.v);
    expect(&c, 1, 2, 2);
    bz_counters_post(&c);
    expect(&c, 1, 2, 3);
}

static void both_counts_hold_a_whole_domain(void **state) {
    (void)state;
    struct bz_counters c = {{2 * BZ_ONE_JEC}};
    for (unsigned i = 0; i < BZ_DOMAIN_MAX; i++)
        assert_true(bz_counters_try_sleep(&c, 2, false));
    expect(&c, BZ_DOMAIN_MAX, BZ_DOMAIN_MAX, 2);
    bz_counters_post(&c);
    expect(&c, BZ_DOMAIN_MAX, BZ_DOMAIN_MAX, 3);
    for (unsigned i = 0; i < BZ_DOMAIN_MAX; i++) {
        bz_counters_sub_sleeping(&c);
        bz_counters_sub_inactive(&c);
    }
    expect(&c, 0, 0, 3);
}

static void the_first_announcement_makes_sleepy(void **state) {
    (void)state;
    struct bz_counters c = {{BZ_ONE_JEC}};
    assert_false(bz_counters_is_sleepy(c.word.v));
    assert_int_equal(bz_counters_announce(&c), 2);
    assert_true(bz_counters_is_sleepy(c.word.v));
    assert_int_equal(bz_counters_announce(&c), 2); /* others announce the same */
    assert_int_equal(bz_counters_jec(c.word.v), 2);
}

static void the_first_post_makes_active(void **state) {
    (void)state;
    struct bz_counters c = {{BZ_ONE_JEC}};
    assert_int_equal(bz_counters_post(&c), BZ_ONE_JEC);
    assert_int_equal(c.word.v, BZ_ONE_JEC);
    bz_counters_announce(&c);
    assert_int_equal(bz_counters_post(&c), 3 * BZ_ONE_JEC);
    assert_int_equal(bz_counters_post(&c), 3 * BZ_ONE_JEC);
    assert_int_equal(c.word.v, 3 * BZ_ONE_JEC);
}

static void an_announcement_lapses_with_a_post(void **state) {
    (void)state;
    struct bz_counters c = {{BZ_ONE_JEC}};
    uint32_t first = bz_counters_announce(&c);
    bz_counters_post(&c);
    assert_false(bz_counters_try_sleep(&c, first, true));
    uint32_t second = bz_counters_announce(&c);
    assert_int_not_equal(first, second);
    assert_false(bz_counters_try_sleep(&c, first, true)); /* sleepy again, but not by this announcement */
    expect(&c, 0, 0, second);
    assert_true(bz_counters_try_sleep(&c, second, true));
}

static void the_event_counter_wraps_without_a_trace(void **state) {
    (void)state;
    struct bz_counters c = {{(uint64_t)UINT32_MAX << 32 | 5 * BZ_ONE_INACTIVE | 3}};
    assert_false(bz_counters_is_sleepy(c.word.v));
    assert_int_equal(bz_counters_announce(&c), 0);
    expect(&c, 3, 5, 0);
    assert_true(bz_counters_is_sleepy(c.word.v));
    bz_counters_post(&c);
    expect(&c, 3, 5, 1);
}

static void all_awake_means_no_sleeper_and_no_announcement(void **state) {
    (void)state;
    assert_true(bz_counters_all_awake(BZ_ONE_JEC));
    assert_true(bz_counters_all_awake(BZ_ONE_JEC + 7 * BZ_ONE_INACTIVE));
    assert_false(bz_counters_all_awake(BZ_ONE_JEC + BZ_ONE_SLEEPING));
    assert_false(bz_counters_all_awake(2 * BZ_ONE_JEC));
    assert_false(bz_counters_all_awake(0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_changes_alone),
        cmocka_unit_test(both_counts_hold_a_whole_domain),
        cmocka_unit_test(the_first_announcement_makes_sleepy),
        cmocka_unit_test(the_first_post_makes_active),
        cmocka_unit_test(an_announcement_lapses_with_a_post),
        cmocka_unit_test(the_event_counter_wraps_without_a_trace),
        cmocka_unit_test(all_awake_means_no_sleeper_and_no_announcement),
    };
    return cmocka_run_group_tests_name("counters", tests, NULL, NULL);
}
