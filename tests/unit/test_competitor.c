/* test_competitor.c: placement.h: the time of a yield reveals another program on this CPU; our own threads are not
 * taken for one. The test plays the clock, the CPU and the threads that run during a yield. */
#include "wait/placement.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "env/options.h"
#include "os/os.h"
#include "wait/load.h"
#include "wait/spin.h"

#define LONG_NS (3 * (uint64_t)BZ_SLICE_NS)
#define FIRST_NS (2 * LONG_NS)
#define MOST_NS (BZ_RETRY_TIMES * BZ_RETRY_TIMES * (uint64_t)BZ_SLICE_NS)

/* ---- the machine (linked with --wrap) ---- */

uint64_t __wrap_bz_os_now_ns(void);
unsigned __wrap_bz_os_cpu(void);
void __wrap_bz_os_yield(void);

static struct {
    uint64_t now;
    unsigned cpu, yields;
    void (*others)(void); /* run in the next yield */
} machine = {.now = 1};

uint64_t __wrap_bz_os_now_ns(void) {
    return machine.now;
}

unsigned __wrap_bz_os_cpu(void) {
    return machine.cpu;
}

void __wrap_bz_os_yield(void) {
    void (*run)(void) = machine.others;
    machine.others = NULL; /* they also yield */
    machine.yields++;
    if (run)
        run();
}

static void no_thread_runs_for_long(void) {
    machine.now += BZ_SLICE_NS - 1;
}

static void another_program_runs(void) {
    machine.now += LONG_NS;
}

static void another_program_gives_it_back(void) {
    machine.now += BZ_SWITCH_NS;
}

static void one_of_ours_runs(void) {
    machine.now += LONG_NS;
    (void)bz_competitor_yield();
}

static void one_of_ours_runs_before_the_other_program(void) {
    machine.now += LONG_NS;
    machine.others = another_program_runs;
    (void)bz_competitor_yield();
}

static void the_process_is_stopped(void) {
    machine.now += 100 * (uint64_t)MOST_NS;
}

static void another_cpu_takes_us(void) {
    machine.now += LONG_NS;
    machine.cpu++;
}

static void yield_to(void (*run)(void)) {
    machine.others = run;
    (void)bz_competitor_yield();
}

/* ---- tests ---- */

/* What an earlier test saw is long ago. One more slice takes another program for one that computes. */
static int set_up(void **state) {
    (void)state;
    machine.now += 1000 * (uint64_t)MOST_NS;
    yield_to(another_program_gives_it_back);
    yield_to(another_program_runs);
    yield_to(another_program_runs);
    return 0;
}

static void short_yields_say_nothing(void **state) {
    (void)state;
    yield_to(NULL);
    assert_false(bz_competitor_is_here());
    yield_to(no_thread_runs_for_long);
    assert_false(bz_competitor_is_here());
}

static void a_long_one_does_for_a_time(void **state) {
    (void)state;
    yield_to(another_program_runs);
    machine.now += FIRST_NS - 1;
    assert_true(bz_competitor_is_here());
    machine.now++;
    assert_false(bz_competitor_is_here());
}

/* Up to a limit. Each time it costs a time slice to see it. */
static void one_that_comes_again_is_expected_for_longer(void **state) {
    (void)state;
    uint64_t period = FIRST_NS;
    for (unsigned i = 0; i < 8; i++) {
        yield_to(another_program_runs);
        machine.now += period - 1;
        assert_true(bz_competitor_is_here());
        machine.now++;
        assert_false(bz_competitor_is_here());
        period = period < MOST_NS ? BZ_RETRY_TIMES * period : BZ_RETRY_TIMES * MOST_NS;
    }
    machine.now += period;
    yield_to(another_program_runs);
    machine.now += FIRST_NS;
    assert_false(bz_competitor_is_here());
}

static void one_that_gives_the_cpu_back_is_none(void **state) {
    (void)state;
    yield_to(another_program_gives_it_back);
    yield_to(another_program_runs);
    yield_to(another_program_runs);
    assert_false(bz_competitor_is_here());
    yield_to(another_program_runs);
    assert_true(bz_competitor_is_here());
    machine.now += FIRST_NS;
}

static void longer_than_any_turn_does_for_no_longer(void **state) {
    (void)state;
    yield_to(the_process_is_stopped);
    machine.now += BZ_RETRY_TIMES * (uint64_t)MOST_NS - 1;
    assert_true(bz_competitor_is_here());
    machine.now++;
    assert_false(bz_competitor_is_here());
}

static void another_cpu_has_its_own(void **state) {
    (void)state;
    yield_to(another_program_runs);
    machine.cpu++;
    assert_false(bz_competitor_is_here());
    machine.cpu--;
    assert_true(bz_competitor_is_here());
    machine.now += FIRST_NS;
}

/* Two members yield at once; the one that returns last was away for the time of both. */
static void threads_of_ours_are_no_competitors(void **state) {
    (void)state;
    yield_to(one_of_ours_runs);
    assert_false(bz_competitor_is_here());
    yield_to(one_of_ours_runs_before_the_other_program);
    machine.now += FIRST_NS - 1; /* as long as the other member ran, and no longer */
    assert_true(bz_competitor_is_here());
    machine.now++;
    assert_false(bz_competitor_is_here());
}

