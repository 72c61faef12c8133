/* test_lease.c: lease.h: which of two host threads waits, for how long, and who wakes it; leases stay where both are faster
 * with them, and go where one is slower. The test plays the clock, the sleep of a host thread and the other one. */
#include "wait/lease.h"

#include <errno.h>

#include "../asserts.h"
#include "wait/competitor.h"
#include "wait/load.h"
#include "wait/policy.h"

#define MS UINT64_C(1000000)
#define LEASE_NS (2 * MS)
#define PHASE_NS (32 * MS)
#define FIRST_NS (8 * PHASE_NS)
enum { TEAM = 2 };

static struct {
    uint64_t now;
    unsigned sleeps, wakes;
    int (*others)(void); /* what they do during a sleep: its result */
} machine = {.now = MS};

uint64_t __wrap_bz_os_now_ns(void);
uint64_t __wrap_bz_os_now_ns(void) {
    return machine.now += 10;
}

int __wrap_bz_os_futex_wait_until(uint32_t *word, uint32_t expected, uint64_t deadline_ns, uint32_t bits);
int __wrap_bz_os_futex_wait_until(uint32_t *word, uint32_t expected, uint64_t deadline_ns, uint32_t bits) {
    (void)bits;
    assert_int_equal(*word, expected);
    assert_true(deadline_ns > machine.now);
    machine.sleeps++;
    int result = machine.others ? machine.others() : ETIMEDOUT;
    if (result == ETIMEDOUT)
        machine.now = deadline_ns;
    return result;
}

void __wrap_bz_os_futex_wake(uint32_t *word, int count);
void __wrap_bz_os_futex_wake(uint32_t *word, int count) {
    (void)word;
    assert_int_equal(count, bz_leases_are_on() ? 1 : INT32_MAX);
    machine.wakes++;
}

static struct host { struct bz_lease lease; } first, second, third;

static bool are_several(void) {
    return bz_load_relaxed(&bz_leases.until) != 0;
}

static void begin(struct host *host) {
    bz_lease_begin(&host->lease, TEAM);
}

static void end(struct host *host) {
    bz_lease_end(&host->lease);
}

static void region(struct host *host, uint64_t ns) {
    begin(host);
    machine.now += ns;
    end(host);
}

/* Both open regions of that length in turns, for that time. */
static void alternate(uint64_t ns, uint64_t time) {
    for (uint64_t until = machine.now + time; machine.now < until;) {
        region(&first, ns);
        region(&second, ns);
    }
}

static int start(void **state) {
    (void)state;
    bz_set_cpus(TEAM);
    bz_leases_forget();
    bz_store_relaxed(&bz_leases.last, 0);
    first = second = third = (struct host){0};
    machine.sleeps = machine.wakes = 0;
    machine.others = NULL;
    return 0;
}

/* The first phase with leases. */
static void until_leases_with(uint64_t ns) {
    alternate(ns, FIRST_NS + MS);
    assert_true(bz_leases_are_on());
    assert_int_equal(machine.sleeps, 0);
}

static void until_leases(void) {
    until_leases_with(MS / 4);
}

static void a_host_thread_alone_needs_no_lease(void **state) {
    (void)state;
    for (int i = 0; i < 1000; i++)
        region(&first, MS);
    assert_false(are_several() || bz_hosts_alternate() || bz_leases_are_on());
    assert_int_equal(first.lease.ended, 0);
}

static void several_host_threads_are_expected_for_a_while(void **state) {
    (void)state;
    region(&first, MS);
    region(&second, MS);
    assert_true(are_several() && bz_hosts_alternate());
    machine.now += 16 * PHASE_NS;
    assert_false(bz_hosts_alternate());
    region(&second, MS);
    assert_false(are_several());
}

static void questions_show_that_there_are_several(void **state) {
    (void)state;
    for (int i = 0; i < 3; i++)
        bz_lease_ask_one_of_several(&first.lease, TEAM);
    assert_false(are_several());
    bz_lease_ask_one_of_several(&second.lease, TEAM);
    assert_true(are_several());
}

