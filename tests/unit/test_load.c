/* test_load.c: load.h: when threads outnumber the CPUs. stress_sleep.c tests races between threads that change the
 * counts. */
#include "wait/load.h"

#include "../asserts.h"

static void threads_are_crowded_when_they_outnumber_the_cpus(void **state) {
    (void)state;
    bz_awake_reset(0);
    assert_false(bz_crowded());
    bz_awake_add(100000);
    assert_true(bz_crowded());
    bz_awake_add(-99999);
    assert_false(bz_crowded()); /* one thread */
    bz_awake_add(-5);
    assert_false(bz_crowded()); /* a count below zero is no crowd */
    bz_awake_reset(0);
}

static void the_threads_of_a_large_team_share_the_cpus_but_one(void **state) {
    (void)state;
    bz_set_cpus(4);
    assert_int_equal(bz_sharing(0), 1);
    assert_int_equal(bz_sharing(4), 1);
    assert_int_equal(bz_sharing(5), 2);
    assert_int_equal(bz_sharing(7), 2);
    assert_int_equal(bz_sharing(8), 3);
    bz_set_cpus(1);
    assert_int_equal(bz_sharing(1), 1);
    assert_int_equal(bz_sharing(8), 7);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_are_crowded_when_they_outnumber_the_cpus),
        cmocka_unit_test(the_threads_of_a_large_team_share_the_cpus_but_one),
    };
    return cmocka_run_group_tests_name("load", tests, NULL, NULL);
}
