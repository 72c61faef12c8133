/* test_competitor.c: competitor.h: the time of a yield reveals another program on this CPU; our own threads are not
 * taken for one; the cheaper of yields and parks wins. The test plays the clock, the CPU and the threads that run
 * during a yield. */
#include "wait/competitor.h"

#include "../asserts.h"
#include "env/options.h"
#include "os/os.h"
#include "wait/load.h"
#include "wait/spin.h"

#define LONG_SLICE_NS (3 * (uint64_t)BZ_SLICE_NS)
#define SHORT_NS (8 * (uint64_t)BZ_SLICE_NS)
#define LONG_NS (4 * SHORT_NS)
#define PARKS_NS (16 * LONG_NS)
enum { WAITS = 16, SLICES = 6, FIRST_SLICES = 2, MANY_WAKES = PARKS_NS / 4 / BZ_WAKE_NS };

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

static void a_thread_runs_for_less_than_a_wake(void) {
    machine.now += BZ_WAKE_NS - 1;
}

static void a_copy_of_this_program_runs(void) {
    machine.now += BZ_WAKE_NS;
}

static void just_a_slice(void) {
    machine.now += BZ_SLICE_NS;
}

static void another_program_runs(void) {
    machine.now += LONG_SLICE_NS;
}

static void one_of_ours_runs(void) {
    machine.now += LONG_SLICE_NS;
    (void)bz_competitor_yield(false);
}

static void one_of_ours_runs_and_parks(void) {
    machine.now += LONG_SLICE_NS;
    bz_competitor_leave();
}

static void one_of_ours_runs_before_the_other_program(void) {
    machine.now += LONG_SLICE_NS;
    machine.others = another_program_runs;
    (void)bz_competitor_yield(false);
}

static void another_cpu_takes_us(void) {
    machine.now += LONG_SLICE_NS;
    machine.cpu++;
}

static void yield_to(void (*run)(void)) {
    machine.others = run;
    (void)bz_competitor_yield(false);
}

/* Waits for other members. */
static void wait_times(unsigned times, uint64_t ns) {
    for (unsigned i = 0; i < times; i++) {
        machine.now += ns;
        bz_competitor_waited();
    }
}

static void see(unsigned slices) {
    for (unsigned i = 0; i < slices; i++)
        yield_to(another_program_runs);
}

/* Enough waits for a mean, in that time. */
static void wait_for(uint64_t ns) {
    wait_times(WAITS, ns / WAITS);
}

/* Another program computes here. A wait with yields costs 2 ms. */
static void try_parks(void) {
    see(SLICES);
    wait_for(LONG_NS - SLICES * LONG_SLICE_NS);
    assert_true(bz_competitor_wants_parks());
}

/* For that time, with parks that cost a quarter of that. */
static void park_for(uint64_t ns) {
    wait_times((unsigned)(2 * ns / BZ_SLICE_NS), BZ_SLICE_NS / 2);
}

/* The other program is still here, and each wait with yields costs more than 1 ms. */
static void compare_with_yields(void) {
    assert_false(bz_competitor_wants_parks());
    see(SLICES);
    assert_false(bz_competitor_wants_parks());
    wait_for(WAITS);
}

static void let_parks_win(void) {
    try_parks();
    park_for(LONG_NS);
    compare_with_yields();
    assert_true(bz_competitor_wants_parks());
}

/* ---- tests ---- */

/* What an earlier test saw is long ago. */
static int set_up(void **state) {
    (void)state;
    machine.now += 1000 * PARKS_NS;
    bz_competitor_forget();
    return 0;
}

static void short_yields_say_nothing(void **state) {
    (void)state;
    yield_to(NULL);
    for (unsigned i = 0; i < 2 * BZ_SLICE_NS / BZ_WAKE_NS; i++)
        yield_to(a_thread_runs_for_less_than_a_wake);
    assert_false(bz_competitor_is_known());
}

/* A copy runs for a wake, after that time. */
static void share_for(uint64_t ns, uint64_t between) {
    for (uint64_t end = machine.now + ns; machine.now < end; machine.now += between)
        yield_to(a_copy_of_this_program_runs);
}

static void longer_ones_count_together(void **state) {
    (void)state;
    share_for(BZ_SLICE_NS - BZ_WAKE_NS, 0);
    assert_false(bz_competitor_is_known());
    share_for(BZ_SLICE_NS / 4, 0);
    assert_true(bz_competitor_is_known());
    share_for(LONG_NS, BZ_WAKE_NS);
    wait_for(WAITS);
    assert_true(bz_competitor_wants_parks());
}