static void a_lease_that_no_region_uses_is_taken(void **state) {
    (void)state;
    until_leases();
    assert_false(bz_hosts_alternate()); /* threads may move */
    alternate(MS / 4, PHASE_NS / 2);
    assert_true(bz_leases_are_on());
    assert_int_equal(machine.sleeps, 0);
}

static int first_ends_late(void) {
    machine.now += LEASE_NS;
    end(&first);
    return 0;
}

static void a_lease_is_passed_on_when_its_time_is_over(void **state) {
    (void)state;
    until_leases();
    begin(&first);
    machine.others = first_ends_late;
    begin(&second);
    assert_int_equal(machine.sleeps, 1);
    assert_int_equal(machine.wakes, 2); /* the second one, and who might wait behind it */
    assert_non_null(second.lease.slot);
}

static int first_ends_early(void) {
    end(&first);
    begin(&first); /* with its lease */
    machine.others = first_ends_late;
    return ETIMEDOUT;
}

static void its_holder_keeps_a_lease_for_several_regions(void **state) {
    (void)state;
    until_leases();
    begin(&first);
    machine.others = first_ends_early;
    begin(&second);
    assert_int_equal(machine.sleeps, 2);
    assert_int_equal(machine.wakes, 2);
}

static void a_lease_that_nobody_waits_for_stays_with_its_holder(void **state) {
    (void)state;
    until_leases();
    region(&first, LEASE_NS + 1);
    begin(&first);
    assert_int_equal(machine.sleeps, 0);
    bz_lease_drop(&first.lease); /* as if its thread had ended */
    begin(&second);
    assert_int_equal(machine.sleeps, 0);
    assert_int_equal(machine.wakes, 0);
}

/* Or the two would wait for each other. */
static void a_lease_is_taken_away_in_the_end(void **state) {
    (void)state;
    until_leases_with(8 * MS);
    begin(&first);
    uint64_t before = machine.now;
    begin(&second);
    assert_true(machine.sleeps > 1);
    assert_in_range(machine.now - before, PHASE_NS, PHASE_NS + LEASE_NS + MS);
}

static void who_has_asked_does_not_wait_at_its_region(void **state) {
    (void)state;
    until_leases_with(8 * MS);
    bz_lease_ask_one_of_several(&first.lease, TEAM); /* has the lease */
    begin(&second);
    assert_true(machine.sleeps > 0); /* took it away */
    machine.sleeps = 0;
    begin(&first);
    assert_int_equal(machine.sleeps, 0);
    end(&first);
    begin(&first);
    assert_true(machine.sleeps > 0);
}

static int second_comes_to_its_end(void) {
    region(&second, 0);
    machine.others = NULL;
    return 0;
}

/* The second one asks without a lease, and spins. */
static void until_leases_beside_a_spinning_one(void) {
    alternate(MS / 4, MS);
    bz_lease_ask_one_of_several(&first.lease, TEAM);
    region(&first, MS);
    bz_lease_ask_one_of_several(&second.lease, TEAM);
    while (!bz_leases_are_on())
        region(&first, MS / 4);
    assert_int_equal(machine.sleeps, 0);
}

static void leases_wait_for_who_has_asked_before(void **state) {
    (void)state;
    until_leases_beside_a_spinning_one();
    machine.others = second_comes_to_its_end;
    bz_lease_ask_one_of_several(&first.lease, TEAM);
    assert_int_equal(machine.sleeps, 1);
    assert_non_null(first.lease.slot);
    assert_null(second.lease.slot);
}

static void leases_wait_for_some_time_only(void **state) {
    (void)state;
    until_leases_beside_a_spinning_one();
    uint64_t before = machine.now;
    bz_lease_ask_one_of_several(&first.lease, TEAM);
    assert_non_null(first.lease.slot);
    assert_in_range(machine.now - before, 4 * MS, 9 * MS); /* eight times the last one's */
}

/* What it did beside the second one says nothing about leases. */
static void regions_count_from_the_last_such_end_on(void **state) {
    (void)state;
    until_leases_beside_a_spinning_one();
    for (int i = 0; i < 5; i++)
        region(&first, MS / 4);
    region(&second, 0);
    region(&first, MS / 4);
    assert_int_equal(first.lease.ended, 1);
    assert_true(bz_leases_are_on());
}

