/* test_backoff.c: backoff.h. */
#include "wait/backoff.h"

#include "../asserts.h"
#include "wait/policy.h"

static void measured(void **state) {
    (void)state;
    bz_backoff_measure();
    uint32_t pauses = bz_load_relaxed(&bz_backoff_pauses);
    assert_in_range(pauses, 1, BZ_BACKOFF_NS);
    bz_backoff(3); /* ends */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
