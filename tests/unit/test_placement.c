/* test_placement.c: placement.h: when a thread finds another one of its team on its CPU, and when it moves. The test
 * plays the system: the CPU of a thread, the time of a move, and its target. */
#include "wait/placement.h"

#include <limits.h>

#include "../asserts.h"
#include "os/cpus.h"
#include "wait/competitor.h"
#include "wait/lease.h"
#include "wait/load.h"

enum { SIZE = 4 };

static unsigned here; /* the CPU of the calling thread */
static uint64_t clock_ns, move_ns;
static unsigned moves;    /* so far */
static unsigned machine;  /* number of CPUs: a move leads to the first allowed one */
static uint64_t *refused; /* the CPUs that the last move had to avoid; the first word */
static uint64_t seen;

unsigned __wrap_bz_os_cpu(void);
unsigned __wrap_bz_os_cpu(void) {
    return here;
}

uint64_t __wrap_bz_os_now_ns(void);
uint64_t __wrap_bz_os_now_ns(void) {
    return clock_ns += 10;
}

bool __wrap_bz_os_move_off(const uint64_t *cpus);
bool __wrap_bz_os_move_off(const uint64_t *cpus) {
    unsigned to = 0;
    assert_true(bz_cpus_has(cpus, here));
    if (refused)
        *refused = cpus[0];
    while (to < machine && bz_cpus_has(cpus, to))
        to++;
    if (to == machine)
        return false;
    moves++;
    clock_ns += move_ns;
    here = to;
    return true;
}

/* The CPUs that the last sleep left, of the first word; 0: it left none. */
static uint64_t left_asleep;

void __wrap_bz_os_futex_wait_off(uint32_t *word, uint32_t expected, const uint64_t *cpus);
void __wrap_bz_os_futex_wait_off(uint32_t *word, uint32_t expected, const uint64_t *cpus) {
    (void)word;
    (void)expected;
    left_asleep = cpus ? cpus[0] : 0;
}

/* A bit for each CPU on which another program was seen. */
static uint64_t busy_cpus;

bool __wrap_bz_competitor_seen_at(unsigned cpu);
bool __wrap_bz_competitor_seen_at(unsigned cpu) {
    return busy_cpus >> cpu % 64 & 1;
}

static struct bz_placement_map *map;
static struct bz_placement members[SIZE];

static int set_up(void **state) {
    (void)state;
    map = bz_placement_map_new();
    assert_non_null(map);
    assert_true(map->cpus >= SIZE);
    for (unsigned i = 0; i < SIZE; i++)
        members[i] = (struct bz_placement){.map = map, .moves = i != 0};
    clock_ns += UINT64_C(1) << 50; /* what an earlier test expected is over */
    move_ns = 20000;
    moves = 0;
    machine = SIZE;
    refused = NULL;
    bz_set_cpus(SIZE);
    bz_awake_reset(0);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    bz_free(map);
    bz_set_cpus(0);
    return 0;
}

static bool note(unsigned member, unsigned cpu) {
    here = cpu;
    return bz_placement_note(&members[member]);
}

/* The member's run takes `ns`. Returns whether it has found another one on its CPU. */
static bool run(unsigned member, unsigned cpu, uint64_t ns) {
    if (!note(member, cpu)) {
        clock_ns += ns;
        return false;
    }
    bz_placement_begin(&members[member]);
    clock_ns += ns;
    bz_placement_end(&members[member]);
    return true;
}

static void alone_a_member_finds_no_other(void **state) {
    (void)state;
    assert_int_equal(members[1].cpu.v - 1, UINT32_MAX);
    for (unsigned i = 0; i < 2; i++)
        for (unsigned member = 0; member < SIZE; member++) {
            assert_false(note(member, member));
            assert_int_equal(members[member].cpu.v - 1, member);
        }
}

static void a_member_moves_from_a_shared_cpu_to_a_free_one(void **state) {
    (void)state;
    note(0, 0);
    note(2, 1);
    refused = &seen;
    assert_true(run(1, 0, 1000000));
    assert_int_equal(moves, 1);
    assert_int_equal(here, 2);
    assert_int_equal(seen, 1 | 2);
    assert_int_equal(members[1].cpu.v - 1, 2);
    assert_false(run(1, 2, 1000000));
    assert_false(note(0, 0)); /* it has not moved, and no other member is there */
    assert_int_equal(moves, 1);
}

static void no_member_moves_while_host_threads_alternate(void **state) {
    (void)state;
    struct bz_lease host = {0}, other = {0};
    note(0, 0);
    for (unsigned i = 0; i < 2; i++)
        bz_lease_begin(&host, 2);
    assert_true(run(1, 0, 1000000));
    assert_int_equal(moves, 1);
    bz_lease_begin(&other, 2);
    clock_ns += 100 * UINT64_C(1000000);
    assert_true(run(1, 0, 1000000));
    assert_int_equal(moves, 1);
    bz_lease_begin(&other, 2);
    clock_ns += 1000 * UINT64_C(1000000);
    assert_true(run(1, 0, 1000000));
    assert_int_equal(moves, 2);
}