static void a_further_question_takes_the_first_one_back(void **state) {
    (void)state;
    until_leases_beside_a_spinning_one();
    bz_lease_ask_one_of_several(&second.lease, TEAM);
    bz_lease_ask_one_of_several(&first.lease, TEAM);
    assert_int_equal(machine.sleeps, 0);
    assert_non_null(first.lease.slot);
    machine.now += LEASE_NS;
    bz_lease_ask_one_of_several(&first.lease, TEAM); /* its lease is over, and it has opened no region */
    begin(&second);
    end(&second);
    begin(&second);
    assert_int_equal(machine.sleeps, 0);
    assert_non_null(second.lease.slot);
}

static void questions_alone_begin_no_phase(void **state) {
    (void)state;
    for (int i = 0; i < 1000; i++, machine.now += MS)
        bz_lease_ask_one_of_several(i % 2 ? &first.lease : &second.lease, TEAM);
    assert_false(bz_leases_are_on());
    assert_int_equal(machine.sleeps, 0);
}

/* It may have the lock for which the second one spins. */
static void who_has_not_asked_goes_on_meanwhile(void **state) {
    (void)state;
    until_leases_beside_a_spinning_one();
    region(&first, MS / 4);
    assert_int_equal(machine.sleeps, 0);
    assert_null(first.lease.slot);
}

/* Host threads that stay away do not delay later phases. */
static void who_stays_away_is_given_up(void **state) {
    (void)state;
    until_leases_beside_a_spinning_one();
    for (int change = 0; change < 2; change++)
        for (bool on = bz_leases_are_on(); bz_leases_are_on() == on; region(&third, MS / 4))
            region(&first, MS / 4);
    assert_true(bz_leases_are_on());
    machine.sleeps = 0;
    bz_lease_ask_one_of_several(&first.lease, TEAM);
    assert_int_equal(machine.sleeps, 0);
}

static bool were_on;

static int all_is_forgotten(void) {
    were_on = bz_leases_are_on();
    bz_leases_forget();
    machine.others = NULL;
    return 0;
}

static int third_comes_later(void) {
    machine.now += MS;
    machine.others = all_is_forgotten;
    begin(&third);
    return 0;
}

/* Else its vote would say nothing about leases. */
static void a_phase_with_leases_waits_for_who_had_none(void **state) {
    (void)state;
    while (!bz_leases_are_on()) { /* the first one sees it */
        region(&second, MS / 4);
        region(&first, 0);
    }
    for (uint64_t end = machine.now + PHASE_NS - MS; machine.now < end;)
        region(&first, MS / 4);
    begin(&first);
    machine.others = third_comes_later;
    were_on = false;
    begin(&second);
    assert_true(were_on);
}

static int first_ends_its_region(void) {
    end(&first);
    machine.others = NULL;
    return 0;
}

/* Its region takes 100 times as long as without leases. */
static int first_goes_on(void) {
    return machine.sleeps < 100 && bz_leases_are_on() ? ETIMEDOUT : first_ends_its_region();
}

static void leases_end_soon_if_they_are_much_slower(void **state) {
    (void)state;
    until_leases();
    uint64_t began = machine.now;
    begin(&first);
    machine.others = first_goes_on;
    begin(&second);
    assert_false(bz_leases_are_on());
    assert_in_range(machine.now - began, PHASE_NS / 4, PHASE_NS / 2);
}

/* A pause of the program does not count. */
static void leases_stay_after_a_pause(void **state) {
    (void)state;
    until_leases();
    alternate(MS / 4, MS);
    machine.now += PHASE_NS / 2;
    begin(&first);
    machine.others = first_ends_late;
    begin(&second);
    end(&second);
    assert_true(bz_leases_are_on());
}

static void there_are_leases_for_all_cpus(void **state) {
    (void)state;
    bz_set_cpus(2 * TEAM);
    until_leases();
    begin(&first);
    begin(&second);
    assert_int_equal(machine.sleeps, 0);
}

