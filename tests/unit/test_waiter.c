/* test_waiter.c: waiter.h: when a waiter spins, when and for how long it parks, and what it learns. The test plays the
 * system: the clock, and events while the waiter sleeps. */
#include "wait/waiter.h"

#include <errno.h>

#include "../asserts.h"
#include "env/options.h"
#include "os/os.h"
#include "wait/load.h"

/* Linked with --wrap for all of these. */
int __wrap_bz_os_futex_wait_until(uint32_t *word, uint32_t expected, uint64_t deadline_ns, uint32_t bits);
uint64_t __wrap_bz_os_now_ns(void);
void __wrap_bz_os_yield(void);

static struct {
    uint32_t word;         /* 0: it has not come */
    uint64_t clock, comes; /* when it comes; UINT64_MAX: only a sleep without a deadline is woken for it */
    uint64_t late;         /* how late timed parks end */
    unsigned polls, sleeps, timed, yields, counted, counts;
    bool crowd; /* threads outnumber the CPUs from the first poll on */
} world;

static void update_word(void) {
    if (world.clock >= world.comes)
        world.word = 1;
}

uint64_t __wrap_bz_os_now_ns(void) {
    world.clock += 100;
    update_word();
    return world.clock;
}

void __wrap_bz_os_yield(void) {
    world.yields++;
    world.clock += 500;
}

static int sleep_until(uint32_t *word, uint32_t expected, uint64_t deadline_ns) {
    assert_ptr_equal(word, &world.word);
    assert_int_equal(expected, 0);
    world.timed++;
    world.clock = deadline_ns + world.late < world.comes ? deadline_ns + world.late : world.comes;
    update_word();
    return world.clock >= deadline_ns + world.late ? ETIMEDOUT : 0;
}

static void sleep_for_good(uint32_t *word, uint32_t expected) {
    assert_ptr_equal(word, &world.word);
    assert_int_equal(expected, 0);
    assert_int_equal(world.counted, 1);
    if (++world.sleeps == 1)
        return; /* spurious */
    world.clock = world.comes == UINT64_MAX ? world.clock : world.comes;
    world.word = 1;
}

enum { BITS = 5 };

/* With a deadline or without, only its own wakes are for it. */
int __wrap_bz_os_futex_wait_until(uint32_t *word, uint32_t expected, uint64_t deadline_ns, uint32_t bits) {
    assert_int_equal(bits, BITS);
    if (deadline_ns != 0)
        return sleep_until(word, expected, deadline_ns);
    sleep_for_good(word, expected);
    return 0;
}

static bool has_come(void *arg) {
    assert_ptr_equal(arg, &world);
    world.polls++;
    if (world.crowd && world.polls == 1)
        bz_awake_add(100000);
    return world.word != 0;
}

static bool parks(void *arg, uint32_t *value) {
    assert_ptr_equal(arg, &world);
    *value = 0;
    return world.word == 0;
}

static void count(void *arg, bool in) {
    assert_ptr_equal(arg, &world);
    world.counted += in ? 1 : -1u;
    world.counts++;
}

static const struct bz_waiter waiter = {
    .done = has_come, .parks = parks, .count = count, .word = &world.word, .bits = BITS, .arg = &world};

static int set_up(void **state) {
    (void)state;
    bz_awake_reset(0);
    bz_set_cpus(4);
    world = (typeof(world)){.clock = 1000000000, .comes = UINT64_MAX};
    return 0;
}

/* ---- spinning ---- */

static void a_set_word_needs_one_poll(void **state) {
    (void)state;
    struct bz_spin spin = {.facts.chosen_ns = 1000};
    world.word = 1;
    assert_true(bz_waiter_spin(&waiter, &spin));
    assert_int_equal(world.polls, 1);
    assert_int_equal(spin.rounds + world.counts, 0);
}

static void a_spin_ends_with_its_time(void **state) {
    (void)state;
    struct bz_spin spin = {.facts.chosen_ns = 100000};
    uint64_t began = world.clock;
    assert_false(bz_waiter_spin(&waiter, &spin));
    assert_in_range(world.clock - began, 100000, 110000);
    assert_true(world.yields > 0);
}