static void not_if_they_are_rare(void **state) {
    (void)state;
    share_for(100 * BZ_SLICE_NS, 8 * BZ_WAKE_NS);
    assert_false(bz_competitor_is_known());
}

static void it_was_seen_where_it_ran(void **state) {
    (void)state;
    assert_false(bz_competitor_seen_at(machine.cpu + 1));
    yield_to(a_copy_of_this_program_runs);
    assert_true(bz_competitor_seen_at(machine.cpu));
    assert_false(bz_competitor_seen_at(machine.cpu + 1));
    machine.now += 2 * PARKS_NS;
    assert_false(bz_competitor_seen_at(machine.cpu));
}

static void without_more_slices_it_has_gone(void **state) {
    (void)state;
    see(1);
    assert_true(bz_competitor_is_known());
    wait_for(LONG_NS);
    assert_false(bz_competitor_is_known());
    assert_false(bz_competitor_wants_parks());
}

static void yields_are_tried_for_enough_time_slices_and_waits(void **state) {
    (void)state;
    for (unsigned i = 0; i < FIRST_SLICES; i++)
        yield_to(just_a_slice);
    wait_for(SHORT_NS / 2);
    assert_false(bz_competitor_wants_parks());
    wait_for(SHORT_NS / 2);
    assert_true(bz_competitor_wants_parks());
    bz_competitor_forget();
    see(FIRST_SLICES - 1);
    wait_for(SHORT_NS);
    assert_false(bz_competitor_wants_parks());
    see(1);
    wait_times(1, 1);
    assert_true(bz_competitor_wants_parks());
    bz_competitor_forget();
    see(SLICES);
    wait_times(WAITS - 1, 1);
    assert_false(bz_competitor_wants_parks());
    wait_times(1, 1);
    assert_true(bz_competitor_wants_parks());
}

/* Those after a trial of parks decide for longer. */
static void later_yields_are_tried_for_more_time_slices(void **state) {
    (void)state;
    try_parks();
    park_for(LONG_NS);
    see(SLICES - 1);
    wait_for(WAITS);
    assert_false(bz_competitor_wants_parks());
    see(1);
    wait_times(1, 1);
    assert_true(bz_competitor_wants_parks());
}

/* It computes alone for a part of a phase of parks that have won. */
static void few_waits_of_a_long_phase_say_nothing_of_parks(void **state) {
    (void)state;
    let_parks_win();
    wait_for(PARKS_NS);
    assert_false(bz_competitor_wants_parks());
    see(1);
    assert_true(bz_competitor_wants_parks());
}

static void after_some_time_few_slices_and_waits_are_enough(void **state) {
    (void)state;
    try_parks();
    park_for(LONG_NS);
    see(3);
    wait_times(2, LONG_NS / 2 - LONG_SLICE_NS);
    assert_false(bz_competitor_wants_parks());
    wait_times(1, SHORT_NS);
    assert_true(bz_competitor_wants_parks());
}

/* These slices cost less than parks in place of that many short waits. */
static void short_waits_try_no_parks(void **state) {
    (void)state;
    see(SLICES);
    wait_times(LONG_SLICE_NS * SLICES / BZ_WAKE_NS + WAITS, 1);
    assert_true(bz_competitor_is_known());
    assert_false(bz_competitor_wants_parks());
}

static void parks_that_cost_less_go_on(void **state) {
    (void)state;
    let_parks_win();
    park_for(PARKS_NS - 3 * LONG_SLICE_NS);
    assert_true(bz_competitor_wants_parks());
    park_for(3 * LONG_SLICE_NS);
    assert_false(bz_competitor_wants_parks());
    assert_true(bz_competitor_is_known());
}

static void parks_go_on_for_so_many_wakes(void **state) {
    (void)state;
    let_parks_win();
    wait_times(MANY_WAKES - 2 * WAITS, 1);
    assert_true(bz_competitor_wants_parks());
    wait_times(2 * WAITS, 1);
    assert_false(bz_competitor_wants_parks());
    assert_true(bz_competitor_is_known());
}

static void parks_that_cost_more_end(void **state) {
    (void)state;
    try_parks();
    wait_for(LONG_NS * 3 / 2);
    assert_false(bz_competitor_wants_parks());
    assert_true(bz_competitor_is_known());
    see(2); /* the parks need no second trial so soon */
    wait_for(LONG_NS);
    assert_false(bz_competitor_wants_parks());
    machine.now += PARKS_NS;
    wait_times(1, 1); /* after a time without waits yields are tried once more */
    see(SLICES);
    wait_for(LONG_NS);
    assert_true(bz_competitor_wants_parks());
}