static void there_may_be_nowhere_to_go(void **state) {
    (void)state;
    machine = 1;
    note(0, 0);
    assert_true(run(1, 0, 1000000));
    assert_int_equal(moves, 0);
    assert_int_equal(here, 0);
}

static void a_member_that_moved_is_no_longer_there(void **state) {
    (void)state;
    note(0, 0);
    note(0, 1);
    assert_false(note(1, 0));
    note(2, 2);
    bz_placement_leave(&members[2]);
    assert_false(note(3, 2));
    assert_true(note(2, 2)); /* it is back */
}

/* It returns to its old CPU, where another member has arrived meanwhile, or has not. */
static void a_member_that_comes_back_checks_again(void **state) {
    (void)state;
    note(1, 0);
    note(1, 1);
    assert_false(note(1, 0));
    note(1, 1);
    note(2, 0);
    assert_true(note(1, 0));
}

/* The member that it finds there moves. */
static void the_first_never_moves(void **state) {
    (void)state;
    note(1, 0);
    assert_true(run(0, 0, 1000000));
    assert_int_equal(moves, 0);
    assert_true(run(1, 0, 1000000));
    assert_int_equal(moves, 1);
}

/* Whenever it runs, another member is there. Returns the number of moves in `ns`. */
static unsigned moves_in(uint64_t ns) {
    unsigned before = moves;
    for (uint64_t end = clock_ns + ns; clock_ns < end; clock_ns += 10000) {
        note(0, 0);
        note(1, 0);
        bz_placement_move(&members[1]);
    }
    return moves - before;
}

static void moves_take_a_small_part_of_the_time(void **state) {
    (void)state;
    for (move_ns = 10000; move_ns < 10000000; move_ns *= 10) {
        members[1].due = members[1].late_moves = 0;
        assert_in_range(moves_in(100 * BZ_MOVE_SHARE * move_ns), 90, 180);
    }
}

/* One move was late: on a busy CPU it took a time slice. The next moves need not wait for a hundred of those. */
static void after_a_late_move_it_moves_soon(void **state) {
    (void)state;
    move_ns = 5 * BZ_SLICE_NS;
    assert_int_equal(moves_in(1), 1);
    move_ns = 20000;
    assert_in_range(moves_in(10 * BZ_SLICE_NS), 3, 10);
}

static void where_cpus_are_scarce_no_member_moves(void **state) {
    (void)state;
    note(0, 0);
    bz_awake_add(SIZE + 1);
    note(1, 0);
    bz_placement_meet(&members[1]);
    assert_int_equal(moves, 0);
    bz_awake_reset(0);
    note(2, 1);
    note(0, 0);
    note(1, 2);
    here = 0;
    bz_placement_meet(&members[1]);
    assert_int_equal(moves, 1);
}

/* A run shorter than the cost of a move is not worth one; the first run may be long. */
static void short_runs_do_not_move(void **state) {
    (void)state;
    note(0, 0);
    assert_true(run(1, 0, 1000));
    assert_int_equal(moves, 1);
    for (unsigned i = 0; i < 100; i++, clock_ns += BZ_MOVE_SHARE * move_ns)
        assert_true(run(1, 0, 1000));
    assert_int_equal(moves, 1);
    assert_true(run(1, 0, 1000000)); /* a long one comes unexpected */
    assert_true(run(1, 0, 1000000));
    assert_int_equal(moves, 2);
}

/* The system does not report the CPU of a thread. */
static void an_unknown_cpu_is_not_left(void **state) {
    (void)state;
    struct bz_placement lonely = {.moves = true};
    here = UINT_MAX;
    assert_false(bz_placement_note(&members[1]));
    assert_false(bz_placement_move(&members[1]));
    assert_false(bz_placement_move(&lonely));
    assert_int_equal(moves, 0);
}

/* The others are on CPUs beyond the map's end, or there is no map. */
static void without_an_entry_no_member_is_found(void **state) {
    (void)state;
    struct bz_placement lonely = {.moves = true};
    note(0, map->cpus);
    assert_false(note(1, map->cpus));
    assert_int_equal(members[1].cpu.v - 1, map->cpus);
    here = 0;
    assert_false(bz_placement_note(&lonely));
    assert_int_equal(lonely.cpu.v - 1, 0);
}

/* A pool's thread: the thread that it waits for is on its CPU. */
static void without_a_map_it_leaves_its_own_cpu(void **state) {
    (void)state;
    struct bz_placement lonely = {.moves = true}, fixed = {.moves = false};
    here = 1;
    refused = &seen;
    bz_placement_meet(&fixed);
    assert_int_equal(moves, 0);
    bz_placement_meet(&lonely);
    assert_int_equal(moves, 1);
    assert_int_equal(seen, 2);
}