static void in_a_crowd_the_other_limit_counts(void **state) {
    (void)state;
    struct bz_spin spin = {
        .facts = {.chosen_ns = BZ_SPIN_AUTO, .predicts = true, .predicted = {0, 1000000000}}};
    uint64_t began = world.clock, usual = bz_usual_spin();
    world.crowd = true;
    assert_false(bz_waiter_spin(&waiter, &spin));
    assert_in_range(world.clock - began, usual, usual + 10000);
    assert_int_equal(world.yields, world.polls); /* at each poll */
}

/* ---- parking ---- */

static void the_first_sleeps_measure_a_wake(void **state) {
    (void)state;
    world.late = BZ_WAKE_NS / 4;
    assert_true(bz_waiter_park(&waiter, 0));
    assert_in_range(bz_usual_spin(), BZ_WAKE_NS, BZ_WAKE_NS + 4000);
    assert_int_equal(world.timed, 4);
    assert_int_equal(world.sleeps, 2); /* and then it slept */
    assert_false(bz_wake_measure(&world.word, 0, BITS));
}

static void a_park_outlasts_wakes_for_no_reason(void **state) {
    (void)state;
    assert_true(bz_waiter_park(&waiter, 0));
    assert_int_equal(world.sleeps, 2);
    assert_int_equal(world.counts, 2);
    assert_int_equal(world.counted, 0);
    assert_true(bz_cpus_left()); /* it counts as awake as before */
}

static void what_has_come_is_not_slept_on(void **state) {
    (void)state;
    world.word = 1;
    assert_true(bz_waiter_park(&waiter, 0));
    assert_true(bz_waiter_park(&waiter, world.clock + 1000));
    assert_int_equal(world.sleeps + world.timed, 0);
    assert_int_equal(world.counts, 4);
}

static void a_timed_park_ends_with_its_time(void **state) {
    (void)state;
    uint64_t deadline = world.clock + 5000;
    assert_false(bz_waiter_park(&waiter, deadline));
    assert_int_equal(world.clock, deadline);
    world.comes = world.clock + 3000;
    assert_true(bz_waiter_park(&waiter, world.clock + 5000));
    assert_int_equal(world.timed, 2);
}

/* ---- predicted ---- */

static struct bz_history history;

/* The waits before took `ns`, and timed parks were in time. */
static struct bz_predicted after_waits_for(struct bz_wait_facts *facts, uint64_t ns) {
    history = (struct bz_history){0};
    bz_times_add(&history.waited, ns);
    bz_times_add(&history.late, 0);
    struct bz_predicted predicted = {.history = &history};
    bz_predicted_begin(&predicted, world.clock, facts);
    return predicted;
}

/* *spin: the wait's. */
static struct bz_predicted after_waits_of(uint64_t ns, struct bz_spin *spin) {
    *spin = (struct bz_spin){.facts = {.class = BZ_WAIT_CALL, .chosen_ns = BZ_SPIN_AUTO}, .dated = true};
    return after_waits_for(&spin->facts, ns);
}

static void a_predicted_wait_parks_and_then_spins(void **state) {
    (void)state;
    struct bz_spin spin;
    struct bz_predicted predicted = after_waits_of(5000000, &spin);
    world.comes = world.clock + 5000000;
    world.late = 700;
    uint64_t began = world.clock, end = bz_predicted_deadline(&predicted, &spin.facts);
    assert_in_range(end - began, 4000000, 5000000);
    bz_waiter_wait(&waiter, &spin, &predicted);
    assert_int_equal(world.timed, 1);
    assert_int_equal(world.sleeps, 0);
    assert_in_range(predicted.late, 700, 900);
    assert_in_range(predicted.over - began, 4990000, 5010000); /* when it was seen */
    bz_predicted_learn(&predicted);
    assert_int_equal(history.waited.ns[1], predicted.over - began);
    assert_int_equal(history.late.ns[1], predicted.late);
}

