/* test_ordered.c: ordered.h: the order of regions with members on threads of their own, which spin or sleep; the turn
 * step by step, with members played by one thread (crowd.h). */
#include "omp/loop/ordered.h"

#include <pthread.h>
#include <sched.h>

#include "crowd.h"

#define COUNT 60

/* ---- on threads ---- */

/* Stands for a loop with ordered regions in some of its iterations. */
static struct game {
    struct crowd *crowd;
    struct bz_domain domain; /* for spin_ns alone */
    struct bomp_loop loop;
    unsigned skip; /* every skip-th iteration has a region */
    unsigned length;
    unsigned sequence[COUNT]; /* plain: the regions exclude each other */
} game;

static void append(unsigned iteration) {
    game.sequence[game.length] = iteration;
    if (iteration % 5 == 0)
        sched_yield();
    game.length++;
}

static void run_iteration(unsigned iteration) {
    if (iteration % game.skip != 0)
        return;
    bomp_ordered_start();
    append(iteration);
    bomp_ordered_end();
    if (iteration % 4 == 0)
        sched_yield(); /* the rest of the iteration */
}

static void *member_main(void *arg) {
    struct bomp_member *self = arg;
    struct bomp_span span;
    bz_become(self->worker);
    bz_awake_add(1); /* as cached threads do: a waiting thread must know that CPUs are scarce */
    bomp_workshare_member_start(self);
    bomp_loop_meet(self, &game.loop);
    while (bomp_loop_take(self, &span))
        for (uint64_t i = span.first; i < span.end; i++)
            run_iteration((unsigned)i);
    bomp_loop_leave(self);
    bz_awake_add(-1);
    bz_become(NULL);
    return NULL;
}

static void play(struct crowd *crowd, unsigned size) {
    pthread_t threads[CROWD_MAX];
    struct bz_team thread_team = {.members =
                                      crowd->team_members}; /* a waiting thread reads the others' places */
    game.length = 0;
    crowd->team->thread_team = &thread_team;
    crowd->team->size = size;
    bomp_workshare_team_start(crowd->team);
    for (unsigned i = 0; i < size; i++) {
        crowd->workers[i]->domain = &game.domain;
        assert_int_equal(pthread_create(&threads[i], NULL, member_main, crowd->members[i]), 0);
    }
    for (unsigned i = 0; i < size; i++)
        pthread_join(threads[i], NULL);
    crowd->team->thread_team = NULL;
}

static void check_order(unsigned count) {
    unsigned expected = 0;
    for (unsigned i = 0; i < count; i += game.skip)
        assert_int_equal(game.sequence[expected++], i);
    assert_int_equal(game.length, expected);
}

static void regions_run_in_order(void **state) {
    struct crowd *crowd = *state;
    static const struct {
        uint32_t kind;
        uint64_t chunk;
    } schedules[] = {{BOMP_LOOP_STATIC, 0},  {BOMP_LOOP_STATIC, 1},  {BOMP_LOOP_STATIC, 4},
                     {BOMP_LOOP_DYNAMIC, 1}, {BOMP_LOOP_DYNAMIC, 3}, {BOMP_LOOP_GUIDED, 1}};
    static const unsigned skips[] = {1, 3, 50}, sizes[] = {1, 2, 4, 9}, counts[] = {3, COUNT};
    static const uint64_t spins[] = {0, 10000000}; /* sleep at once; hardly ever sleep */
    for (unsigned round = 0; round < 6 * 3 * 4 * 2 * 2; round++) {
        unsigned r = round, count;
        game.loop.schedule = schedules[r % 6].kind | BOMP_LOOP_ORDERED;
        game.loop.chunk = schedules[r % 6].chunk;
        game.skip = skips[(r /= 6) % 3];
        game.domain.spin_ns = spins[(r /= 3) % 2];
        count = counts[(r /= 2) % 2];
        bomp_loop_unsigned(&game.loop, true, 0, count, 1);
        play(crowd, sizes[r / 2]);
        check_order(count);
    }
}

/* ---- step by step ---- */

static void begin(struct crowd *crowd, uint32_t kind, uint64_t chunk, uint64_t count) {
    struct bomp_loop loop = {.schedule = kind | BOMP_LOOP_ORDERED, .chunk = chunk};
    bomp_loop_unsigned(&loop, true, 0, count, 1);
    crowd->team->size = 2;
    bomp_workshare_team_start(crowd->team);
    for (unsigned i = 0; i < 2; i++) {
        bomp_workshare_member_start(crowd->members[i]);
        bomp_loop_meet(crowd->members[i], &loop);
    }
}

