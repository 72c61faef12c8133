/* test_spin.c: spin.h: how long a waiter spins, and when it yields. */
#include "wait/spin.h"

#include <errno.h>

#include "../asserts.h"
#include "env/options.h"
#include "os/os.h"

#define LONG_NS UINT64_C(1000000000000000)

/* The clock advances with each reading, and by a yield's time. */
static uint64_t clock_ns = 1000, yield_ns;
static unsigned yields;

uint64_t __wrap_bz_os_now_ns(void);
uint64_t __wrap_bz_os_now_ns(void) {
    return clock_ns += 100;
}

void __wrap_bz_os_yield(void);
void __wrap_bz_os_yield(void) {
    yields++;
    clock_ns += yield_ns;
}

static void no_time_to_spin_means_one_poll(void **state) {
    (void)state;
    struct bz_spin spin = {0};
    assert_false(bz_spin_on(&spin));
    assert_int_equal(spin.started, 0); /* it did not read the clock */
}

static void the_first_spins_cost_no_clock(void **state) {
    (void)state;
    struct bz_spin spin = {.facts.chosen_ns = LONG_NS};
    for (unsigned i = 1; i < BZ_POLLS; i++) {
        assert_true(bz_spin_on(&spin));
        assert_int_equal(spin.started, 0);
    }
    for (unsigned i = 0; i < BZ_BRIEF_POLLS; i++)
        assert_true(bz_spin_on(&spin));
    assert_int_not_equal(spin.started, 0);
}

static void a_spin_ends_when_its_time_is_over(void **state) {
    (void)state;
    struct bz_spin spin = {.facts.chosen_ns = 2000000};
    uint64_t begin = bz_os_now_ns();
    while (bz_spin_on(&spin))
        ;
    assert_true(bz_os_now_ns() - begin >= 2000000);
}

/* It reads the clock with its first yield. */
static void a_waiter_that_shares_its_cpu_yields_sooner(void **state) {
    (void)state;
    struct bz_spin spin = {.facts = {.chosen_ns = LONG_NS, .policy = BZ_YIELD_EARLY}};
    assert_true(bz_spin_on(&spin)); /* the other one may have moved */
    assert_int_equal(spin.started, 0);
    assert_true(bz_spin_on(&spin));
    assert_int_not_equal(spin.started, 0);
}

/* The number of polls up to and including the next yield; each yield takes `ns`. */
static unsigned polls_to_yield(struct bz_spin *spin, uint64_t ns) {
    unsigned polls = 0, before = yields;
    yield_ns = ns;
    while (yields == before && ++polls < 1000)
        assert_true(bz_spin_on(spin));
    return polls;
}

static void yields_for_nothing_grow_rare(void **state) {
    (void)state;
    struct bz_spin spin = {.facts.chosen_ns = LONG_NS};
    assert_int_equal(polls_to_yield(&spin, 0), BZ_POLLS);
    unsigned polls = BZ_BRIEF_POLLS;
    for (unsigned times = 1; times < BZ_RETRY_TIMES; times *= 2, polls *= 2)
        assert_int_equal(polls_to_yield(&spin, 0), polls);
    assert_int_equal(polls_to_yield(&spin, 0), polls);
    assert_int_equal(polls_to_yield(&spin, BZ_SWITCH_NS), polls); /* another thread ran */
    assert_true(spin.handed_over);
    assert_int_equal(polls_to_yield(&spin, bz_usual_spin()), polls); /* for long */
    assert_false(spin.handed_over);
    assert_int_equal(polls_to_yield(&spin, 0), BZ_BRIEF_POLLS);
}

static void a_waker_spins_no_longer_for_that(void **state) {
    (void)state;
    struct bz_spin spin = {.facts = {.chosen_ns = 1, .policy = BZ_YIELD_LATE}};
    unsigned spins = 0, before = yields;
    while (bz_spin_on(&spin))
        spins++;
    assert_true(spins <= BZ_POLLS + BZ_BRIEF_POLLS);
    assert_int_equal(yields, before); /* its time is over: it should park */
}