static void what_comes_during_the_timed_park_says_nothing_of_lateness(void **state) {
    (void)state;
    struct bz_spin spin;
    struct bz_predicted predicted = after_waits_of(5000000, &spin);
    world.comes = world.clock + 1000000;
    bz_waiter_wait(&waiter, &spin, &predicted);
    assert_int_equal(world.timed, 1);
    assert_int_equal(world.polls, 0);
    uint32_t times = history.late.next;
    bz_predicted_learn(&predicted);
    assert_int_equal(history.late.next, times);
}

/* The event comes when the park should have ended, but has not: the park counts as that late, whether its time or a
 * wake ended it. */
static void what_comes_while_a_park_is_late_counts(void **state) {
    for (unsigned woken = 0; woken < 2; woken++) {
        set_up(state);
        struct bz_spin spin;
        struct bz_predicted predicted = after_waits_of(5000000, &spin);
        world.late = 300000 + woken;
        world.comes = bz_predicted_deadline(&predicted, &spin.facts) + 300000;
        bz_waiter_wait(&waiter, &spin, &predicted);
        assert_int_equal(world.timed, 1);
        assert_int_equal(world.sleeps, 0);
        assert_in_range(predicted.late, 300000, 300200);
    }
}

static void what_comes_too_late_is_slept_for(void **state) {
    (void)state;
    struct bz_spin spin;
    struct bz_predicted predicted = after_waits_of(5000000, &spin);
    struct bz_a64 hint = {world.clock + 50000000};
    world.comes = world.clock + 60000000;
    bz_waiter_wait(&waiter, &spin, &predicted);
    assert_int_equal(world.sleeps, 2);
    assert_true(predicted.over >= world.comes);
    bz_predicted_came(&predicted, &hint); /* the time to leave the sleep does not count */
    assert_int_equal(predicted.over, hint.v);
    hint.v = predicted.began - 1; /* of another wait */
    uint64_t over = predicted.over;
    bz_predicted_came(&predicted, &hint);
    assert_int_equal(predicted.over, over);
}

static void without_a_history_nothing_is_predicted(void **state) {
    (void)state;
    struct bz_predicted none = {0};
    struct bz_spin spin = {.facts.class = BZ_WAIT_START};
    bz_predicted_begin(&none, world.clock, &spin.facts);
    assert_int_equal(bz_predicted_deadline(&none, &spin.facts), 0);
    assert_false(spin.facts.predicts);
    bz_predicted_learn(&none);
}

/* Its threads share CPUs, even if they do not outnumber them now. */
static void a_large_team_spins_or_sleeps_at_once(void **state) {
    struct bz_wait_facts facts = {.sharing = 3};
    uint64_t most = 3 * bz_usual_spin();
    for (int crowd = 0; crowd < 2; crowd++) {
        set_up(state);
        facts.class = crowd ? BZ_WAIT_BARRIER : BZ_WAIT_START;
        bz_awake_add(crowd * 100000);
        (void)after_waits_for(&facts, most);
        assert_true(facts.predicts);
        assert_int_equal(facts.predicted.park_ns, 0);
        assert_int_equal(facts.predicted.spin_ns, most);
        (void)after_waits_for(&facts, most + 1);
        assert_true(facts.predicts);
        assert_int_equal(facts.predicted.spin_ns, 0);
    }
}

#define TEST(name) cmocka_unit_test_setup(name, set_up)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_set_word_needs_one_poll),
        TEST(a_spin_ends_with_its_time),
        TEST(in_a_crowd_the_other_limit_counts),
        TEST(the_first_sleeps_measure_a_wake),
        TEST(a_park_outlasts_wakes_for_no_reason),
        TEST(what_has_come_is_not_slept_on),
        TEST(a_timed_park_ends_with_its_time),
        TEST(a_predicted_wait_parks_and_then_spins),
        TEST(what_comes_during_the_timed_park_says_nothing_of_lateness),
        TEST(what_comes_while_a_park_is_late_counts),
        TEST(what_comes_too_late_is_slept_for),
        TEST(without_a_history_nothing_is_predicted),
        TEST(a_large_team_spins_or_sleeps_at_once),
    };
    return cmocka_run_group_tests_name("waiter", tests, NULL, NULL);
}
