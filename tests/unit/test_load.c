/* test_load.c: load.h: when threads outnumber the CPUs. Races between those who change the numbers are hunted by
 * stress_sleep.c. */
#include "wait/load.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void threads_are_crowded_when_they_outnumber_the_cpus(void **state) {
    (void)state;
    bz_awake_reset(0);
    assert_false(bz_crowded());
    bz_awake_add(100000);
    assert_true(bz_crowded());
    bz_awake_add(-99999);
    assert_false(bz_crowded()); /* one thread */
    bz_awake_add(-5);
    assert_false(bz_crowded()); /* a hint that went below zero is no crowd */
    bz_awake_reset(0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_are_crowded_when_they_outnumber_the_cpus),
    };
    return cmocka_run_group_tests_name("load", tests, NULL, NULL);
}