/* Two threads are awake on one CPU: the other one works, or it also yields. */
static void one_of_ours_that_is_interrupted_is_no_competitor(void **state) {
    (void)state;
    bz_set_cpus(1);
    bz_awake_add(2);
    yield_to(another_program_runs);
    assert_false(bz_competitor_is_here());
    yield_to(one_of_ours_runs_before_the_other_program);
    assert_true(bz_competitor_is_here());
    machine.now += FIRST_NS;
    assert_false(bz_competitor_is_here());
    bz_awake_add(-2);
    bz_set_cpus(0);
}

static void the_child_is_forked(void) {
    bz_competitors_forget();
    yield_to(another_program_runs);
}

/* Threads that yielded in the parent do not exist in the child. */
static void the_child_of_a_fork_has_no_yielding_thread(void **state) {
    (void)state;
    bz_set_cpus(1);
    bz_awake_add(2);
    machine.others = the_child_is_forked;
    bz_os_yield();
    assert_false(bz_competitor_is_here());
    yield_to(the_child_is_forked);
    assert_false(bz_competitor_is_here());
    bz_competitors_forget();
    bz_awake_add(-2);
    bz_set_cpus(0);
}

static void a_thread_that_returns_elsewhere_does_not_know(void **state) {
    (void)state;
    yield_to(another_cpu_takes_us);
    assert_false(bz_competitor_is_here());
    machine.cpu--;
    assert_false(bz_competitor_is_here());
}

static void with_a_chosen_spin_there_is_none(void **state) {
    (void)state;
    bz_set_spin_ns(1000);
    yield_to(another_program_runs);
    assert_false(bz_competitor_is_here());
    bz_set_spin_ns(BZ_SPIN_AUTO);
}

/* At a yield in a crowd; at once in a wait that adapts, but for a turn. */
static void a_waiter_parks_next_to_a_competitor(void **state) {
    (void)state;
    bz_set_cpus(1);
    bz_awake_add(2);
    struct bz_spin spin = {.facts.chosen_ns = BZ_SPIN_INFINITE};
    machine.others = one_of_ours_runs_before_the_other_program;
    assert_true(bz_spin_on(&spin));
    machine.yields = 0;
    assert_false(bz_spin_on(&spin));
    bz_awake_add(-1);
    struct bz_spin chosen = {.facts.chosen_ns = BZ_SPIN_INFINITE};
    struct bz_spin adapts = {.facts.chosen_ns = BZ_SPIN_AUTO};
    struct bz_spin turn = {.facts = {.class = BZ_WAIT_TURN, .chosen_ns = BZ_SPIN_AUTO}};
    assert_false(bz_spin_on(&adapts));
    for (unsigned i = 1; i < BZ_POLLS; i++)
        assert_true(bz_spin_on(&turn) && bz_spin_on(&chosen));
    assert_false(bz_spin_on(&turn));
    assert_int_equal(machine.yields, 0);
    assert_true(bz_spin_on(&chosen));
    machine.now += FIRST_NS;
    assert_true(bz_spin_on(&spin));
    bz_awake_add(-1);
    bz_set_cpus(0);
}

/* A burst on all CPUs is one competitor, which may leave. */
static void on_several_cpus_at_once_it_is_expected_no_longer(void **state) {
    (void)state;
    yield_to(another_program_runs);
    for (unsigned i = 0; i < 3; i++) {
        machine.cpu++;
        yield_to(another_program_runs);
        assert_true(bz_competitor_is_here());
    }
    machine.now += FIRST_NS;
    for (unsigned i = 0; i < 3; i++, machine.cpu--)
        assert_false(bz_competitor_is_here());
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(short_yields_say_nothing, set_up),
        cmocka_unit_test_setup(a_long_one_does_for_a_time, set_up),
        cmocka_unit_test_setup(one_that_comes_again_is_expected_for_longer, set_up),
        cmocka_unit_test_setup(one_that_gives_the_cpu_back_is_none, set_up),
        cmocka_unit_test_setup(longer_than_any_turn_does_for_no_longer, set_up),
        cmocka_unit_test_setup(another_cpu_has_its_own, set_up),
        cmocka_unit_test_setup(threads_of_ours_are_no_competitors, set_up),
        cmocka_unit_test_setup(one_of_ours_that_is_interrupted_is_no_competitor, set_up),
        cmocka_unit_test_setup(the_child_of_a_fork_has_no_yielding_thread, set_up),
        cmocka_unit_test_setup(a_thread_that_returns_elsewhere_does_not_know, set_up),
        cmocka_unit_test_setup(with_a_chosen_spin_there_is_none, set_up),
        cmocka_unit_test_setup(on_several_cpus_at_once_it_is_expected_no_longer, set_up),
        cmocka_unit_test_setup(a_waiter_parks_next_to_a_competitor, set_up),
    };
    return cmocka_run_group_tests_name("competitor", tests, NULL, NULL);
}
