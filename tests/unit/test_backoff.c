/* test_backoff.c: backoff.h. */
#include "wait/backoff.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "wait/policy.h"

static void pauses_by_their_time(void **state) {
    (void)state;
    assert_int_equal(bz_backoff_pauses_of(32, 32 * BZ_BACKOFF_NS), 1);
    assert_int_equal(bz_backoff_pauses_of(32, 32 * BZ_BACKOFF_NS / 7), 7);
    assert_int_equal(bz_backoff_pauses_of(1, 45), (BZ_BACKOFF_NS + 22) / 45);
}

static void at_least_one_and_not_without_end(void **state) {
    (void)state;
    assert_int_equal(bz_backoff_pauses_of(32, UINT64_MAX / 2), 1);
    assert_int_equal(bz_backoff_pauses_of(32, 1), BZ_BACKOFF_NS);
    assert_in_range(bz_backoff_pauses_of(32, 0), 2, 8); /* nothing is known */
}

static void measured(void **state) {
    (void)state;
    bz_backoff_measure();
    uint32_t pauses = bz_load_relaxed(&bz_backoff_pauses);
    assert_in_range(pauses, 1, BZ_BACKOFF_NS);
    bz_backoff(3); /* ends */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pauses_by_their_time),
        cmocka_unit_test(at_least_one_and_not_without_end),
        cmocka_unit_test(measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
