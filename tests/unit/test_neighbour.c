/* test_neighbour.c: turn.h: a thread that waits for its turn, and when it spins, moves, yields or sleeps. The
 * system is played by the test: where threads are, what a yield takes. */
#include "omp/loop/turn.h"

#include "crowd.h"

#define SIZE 3
#define LONG_NS (UINT64_C(1) << 40)

static unsigned here;      /* the CPU of who asks */
static unsigned elsewhere; /* where a move leads to; UINT_MAX: it is refused */
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

static struct bz_team thread_team;

/* Members who have waited: on CPUs 0, 1, ... */
static int set_up(void **state) {
    struct crowd *crowd = crowd_new();
    *state = crowd;
    thread_team.members = crowd->team_members;
    crowd->team->thread_team = &thread_team;
    crowd->team->size = SIZE;
    for (here = 0; here < SIZE; here++)
        bz_worker_note_cpu(crowd->workers[here]);
    bz_team_worker(&thread_team, 0)->parting.stays = true;
    clock_ns = UINT64_C(1) << 50;
    elsewhere = UINT_MAX;
    yield_ns = 1000;
    yields = moves = 0;
    bz_awake_reset(0);
    return 0;
}

static int tear_down(void **state) {
    crowd_free(*state);
    return 0;
}

/* Until it is to sleep, or has looked that many times; how many times it has. */
static unsigned look(struct bomp_member *self, uint64_t limit_ns, unsigned owner, unsigned most) {
    struct bomp_neighbour neighbour = {self, owner};
    struct bz_spin spin = {.limit_ns = limit_ns, .crowded_ns = limit_ns};
    unsigned spins = 0;
    bomp_neighbour_spin(&neighbour, &spin);
    while (spins < most && bz_spin_on(&spin))
        spins++;
    return spins;
}

static void alone_on_its_cpu_it_spins_for_all_of_its_time(void **state) {
    struct crowd *crowd = *state;
    uint64_t began = clock_ns;
    here = 1;
    look(crowd->members[1], 100000, BOMP_ANYBODY, UINT_MAX);
    assert_true(clock_ns - began >= 100000 && clock_ns - began < 110000);
    assert_int_equal(yields + moves, 0);
    assert_int_equal(look(crowd->members[1], 0, BOMP_ANYBODY, UINT_MAX), 0);
}

static void who_has_a_neighbour_moves(void **state) {
    struct crowd *crowd = *state;
    here = 0;
    elsewhere = 7;
    look(crowd->members[1], BZ_TURN_SPIN_NS, BOMP_ANYBODY, 1000);
    assert_int_equal(moves, 1);
    assert_int_equal(yields, 0);
    assert_int_equal(bz_worker_cpu(crowd->workers[1]), 7);
}

/* The other one may be put beside it again at once. */
static void moves_are_rare(void **state) {
    struct crowd *crowd = *state;
    here = elsewhere = 0;
    uint64_t began = clock_ns;
    for (unsigned i = 0; i < 20; i++)
        look(crowd->members[1], BZ_TURN_SPIN_NS, BOMP_ANYBODY, UINT_MAX);
    assert_true(clock_ns - began > 6 * BZ_PARTING_NS);
    assert_true(moves > 5 && moves <= (clock_ns - began) / BZ_PARTING_NS + 1);
    assert_true(yields > 100);
}

static void who_opened_the_region_does_not_move(void **state) {
    struct crowd *crowd = *state;
    here = 1;
    elsewhere = 7;
    assert_int_equal(look(crowd->members[0], BZ_TURN_SPIN_NS, BOMP_ANYBODY, 1000), 1000);
    assert_int_equal(moves, 0);
    assert_true(yields > 0);
}

static void only_who_is_waited_for_counts(void **state) {
    struct crowd *crowd = *state;
    here = 2; /* beside member 2 */
    elsewhere = 7;
    look(crowd->members[1], BZ_TURN_SPIN_NS, 0, 1000);
    assert_int_equal(yields + moves, 0);
    look(crowd->members[1], BZ_TURN_SPIN_NS, 2, 1000);
    assert_int_equal(moves, 1);
}

static void told_to_spin_for_long_it_yields(void **state) {
    struct crowd *crowd = *state;
    here = 0;
    yield_ns = BZ_SPIN_NS;
    assert_int_equal(look(crowd->members[1], LONG_NS, 0, 1000), 1000);
    assert_true(yields > 100);
}

/* More threads than CPUs: a yield at each look. */
static void crowds_yield(void **state) {
    struct crowd *crowd = *state;
    bz_awake_add((int)bz_cpu_count() + 1);
    here = 1;
    look(crowd->members[1], LONG_NS, BOMP_ANYBODY, 100);
    assert_int_equal(yields, 100);
    bz_awake_reset(0);
}

static unsigned sleeps;

static bool is_time(const struct bomp_turn *turn) {
    return clock_ns >= turn->key;
}

/* What it is woken by has come when it is about to sleep. */
static void comes_at_once(const struct bomp_turn *turn) {
    clock_ns = turn->key;
    sleeps++;
}

/* How often it has slept when its turn has come, after so long. */
static unsigned sleeps_until(struct bomp_member *self, uint64_t ns) {
    static struct bz_a32 eventcount, sleepers;
    struct bomp_turn turn = {.self = self,
                             .is_over = is_time,
                             .announce = comes_at_once,
                             .eventcount = &eventcount,
                             .sleepers = &sleepers,
                             .owner = BOMP_ANYBODY,
                             .key = clock_ns + ns};
    sleeps = 0;
    bomp_turn_wait(&turn);
    assert_true(is_time(&turn));
    return sleeps;
}

/* Turns that follow each other closely: one that is late once is not to make all sleep. */
static void in_a_crowd_they_stay_up(void **state) {
    struct crowd *crowd = *state;
    struct bz_predictor predictor;
    struct bz_domain domain = {.spin_ns = BZ_SPIN_NS};
    struct bz_worker *worker = crowd->members[1]->worker;
    worker->predictor = &predictor;
    worker->domain = &domain;
    bz_awake_add((int)bz_cpu_count() + 1);
    assert_int_equal(sleeps_until(crowd->members[1], BZ_TURN_SPIN_NS / 2), 0);
    assert_int_equal(sleeps_until(crowd->members[1], 2 * BZ_TURN_SPIN_NS), 1);
    bz_awake_reset(0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(alone_on_its_cpu_it_spins_for_all_of_its_time),
        TEST(who_has_a_neighbour_moves),
        TEST(moves_are_rare),
        TEST(who_opened_the_region_does_not_move),
        TEST(only_who_is_waited_for_counts),
        TEST(told_to_spin_for_long_it_yields),
        TEST(crowds_yield),
        TEST(in_a_crowd_they_stay_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