static uint64_t cpus_left_by(unsigned member, unsigned partner) {
    uint32_t word = 0;
    bz_placement_sleep(&members[member], &members[0], &members[partner], &word, 0);
    return left_asleep;
}

static void begin_phase_of_parks(uint64_t ns) {
    bz_store_relaxed(&bz_competitor.until, clock_ns + ns);
    bz_store_relaxed(&bz_competitor.parks, true);
}

/* While waits park because of another program; again if the system parts them, but not too soon. */
static void next_to_another_program_pairs_share_a_cpu(void **state) {
    (void)state;
    note(2, 2);
    note(3, 3);
    busy_cpus = 0xc;
    assert_true(cpus_left_by(3, 2) == 0);
    begin_phase_of_parks(8 * (uint64_t)BZ_SLICE_NS);
    assert_true(cpus_left_by(2, 2) == 0);
    for (unsigned times = 0; times < 2; times++) {
        assert_true(cpus_left_by(3, 2) == ~UINT64_C(4));
        assert_true(cpus_left_by(3, 2) == 0);
        clock_ns += 2 * (uint64_t)BZ_SLICE_NS;
    }
    here = 2;
    assert_true(cpus_left_by(3, 2) == 0);
    here = 3;
    bz_store_relaxed(&bz_competitor.parks, false);
    assert_true(cpus_left_by(3, 2) == 0);
    bz_competitor_forget();
}

/* Where it was not seen a CPU may be idle. */
static void pairs_share_no_cpu_if_one_may_be_idle_or_in_a_crowd(void **state) {
    (void)state;
    note(2, 2);
    note(3, 3);
    begin_phase_of_parks(1000);
    for (busy_cpus = 0; busy_cpus < 0xc; busy_cpus += 4)
        assert_true(cpus_left_by(3, 2) == 0);
    bz_awake_add(SIZE + 1);
    assert_true(cpus_left_by(3, 2) == 0);
    bz_awake_reset(0);
    assert_true(cpus_left_by(3, 2) == ~UINT64_C(4));
    bz_competitor_forget();
}

/* Of the leader, which wakes it on its own CPU, and of a partner; and one that no system has. */
static void asleep_it_leaves_no_unknown_cpu(void **state) {
    (void)state;
    members[1].colocated_wakes = BZ_MEETINGS;
    assert_true(cpus_left_by(1, 0) == 0);
    note(0, map->cpus);
    assert_true(cpus_left_by(1, 0) == 0);
    busy_cpus = UINT64_MAX;
    begin_phase_of_parks(4 * (uint64_t)BZ_SLICE_NS);
    assert_true(cpus_left_by(3, 2) == 0);
    note(2, 2);
    here = 3;
    assert_true(cpus_left_by(3, 2) == ~UINT64_C(4)); /* it has not used up its turn */
    note(2, map->cpus);
    here = 3;
    clock_ns += 2 * (uint64_t)BZ_SLICE_NS;
    assert_true(cpus_left_by(3, 2) == 0);
    bz_competitor_forget();
    note(0, 0);
    assert_true(cpus_left_by(1, 0) == 1);
}

/* Wakes on the leader's CPU are due to the pair then, not to the system. */
static void a_pair_on_one_cpu_is_not_parted_later(void **state) {
    (void)state;
    note(0, 0);
    note(1, 1);
    busy_cpus = 3;
    here = 0;
    begin_phase_of_parks(100000);
    for (unsigned i = 0; i < 2 * BZ_MEETINGS; i++)
        (void)cpus_left_by(1, 0);
    bz_competitor_forget();
    assert_true(cpus_left_by(1, 0) == 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(alone_a_member_finds_no_other),
        TEST(a_member_moves_from_a_shared_cpu_to_a_free_one),
        TEST(no_member_moves_while_host_threads_alternate),
        TEST(there_may_be_nowhere_to_go),
        TEST(a_member_that_moved_is_no_longer_there),
        TEST(a_member_that_comes_back_checks_again),
        TEST(the_first_never_moves),
        TEST(moves_take_a_small_part_of_the_time),
        TEST(where_cpus_are_scarce_no_member_moves),
        TEST(after_a_late_move_it_moves_soon),
        TEST(short_runs_do_not_move),
        TEST(an_unknown_cpu_is_not_left),
        TEST(without_an_entry_no_member_is_found),
        TEST(without_a_map_it_leaves_its_own_cpu),
        TEST(next_to_another_program_pairs_share_a_cpu),
        TEST(pairs_share_no_cpu_if_one_may_be_idle_or_in_a_crowd),
        TEST(asleep_it_leaves_no_unknown_cpu),
        TEST(a_pair_on_one_cpu_is_not_parted_later),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