static uint64_t turn(struct crowd *crowd) {
    return bz_load_relaxed(&crowd->members[0]->ws->at->turn);
}

static void region(struct crowd *crowd, unsigned num) {
    bz_become(crowd->workers[num]);
    bomp_ordered_start();
    bomp_ordered_end();
    bz_become(NULL);
}

/* The rest of the last iteration runs in parallel with the next chunk's regions. */
static void the_last_region_of_a_chunk_passes_the_turn(void **state) {
    struct crowd *crowd = *state;
    struct bomp_span span;
    begin(crowd, BOMP_LOOP_DYNAMIC, 2, 6);
    assert_true(bomp_loop_take(crowd->members[0], &span));
    assert_true(bomp_loop_take(crowd->members[1], &span));
    region(crowd, 0);
    assert_true(turn(crowd) == 0);
    region(crowd, 0);
    assert_true(turn(crowd) == 2);
    region(crowd, 1);
    region(crowd, 1);
    assert_true(turn(crowd) == 4);
    assert_true(bomp_loop_take(crowd->members[0], &span));
    assert_true(turn(crowd) == 4 && span.first == 4);
}

/* The others see a batch as one chunk. */
static void the_end_of_a_batch_passes_the_turn(void **state) {
    struct crowd *crowd = *state;
    struct bomp_span span;
    begin(crowd, BOMP_LOOP_DYNAMIC, 2, 200);
    bz_store_relaxed(&crowd->members[0]->ws->at->batch, 3);
    assert_true(bomp_loop_take(crowd->members[0], &span));
    assert_true(bomp_loop_take(crowd->members[1], &span));
    assert_true(span.first == 6);
    crowd->members[0]->ws->batch.began_ns = 0; /* it is not measured */
    for (uint64_t first = 0; first < 6; first += 2) {
        if (first > 0)
            assert_true(bomp_loop_take(crowd->members[0], &span) && span.first == first);
        region(crowd, 0);
        if (first != 2) /* else at the end of the batch, or when the next one is taken */
            region(crowd, 0);
        assert_true(turn(crowd) == 0);
    }
    assert_true(bomp_loop_take(crowd->members[0], &span));
    assert_true(turn(crowd) == 6 && span.first == 12);
    region(crowd, 1);
    region(crowd, 1);
    assert_true(turn(crowd) == 6);
}

static void a_skipped_region_passes_the_turn_later(void **state) {
    struct crowd *crowd = *state;
    struct bomp_span span;
    begin(crowd, BOMP_LOOP_STATIC, 3, 9);
    assert_true(bomp_loop_take(crowd->members[0], &span));
    region(crowd, 0);
    assert_true(turn(crowd) == 0);
    assert_true(bomp_loop_take(crowd->members[0], &span)); /* the third chunk */
    assert_true(turn(crowd) == 3);
    assert_true(bomp_loop_take(crowd->members[1], &span));
    assert_false(bomp_loop_take(crowd->members[1], &span));
    assert_true(turn(crowd) == 6);
    bomp_loop_leave(crowd->members[0]); /* not finished: it passes the turn nonetheless */
    assert_true(turn(crowd) == 9);
}

static void without_an_ordered_loop_no_member_waits(void **state) {
    struct crowd *crowd = *state;
    struct bomp_loop loop = {.schedule = BOMP_LOOP_DYNAMIC};
    struct bomp_span span;
    bomp_loop_unsigned(&loop, true, 0, 4, 1);
    begin(crowd, BOMP_LOOP_STATIC, 0, 2);
    region(crowd, 1); /* has taken nothing */
    for (unsigned i = 0; i < 2; i++) {
        bomp_loop_meet(crowd->members[i], &loop);
        assert_true(bomp_loop_take(crowd->members[i], &span));
    }
    region(crowd, 1);
    region(crowd, 0);
    assert_true(turn(crowd) == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        CROWD_TEST(regions_run_in_order),
        CROWD_TEST(the_last_region_of_a_chunk_passes_the_turn),
        CROWD_TEST(the_end_of_a_batch_passes_the_turn),
        CROWD_TEST(a_skipped_region_passes_the_turn_later),
        CROWD_TEST(without_an_ordered_loop_no_member_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
