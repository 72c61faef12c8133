/* test_turn.c: turn.h: a thread that waits for its turn, and when it spins, moves, yields or sleeps. The test plays the
 * system: the CPUs of threads, the time of a yield. */
#include "omp/loop/turn.h"

#include "crowd.h"

#define SIZE 3
#define LONG_NS (UINT64_C(1) << 40)
#define TURN_NS BZ_SLICE_NS

static unsigned here;      /* the CPU of the calling thread */
static unsigned elsewhere; /* the target of a move; UINT_MAX: it is refused */
static uint64_t clock_ns, yield_ns;
static unsigned yields, moves; /* so far */

unsigned __wrap_bz_os_cpu(void);
unsigned __wrap_bz_os_cpu(void) {
    return here;
}

uint64_t __wrap_bz_os_now_ns(void);
uint64_t __wrap_bz_os_now_ns(void) {
    return clock_ns += 100;
}

void __wrap_bz_os_yield(void);
void __wrap_bz_os_yield(void) {
    yields++;
    clock_ns += yield_ns;
}

bool __wrap_bz_os_move_off(const uint64_t *cpus);
bool __wrap_bz_os_move_off(const uint64_t *cpus) {
    assert_true(bz_cpus_has(cpus, here));
    moves++;
    if (elsewhere != UINT_MAX)
        here = elsewhere;
    return elsewhere != UINT_MAX;
}

static struct bz_placement_map *map;
static struct bz_domain domain;

/* Members that have waited: on CPUs 0, 1, ... */
static int set_up(void **state) {
    struct crowd *crowd = crowd_new();
    *state = crowd;
    map = bz_placement_map_new();
    for (here = 0; here < SIZE; here++) {
        struct bz_worker *worker = crowd->workers[here];
        worker->domain = &domain;
        worker->placement = (struct bz_placement){.map = map, .moves = here > 0};
        (void)bz_placement_note(&worker->placement);
    }
    clock_ns = UINT64_C(1) << 50;
    elsewhere = UINT_MAX;
    yield_ns = 1000;
    yields = moves = 0;
    bz_awake_reset(0);
    return 0;
}

static int tear_down(void **state) {
    bz_free(map);
    crowd_free(*state);
    return 0;
}

/* Polls until the policy chooses to sleep, at most that many times. Returns the number of polls. */
static unsigned poll(struct bomp_member *self, uint64_t chosen_ns, unsigned most) {
    domain.spin_ns = chosen_ns;
    struct bz_spin spin = bz_spin_for_turn(self->worker);
    unsigned spins = 0;
    while (spins < most && bz_spin_on(&spin))
        spins++;
    return spins;
}

static void alone_on_its_cpu_it_spins_for_all_of_its_time(void **state) {
    struct crowd *crowd = *state;
    uint64_t began = clock_ns;
    here = 1;
    poll(crowd->members[1], BZ_SPIN_AUTO, UINT_MAX);
    assert_in_range(clock_ns - began, TURN_NS, TURN_NS + 10000);
    assert_int_equal(yields + moves, 0);
    assert_int_equal(poll(crowd->members[1], 0, UINT_MAX), 0);
}

static void next_to_another_member_it_moves(void **state) {
    struct crowd *crowd = *state;
    here = 0;
    elsewhere = 7;
    poll(crowd->members[1], BZ_SPIN_AUTO, 1000);
    assert_int_equal(moves, 1);
    assert_int_equal(yields, 0);
    assert_int_equal(crowd->workers[1]->placement.cpu.v - 1, 7);
}

/* The system may at once put the other one on its CPU again. */
static void moves_are_rare(void **state) {
    struct crowd *crowd = *state;
    here = elsewhere = 0;
    uint64_t began = clock_ns;
    for (unsigned i = 0; i < 20; i++)
        poll(crowd->members[1], BZ_SPIN_AUTO, UINT_MAX);
    assert_in_range(moves, 2, (clock_ns - began) / (BZ_MOVE_SHARE * 100) + 1);
    assert_true(yields > 100);
}

static void the_primary_thread_does_not_move(void **state) {
    struct crowd *crowd = *state;
    here = 1;
    elsewhere = 7;
    assert_int_equal(poll(crowd->members[0], BZ_SPIN_AUTO, 1000), 1000);
    assert_int_equal(moves, 0);
    assert_true(yields > 0);
}

static void with_a_long_chosen_spin_it_yields(void **state) {
    struct crowd *crowd = *state;
    here = 0;
    yield_ns = bz_usual_spin();
    assert_int_equal(poll(crowd->members[1], LONG_NS, 1000), 1000);
    assert_true(yields > 100);
}

/* More threads than CPUs: a yield at each poll. */
static void crowds_yield(void **state) {
    struct crowd *crowd = *state;
    bz_awake_add((int)bz_cpu_count() + 1);
    here = 1;
    poll(crowd->members[1], LONG_NS, 100);
    assert_int_equal(yields, 100);
    bz_awake_reset(0);
}

static unsigned sleeps;

static bool is_time(const struct bomp_turn *turn) {
    return clock_ns >= turn->key;
}

/* The event occurs just as the thread is about to sleep. */
static void comes_at_once(const struct bomp_turn *turn) {
    clock_ns = turn->key;
    sleeps++;
}

/* The number of its sleeps until its turn comes, after `ns`. */
static unsigned sleeps_until(struct bomp_member *self, uint64_t ns) {
    static struct bz_a32 eventcount, sleepers;
    struct bomp_turn turn = {.self = self,
                             .is_over = is_time,
                             .announce = comes_at_once,
                             .eventcount = &eventcount,
                             .sleepers = &sleepers,
                             .key = clock_ns + ns};
    sleeps = 0;
    bomp_turn_wait(&turn);
    assert_true(is_time(&turn));
    return sleeps;
}

/* Turns that follow each other closely: one late turn must not make all threads sleep. */
static void in_a_crowd_they_stay_up(void **state) {
    struct crowd *crowd = *state;
    domain.spin_ns = BZ_SPIN_AUTO;
    bz_awake_add((int)bz_cpu_count() + 1);
    assert_int_equal(sleeps_until(crowd->members[1], TURN_NS / 2), 0);
    assert_int_equal(sleeps_until(crowd->members[1], 2 * TURN_NS), 1);
    bz_awake_reset(0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(alone_on_its_cpu_it_spins_for_all_of_its_time),
        TEST(next_to_another_member_it_moves),
        TEST(moves_are_rare),
        TEST(the_primary_thread_does_not_move),
        TEST(with_a_long_chosen_spin_it_yields),
        TEST(crowds_yield),
        TEST(in_a_crowd_they_stay_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