/* Their regions take as long as the phase says, until `time` has passed. */
static void live(uint64_t with_leases, uint64_t without, uint64_t time) {
    for (uint64_t until = machine.now + time; machine.now < until;) {
        region(&first, bz_leases_are_on() ? with_leases : without);
        region(&second, bz_leases_are_on() ? with_leases : without);
    }
}

static void leases_stay_if_both_are_faster(void **state) {
    (void)state;
    live(MS / 8, MS / 4, FIRST_NS + 3 * PHASE_NS);
    assert_true(bz_leases_are_on());
    live(MS / 8, MS / 4, 7 * PHASE_NS);
    assert_true(bz_leases_are_on());
}

static void leases_go_if_they_gain_little(void **state) {
    (void)state;
    live(MS / 4 * 9 / 10, MS / 4, FIRST_NS + 3 * PHASE_NS);
    assert_false(bz_leases_are_on());
    live(MS / 4 * 9 / 10, MS / 4, 100 * PHASE_NS);
    assert_false(bz_leases_are_on());
}

/* The first one is four times as slow, the second three times as fast. */
static void leases_go_if_one_is_much_slower(void **state) {
    (void)state;
    for (uint64_t until = machine.now + FIRST_NS + 4 * PHASE_NS; machine.now < until;) {
        bool on = bz_leases_are_on();
        region(&first, MS / 8);
        if (on)
            machine.now += MS / 8;
        for (int i = 0; i < (on ? 12 : 1); i++)
            region(&second, MS / 32);
    }
    assert_false(bz_leases_are_on());
}

static void few_regions_prolong_a_phase(void **state) {
    (void)state;
    until_leases();
    alternate(2 * MS, PHASE_NS + 4 * MS);
    assert_true(bz_leases_are_on());
    alternate(2 * MS, 4 * PHASE_NS);
    assert_false(bz_leases_are_on());
}

static void a_child_starts_anew(void **state) {
    (void)state;
    until_leases();
    begin(&first);
    bz_leases_forget();
    assert_false(bz_leases_are_on() || are_several());
    end(&first);
    until_leases();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_host_thread_alone_needs_no_lease, start),
        cmocka_unit_test_setup(several_host_threads_are_expected_for_a_while, start),
        cmocka_unit_test_setup(questions_show_that_there_are_several, start),
        cmocka_unit_test_setup(a_lease_that_no_region_uses_is_taken, start),
        cmocka_unit_test_setup(a_lease_is_passed_on_when_its_time_is_over, start),
        cmocka_unit_test_setup(its_holder_keeps_a_lease_for_several_regions, start),
        cmocka_unit_test_setup(a_lease_that_nobody_waits_for_stays_with_its_holder, start),
        cmocka_unit_test_setup(a_lease_is_taken_away_in_the_end, start),
        cmocka_unit_test_setup(who_has_asked_does_not_wait_at_its_region, start),
        cmocka_unit_test_setup(leases_wait_for_who_has_asked_before, start),
        cmocka_unit_test_setup(leases_wait_for_some_time_only, start),
        cmocka_unit_test_setup(regions_count_from_the_last_such_end_on, start),
        cmocka_unit_test_setup(a_further_question_takes_the_first_one_back, start),
        cmocka_unit_test_setup(questions_alone_begin_no_phase, start),
        cmocka_unit_test_setup(who_has_not_asked_goes_on_meanwhile, start),
        cmocka_unit_test_setup(who_stays_away_is_given_up, start),
        cmocka_unit_test_setup(a_phase_with_leases_waits_for_who_had_none, start),
        cmocka_unit_test_setup(leases_end_soon_if_they_are_much_slower, start),
        cmocka_unit_test_setup(leases_stay_after_a_pause, start),
        cmocka_unit_test_setup(there_are_leases_for_all_cpus, start),
        cmocka_unit_test_setup(leases_stay_if_both_are_faster, start),
        cmocka_unit_test_setup(leases_go_if_they_gain_little, start),
        cmocka_unit_test_setup(leases_go_if_one_is_much_slower, start),
        cmocka_unit_test_setup(few_regions_prolong_a_phase, start),
        cmocka_unit_test_setup(a_child_starts_anew, start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