/* Each time but the last the first slice shows that the other program is still here. */
static void parks_that_have_won_are_seldom_compared(void **state) {
    (void)state;
    let_parks_win();
    for (unsigned i = 0; i < 3 * BZ_RETRY_TIMES; i++) {
        park_for(PARKS_NS - 3 * LONG_SLICE_NS);
        assert_true(bz_competitor_wants_parks());
        park_for(3 * LONG_SLICE_NS);
        assert_false(bz_competitor_wants_parks());
        if (i % BZ_RETRY_TIMES == BZ_RETRY_TIMES - 1)
            compare_with_yields();
        else
            see(1);
        assert_true(bz_competitor_wants_parks());
    }
}

static void parks_that_lose_when_compared_end(void **state) {
    (void)state;
    let_parks_win();
    for (unsigned i = 1; i < BZ_RETRY_TIMES; i++) {
        park_for(PARKS_NS);
        see(1);
    }
    park_for(PARKS_NS);
    see(2);
    wait_times(1000, LONG_NS / 1000);
    assert_false(bz_competitor_wants_parks());
    see(2);
    assert_false(bz_competitor_wants_parks());
}

/* What it did is remembered for some time. */
static void what_is_gone_may_come_back(void **state) {
    (void)state;
    let_parks_win();
    park_for(PARKS_NS);
    wait_for(LONG_NS / 2);
    assert_false(bz_competitor_is_known());
    see(1);
    assert_true(bz_competitor_wants_parks());
    park_for(PARKS_NS);
    wait_for(LONG_NS / 2);
    assert_false(bz_competitor_is_known());
    machine.now += PARKS_NS;
    see(1);
    assert_false(bz_competitor_wants_parks());
}

/* What is waited for later says nothing of parks. */
static void parks_without_waits_end(void **state) {
    (void)state;
    try_parks();
    machine.now += LONG_NS;
    assert_true(bz_competitor_wants_parks());
    machine.now += 2 * LONG_NS;
    assert_false(bz_competitor_wants_parks());
    wait_times(WAITS, 1);
    see(SLICES);
    wait_for(LONG_NS);
    assert_true(bz_competitor_wants_parks());
    wait_for(LONG_NS * 3 / 2);
    assert_false(bz_competitor_wants_parks());
}

/* The long waits may have been threads of ours. */
static void many_slices_need_no_more_waits(void **state) {
    (void)state;
    wait_times(WAITS - 2, 1);
    see(1 + LONG_NS / LONG_SLICE_NS);
    assert_true(bz_competitor_wants_parks());
    park_for(LONG_NS);
    wait_times(100, LONG_NS / 200);
    assert_false(bz_competitor_is_known());
}

/* Each time for a trial. */
static void without_waits_many_slices_are_enough(void **state) {
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        see(LONG_NS / LONG_SLICE_NS);
        assert_false(bz_competitor_wants_parks());
        see(1);
        assert_true(bz_competitor_wants_parks());
        machine.now += 3 * LONG_NS;
        assert_false(bz_competitor_wants_parks());
    }
}

static void while_a_phase_ends_another_thread_ends_none(void **state) {
    (void)state;
    let_parks_win();
    machine.now += PARKS_NS;
    bz_store_relaxed(&bz_competitor.until, UINT64_MAX);
    wait_for(WAITS);
    see(2 * LONG_NS / LONG_SLICE_NS);
    assert_true(bz_load_relaxed(&bz_competitor.until) == UINT64_MAX);
}

/* Two members yield at once; the one that returns last was away for the time of both. */
static void threads_of_ours_are_no_competitors(void **state) {
    (void)state;
    yield_to(one_of_ours_runs);
    assert_false(bz_competitor_is_known());
    yield_to(one_of_ours_runs_and_parks);
    assert_false(bz_competitor_is_known());
    yield_to(one_of_ours_runs_before_the_other_program);
    assert_true(bz_competitor_is_known());
}

static void a_member_that_may_be_here_is_no_competitor(void **state) {
    (void)state;
    machine.others = another_program_runs;
    (void)bz_competitor_yield(true);
    assert_false(bz_competitor_is_known());
    see(1);
    machine.others = another_program_runs; /* once one is known, it is likely */
    (void)bz_competitor_yield(true);
    see(SLICES - 2);
    wait_for(LONG_NS);
    assert_true(bz_competitor_wants_parks());
}

