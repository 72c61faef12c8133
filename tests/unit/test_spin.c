/* test_spin.c: spin.h: how long a waiter spins, and when it yields. */
#include "wait/spin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "env/options.h"
#include "os/os.h"
#include "wait/tuning.h"

#define LONG_NS UINT64_C(1000000000000000)

/* Beside another program a waiter parks sooner (rival.h): there is none. */
bool __wrap_bz_rival_is_here(void);
bool __wrap_bz_rival_is_here(void) {
    return false;
}

static void no_time_to_spin_means_one_look(void **state) {
    (void)state;
    struct bz_spin spin = {0};
    assert_false(bz_spin_on(&spin));
    assert_int_equal(spin.started, 0); /* it did not ask for the time */
}

static void the_first_spins_cost_no_clock(void **state) {
    (void)state;
    struct bz_spin spin = {.limit_ns = LONG_NS};
    for (unsigned i = 1; i < BZ_SPIN_ROUNDS; i++) {
        assert_true(bz_spin_on(&spin));
        assert_int_equal(spin.started, 0);
    }
    for (unsigned i = 0; i < BZ_YIELD_ROUNDS; i++)
        assert_true(bz_spin_on(&spin));
    assert_int_not_equal(spin.started, 0);
}

static void looking_ends_when_the_time_is_over(void **state) {
    (void)state;
    struct bz_spin spin = {.limit_ns = 2000000};
    uint64_t begin = bz_os_now_ns();
    while (bz_spin_on(&spin))
        ;
    assert_true(bz_os_now_ns() - begin >= 2000000);
}

/* With its first yield it reads the clock. */
static void who_shares_its_cpu_yields_sooner(void **state) {
    (void)state;
    struct bz_spin spin = {.limit_ns = LONG_NS, .policy = BZ_YIELD_EARLY};
    for (unsigned i = 1; i < BZ_YIELD_EARLY_ROUNDS; i++) {
        assert_true(bz_spin_on(&spin));
        assert_int_equal(spin.started, 0);
    }
    assert_true(bz_spin_on(&spin));
    assert_int_not_equal(spin.started, 0);
}

static void a_waker_spins_no_longer_for_that(void **state) {
    (void)state;
    struct bz_spin spin = {.limit_ns = 1, .policy = BZ_YIELD_LATE};
    unsigned spins = 0;
    while (bz_spin_on(&spin))
        spins++;
    assert_true(spins <= BZ_SPIN_ROUNDS + BZ_YIELD_ROUNDS);
}

static void an_order_of_the_users_is_followed(void **state) {
    (void)state;
    assert_true(bz_spin_adapts());
    assert_int_equal(bz_spin_ns(), BZ_SPIN_NS);
    bz_set_spin_ns(123);
    assert_false(bz_spin_adapts());
    assert_int_equal(bz_spin_ns(), 123);
    bz_set_spin_ns(BZ_SPIN_NS); /* an order, though it is what we would do */
    assert_false(bz_spin_adapts());
    bz_set_spin_ns(BZ_SPIN_AUTO);
    assert_true(bz_spin_adapts());
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_time_to_spin_means_one_look),
        cmocka_unit_test(the_first_spins_cost_no_clock),
        cmocka_unit_test(looking_ends_when_the_time_is_over),
        cmocka_unit_test(who_shares_its_cpu_yields_sooner),
        cmocka_unit_test(a_waker_spins_no_longer_for_that),
        cmocka_unit_test(an_order_of_the_users_is_followed),
    };
    return cmocka_run_group_tests_name("spin", tests, NULL, NULL);
}