/* A long spin time set by the user does not keep the CPU for as long. */
static void a_waker_that_spins_for_long_yields_in_the_end(void **state) {
    (void)state;
    struct bz_spin spin = {.facts = {.chosen_ns = BZ_SPIN_INFINITE, .policy = BZ_YIELD_LATE}};
    uint64_t began = clock_ns;
    unsigned before = yields;
    while (yields == before && clock_ns - began < 10 * bz_usual_spin())
        assert_true(bz_spin_on(&spin));
    assert_in_range(clock_ns - began, bz_usual_spin(), 2 * bz_usual_spin());
}

static uint64_t late_ns;
static bool comes; /* the event, during the sleep */

int __wrap_bz_os_futex_wait_until(uint32_t *word, uint32_t expected, uint64_t deadline_ns, uint32_t bits);
int __wrap_bz_os_futex_wait_until(uint32_t *word, uint32_t expected, uint64_t deadline_ns, uint32_t bits) {
    assert_int_equal(*word, expected);
    assert_int_equal(bits, 2);
    clock_ns = comes ? clock_ns + 100 : deadline_ns + late_ns - 100; /* its next reading adds 100 */
    return comes ? 0 : ETIMEDOUT;
}

static bool sleep_with(uint64_t ns) {
    uint32_t word = 0;
    late_ns = ns;
    return bz_wake_measure(&word, 0, 2);
}

/* A sleep that a thread has ended does not count, nor one that was late for another reason. */
static void a_wake_costs_twice_the_least_lateness(void **state) {
    (void)state;
    assert_int_equal(bz_usual_spin(), 2 * BZ_WAKE_NS);
    comes = true;
    assert_true(sleep_with(0));
    comes = false;
    assert_true(sleep_with(100 * BZ_WAKE_NS));
    assert_int_equal(bz_usual_spin(), 2 * BZ_WAKE_NS);
    assert_true(sleep_with(BZ_WAKE_NS / 2 - 1000));
    assert_int_equal(bz_usual_spin(), 2 * (BZ_WAKE_NS - 2000));
    assert_true(sleep_with(BZ_WAKE_NS / 2 - 100));
    assert_int_equal(bz_usual_spin(), 2 * (BZ_WAKE_NS - 2000));
    assert_false(sleep_with(BZ_WAKE_NS / 4)); /* it is known */
}

static void an_order_of_the_users_is_followed(void **state) {
    (void)state;
    assert_true(bz_spin_ns() == BZ_SPIN_AUTO);
    bz_set_spin_ns(123);
    assert_false(bz_spin_ns() == BZ_SPIN_AUTO);
    assert_int_equal(bz_spin_ns(), 123);
    bz_set_spin_ns(bz_usual_spin()); /* an order, though it is what we would do */
    assert_false(bz_spin_ns() == BZ_SPIN_AUTO);
    bz_set_spin_ns(BZ_SPIN_AUTO);
    assert_true(bz_spin_ns() == BZ_SPIN_AUTO);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_time_to_spin_means_one_poll),
        cmocka_unit_test(the_first_spins_cost_no_clock),
        cmocka_unit_test(a_spin_ends_when_its_time_is_over),
        cmocka_unit_test(a_waiter_that_shares_its_cpu_yields_sooner),
        cmocka_unit_test(yields_for_nothing_grow_rare),
        cmocka_unit_test(a_waker_spins_no_longer_for_that),
        cmocka_unit_test(a_waker_that_spins_for_long_yields_in_the_end),
        cmocka_unit_test(an_order_of_the_users_is_followed),
        cmocka_unit_test(a_wake_costs_twice_the_least_lateness),
    };
    return cmocka_run_group_tests_name("spin", tests, NULL, NULL);
}