/* Two threads are awake on one CPU: the other one works, or it also yields. */
static void one_of_ours_that_is_interrupted_is_no_competitor(void **state) {
    (void)state;
    bz_set_cpus(1);
    bz_awake_add(2);
    yield_to(another_program_runs);
    assert_false(bz_competitor_is_known());
    yield_to(one_of_ours_runs_before_the_other_program);
    assert_true(bz_competitor_is_known());
    bz_awake_add(-2);
    bz_set_cpus(0);
}

static void the_child_is_forked(void) {
    bz_competitor_forget();
    yield_to(another_program_runs);
}

/* Threads that yielded in the parent do not exist in the child. */
static void the_child_of_a_fork_has_no_yielding_thread(void **state) {
    (void)state;
    bz_set_cpus(1);
    bz_awake_add(2);
    machine.others = the_child_is_forked;
    bz_os_yield();
    assert_false(bz_competitor_is_known());
    yield_to(the_child_is_forked);
    assert_false(bz_competitor_is_known());
    bz_awake_add(-2);
    bz_set_cpus(0);
}

static void a_thread_that_returns_elsewhere_does_not_know(void **state) {
    (void)state;
    yield_to(another_cpu_takes_us);
    assert_false(bz_competitor_is_known());
    machine.cpu--;
}

static void with_a_chosen_spin_there_is_none(void **state) {
    (void)state;
    bz_set_spin_ns(1000);
    yield_to(another_program_runs);
    assert_false(bz_competitor_is_known());
    bz_set_spin_ns(BZ_SPIN_AUTO);
}

/* At a yield in a crowd; at once in a wait that adapts, but for a turn. */
static void a_waiter_parks_next_to_a_competitor(void **state) {
    (void)state;
    bz_set_cpus(1);
    bz_awake_add(2);
    struct bz_spin spin = {.facts.chosen_ns = BZ_SPIN_INFINITE};
    assert_true(bz_spin_on(&spin));
    bz_awake_add(-2);
    try_parks();
    bz_awake_add(2);
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
    bz_competitor_forget();
    assert_true(bz_spin_on(&spin));
    bz_awake_add(-1);
    bz_set_cpus(0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(short_yields_say_nothing, set_up),
        cmocka_unit_test_setup(longer_ones_count_together, set_up),
        cmocka_unit_test_setup(not_if_they_are_rare, set_up),
        cmocka_unit_test_setup(it_was_seen_where_it_ran, set_up),
        cmocka_unit_test_setup(without_more_slices_it_has_gone, set_up),
        cmocka_unit_test_setup(yields_are_tried_for_enough_time_slices_and_waits, set_up),
        cmocka_unit_test_setup(later_yields_are_tried_for_more_time_slices, set_up),
        cmocka_unit_test_setup(few_waits_of_a_long_phase_say_nothing_of_parks, set_up),
        cmocka_unit_test_setup(after_some_time_few_slices_and_waits_are_enough, set_up),
        cmocka_unit_test_setup(short_waits_try_no_parks, set_up),
        cmocka_unit_test_setup(parks_that_cost_less_go_on, set_up),
        cmocka_unit_test_setup(parks_go_on_for_so_many_wakes, set_up),
        cmocka_unit_test_setup(parks_that_cost_more_end, set_up),
        cmocka_unit_test_setup(parks_that_have_won_are_seldom_compared, set_up),
        cmocka_unit_test_setup(parks_that_lose_when_compared_end, set_up),
        cmocka_unit_test_setup(what_is_gone_may_come_back, set_up),
        cmocka_unit_test_setup(parks_without_waits_end, set_up),
        cmocka_unit_test_setup(many_slices_need_no_more_waits, set_up),
        cmocka_unit_test_setup(without_waits_many_slices_are_enough, set_up),
        cmocka_unit_test_setup(while_a_phase_ends_another_thread_ends_none, set_up),
        cmocka_unit_test_setup(threads_of_ours_are_no_competitors, set_up),
        cmocka_unit_test_setup(a_member_that_may_be_here_is_no_competitor, set_up),
        cmocka_unit_test_setup(one_of_ours_that_is_interrupted_is_no_competitor, set_up),
        cmocka_unit_test_setup(the_child_of_a_fork_has_no_yielding_thread, set_up),
        cmocka_unit_test_setup(a_thread_that_returns_elsewhere_does_not_know, set_up),
        cmocka_unit_test_setup(with_a_chosen_spin_there_is_none, set_up),
        cmocka_unit_test_setup(a_waiter_parks_next_to_a_competitor, set_up),
    };
    return cmocka_run_group_tests_name("competitor", tests, NULL, NULL);
}
