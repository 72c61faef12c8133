/* test_doacross.c: finds the chunk of an iteration, step by step. One thread plays all members, so a wait that should
 * not return would never end. The stress test and the programs of tests/omp really wait. */
#include "crowd.h"

#include "omp/loop/doacross.h"
#include "omp/loop/doacross_nest.h"

static struct bomp_loop loop_of(uint32_t kind, uint64_t chunk, uint64_t count) {
    struct bomp_loop loop = {.schedule = kind | BOMP_LOOP_DOACROSS | BOMP_LOOP_SHARES, .chunk = chunk};
    bomp_loop_unsigned(&loop, true, 0, count, 1);
    return loop;
}

static void begin(struct crowd *crowd, unsigned size, uint32_t kind, uint64_t chunk, const uint64_t *counts,
                  unsigned dimensions) {
    struct bomp_loop loop = loop_of(kind, chunk, counts[0]);
    crowd->team->size = size;
    bomp_workshare_team_start(crowd->team);
    for (unsigned i = 0; i < size; i++) {
        bomp_workshare_member_start(crowd->members[i]);
        bomp_loop_meet(crowd->members[i], &loop);
        bomp_doacross_meet(crowd->members[i], dimensions, counts);
    }
}

static void end(struct crowd *crowd) {
    for (unsigned i = 0; i < crowd->team->size; i++)
        bomp_loop_leave(crowd->members[i]);
}

static uint64_t take(struct crowd *crowd, unsigned num) {
    struct bomp_span span;
    assert_true(bomp_loop_take(crowd->members[num], &span));
    return span.first;
}

static void post(struct crowd *crowd, unsigned num, uint64_t i, uint64_t j) {
    bz_become(crowd->workers[num]);
    bomp_doacross_post((uint64_t[]){i, j});
    bz_become(NULL);
}

static void wait_for(struct crowd *crowd, unsigned num, uint64_t i, uint64_t j) {
    bz_become(crowd->workers[num]);
    bomp_doacross_wait((uint64_t[]){i, j});
    bz_become(NULL);
}

/* One member stays in its first chunk while another takes enough chunks to reuse the first one's place again and
 * again. */
static void an_owner_far_behind_is_found(void **state) {
    struct crowd *crowd = *state;
    static const uint32_t kinds[] = {BOMP_LOOP_DYNAMIC, BOMP_LOOP_GUIDED};
    for (unsigned k = 0; k < 2; k++) {
        begin(crowd, 3, kinds[k], 1, (uint64_t[]){1000, 4}, 2);
        assert_int_equal(take(crowd, 0), 0);
        for (uint64_t i = 1; i < 500; i++) {
            assert_int_equal(take(crowd, 1), i);
            for (uint64_t j = 0; j < 4; j++)
                post(crowd, 1, i, j);
        }
        post(crowd, 0, 0, 2);
        wait_for(crowd, 1, 0, 2); /* its owner is still in it, and has posted this iteration */
        wait_for(crowd, 1, 0, 0);
        assert_int_equal(take(crowd, 0), 500);
        wait_for(crowd, 1, 0, 3); /* its owner has moved on */
        wait_for(crowd, 0, 499, 3);
        wait_for(crowd, 2, 17, 3);
        end(crowd);
    }
}

static void static_owners_follow_from_the_schedule(void **state) {
    struct crowd *crowd = *state;
    for (uint64_t chunk = 0; chunk < 4; chunk++) {
        begin(crowd, 3, BOMP_LOOP_STATIC, chunk, (uint64_t[]){20, 2}, 2);
        uint64_t first[3];
        for (unsigned i = 0; i < 3; i++) {
            first[i] = take(crowd, i);
            post(crowd, i, first[i], 0);
        }
        for (unsigned i = 0; i < 3; i++)
            for (unsigned other = 0; other < 3; other++)
                wait_for(crowd, i, first[other], 0);
        end(crowd);
    }
}

/* The iterations of a row share one key, which is passed when the row is complete. */
static void numbers_too_large_for_keys_are_cut(void **state) {
    struct crowd *crowd = *state;
    const uint64_t huge = UINT64_C(1) << 40;
    begin(crowd, 2, BOMP_LOOP_DYNAMIC, 1, (uint64_t[]){huge, huge}, 2);
    assert_int_equal(take(crowd, 0), 0);
    assert_int_equal(take(crowd, 1), 1);
    post(crowd, 0, 0, 77);
    wait_for(crowd, 0, 0, 76); /* its own */
    assert_int_equal(take(crowd, 0), 2);
    wait_for(crowd, 1, 0, huge - 1);
    end(crowd);
}

static void what_is_outside_or_alone_is_not_waited_for(void **state) {
    struct crowd *crowd = *state;
    begin(crowd, 2, BOMP_LOOP_DYNAMIC, 1, (uint64_t[]){10, 4}, 2);
    assert_int_equal(take(crowd, 0), 0);
    wait_for(crowd, 0, UINT64_MAX, 0);
    wait_for(crowd, 0, 0, 4);
    end(crowd);
    begin(crowd, 1, BOMP_LOOP_DYNAMIC, 1, (uint64_t[]){10, 4}, 2);
    wait_for(crowd, 0, 7, 0);
    end(crowd);
}

/* As GCC passes them for unsigned 32-bit variables. */
static void numbers_that_are_2_to_the_32_too_large_are_found(void **state) {
    struct crowd *crowd = *state;
    const uint64_t wrap = UINT64_C(1) << 32;
    struct spot spot = {0, 0};
    begin(crowd, 2, BOMP_LOOP_DYNAMIC, 1, (uint64_t[]){10, 4}, 2);
    const struct bomp_member *self = crowd->members[0];
    assert_true(find_spot(self, (uint64_t[]){wrap + 3, wrap + 2}, &spot));
    assert_true(spot.iteration == 3 && spot.key == 3 * 4 + 2);
    assert_true(find_spot(self, (uint64_t[]){wrap + 3, 2}, &spot));
    assert_true(spot.iteration == 3 && spot.key == 3 * 4 + 2);
    assert_false(find_spot(self, (uint64_t[]){wrap + 10, 2}, &spot));
    assert_false(find_spot(self, (uint64_t[]){3, 2 * wrap + 2}, &spot));
    end(crowd);
    begin(crowd, 2, BOMP_LOOP_DYNAMIC, 1, (uint64_t[]){2 * wrap, 4}, 2);
    assert_true(find_spot(self, (uint64_t[]){wrap + 3, 2}, &spot)); /* such an iteration exists */
    assert_true(spot.iteration == wrap + 3);
    end(crowd);
}

/* ---- the nest first, then its loop ---- */

static void begin_nest(struct crowd *crowd, unsigned num, unsigned dimensions,
                       const struct bomp_dimension *nest) {
    bz_become(crowd->workers[num]);
    bomp_doacross_begin(dimensions, nest, true);
    bz_become(NULL);
}

static void static_loop(struct crowd *crowd, unsigned num, uint64_t count, uint64_t chunk) {
    struct bomp_turns turns;
    bz_become(crowd->workers[num]);
    bomp_static_start(count - 1, chunk, &turns);
    bz_become(NULL);
}

static void end_nest(struct crowd *crowd, unsigned num) {
    bz_become(crowd->workers[num]);
    bomp_loop_stop();
    bz_become(NULL);
    assert_null(crowd->members[num]->ws->doacross);
}

static void begin_team(struct crowd *crowd, unsigned size) {
    crowd->team->size = size;
    bomp_workshare_team_start(crowd->team);
    for (unsigned i = 0; i < size; i++)
        bomp_workshare_member_start(crowd->members[i]);
}

/* Each loop of the nest has as many iterations as its last number, or one more; in the last row both fit. */
static void outer_loops_are_found(void **state) {
    struct crowd *crowd = *state;
    static const struct {
        int64_t extents[3];
        uint64_t count; /* of the loop */
        unsigned outer;
        bool fewer;
    } rows[] = {
        {{10, 4, 3}, 10, 1, true},  {{10, 4, 3}, 40, 2, true},
        {{10, 4, 3}, 120, 3, true}, {{10, 4, 3}, 11, 1, false},
        {{10, 4, 3}, 55, 2, false}, {{10, 4, 3}, 220, 3, false},
        {{10, 4, 3}, 12, 0, false}, {{0, 4, 3}, 1, 1, false},
        {{1, 1, 3}, 1, 1, true},    {{INT64_MAX, INT64_MAX, 3}, INT64_MAX, 1, true},
        {{1, 2, 3}, 2, 1, false},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct bomp_dimension nest[3];
        for (unsigned d = 0; d < 3; d++)
            nest[d] = (struct bomp_dimension){0, rows[r].extents[d], 1};
        begin_team(crowd, 2);
        for (unsigned num = 0; num < 2; num++) {
            begin_nest(crowd, num, 3, nest);
            static_loop(crowd, num, rows[r].count, 1);
            assert_int_equal(crowd->members[num]->ws->keys.outer, rows[r].outer);
            assert_int_equal(crowd->members[num]->ws->keys.fewer, rows[r].fewer);
            end_nest(crowd, num);
        }
    }
}

static int left; /* members in the nest after the barrier */

static void meet_within_nest(void *data) {
    const bool *has_loop = data;
    struct bomp_turns turns;
    bomp_doacross_begin(1, &(struct bomp_dimension){0, 10, 1}, false);
    if (*has_loop)
        bomp_static_start(9, 1, &turns);
    bomp_barrier();
    __atomic_fetch_add(&left, bomp_self()->ws->doacross ? 1 : 0, __ATOMIC_RELAXED);
    bomp_loop_stop();
}

/* The compiler may place the barrier before the call that ends the nest. */
static void a_barrier_ends_a_nest(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++)
        bomp_parallel(meet_within_nest, &(bool){i == 1}, 2);
    assert_int_equal(left, 0);
}

/* Of 3 to 21 by 3, 7 to 1 by -2 and 0 to 4: as numbers 7, 4 and 5 iterations. */
static const struct bomp_dimension stepped[] = {{3, 21, 3}, {7, 1, -2}, {0, 4, 1}};

static void post_value(struct crowd *crowd, unsigned num, int64_t i, int64_t j, int64_t k) {
    bz_become(crowd->workers[num]);
    bomp_doacross_post((uint64_t[]){(uint64_t)i, (uint64_t)j, (uint64_t)k});
    bz_become(NULL);
}

static void wait_for_value(struct crowd *crowd, unsigned num, int64_t i, int64_t j, int64_t k) {
    bz_become(crowd->workers[num]);
    bomp_doacross_wait((uint64_t[]){(uint64_t)i, (uint64_t)j, (uint64_t)k});
    bz_become(NULL);
}

static void values_are_numbered(void **state) {
    struct crowd *crowd = *state;
    begin_team(crowd, 2);
    for (unsigned num = 0; num < 2; num++) {
        begin_nest(crowd, num, 3, stepped);
        static_loop(crowd, num, 7, 1);
    }
    post_value(crowd, 0, 3, 7, 0);
    wait_for_value(crowd, 1, 3, 7, 0);
    post_value(crowd, 0, 3, 1, 4);
    wait_for_value(crowd, 1, 3, 3, 2);
    wait_for_value(crowd, 1, 3, 1, 4);
    for (int64_t value = -9; value < 3; value++) /* outside, or between two iterations */
        wait_for_value(crowd, 1, value, 1, 4);
    wait_for_value(crowd, 1, 24, 1, 4);
    wait_for_value(crowd, 1, 4, 1, 4);
    wait_for_value(crowd, 1, 9, 2, 4);
    wait_for_value(crowd, 1, 9, 9, 4);
    wait_for_value(crowd, 1, 9, -1, 4);
    wait_for_value(crowd, 1, 9, 1, 5);
    wait_for_value(crowd, 1, INT64_MIN, INT64_MAX, -1);
    end_nest(crowd, 0);
    wait_for_value(crowd, 1, 21, 1, 4);
    end_nest(crowd, 1);
}

/* The count of iterations tells which loops the worksharing loop collapses; the nest is that loop's construct. */
static void dealt_loops_are_in_the_nest(void **state) {
    struct crowd *crowd = *state;
    static const struct bomp_dimension nest[] = {{0, 6, 1}, {0, 5, 1}, {0, 4, 1}};
    for (unsigned outer = 1; outer <= 3; outer++) {
        static const uint64_t counts[] = {6, 30, 120};
        struct bomp_loop loop = loop_of(BOMP_LOOP_DYNAMIC, 1, counts[outer - 1]);
        struct bomp_chunk chunk;
        begin_team(crowd, 2);
        for (unsigned num = 0; num < 2; num++) {
            begin_nest(crowd, num, 3, nest);
            const struct bomp_workshare *at = crowd->members[num]->ws->at;
            bz_become(crowd->workers[num]);
            bomp_loop_begin(&loop, loop.step);
            bz_become(NULL);
            assert_ptr_equal(crowd->members[num]->ws->at, at);
        }
        for (uint64_t i = 0; i < counts[outer - 1]; i++) {
            bz_become(crowd->workers[i % 2]);
            assert_true(bomp_loop_chunk(&chunk) && chunk.first == i && chunk.last == i);
            assert_int_equal(chunk.ends, i == counts[outer - 1] - 1);
            uint64_t index[] = {outer == 1   ? i
                                : outer == 2 ? i / 5
                                             : i / 20,
                                outer == 1   ? 0
                                : outer == 2 ? i % 5
                                             : i / 4 % 5,
                                outer == 3 ? i % 4 : 0};
            bomp_doacross_wait((uint64_t[]){index[0] - 1, index[1], index[2]});
            for (index[1] = outer == 1 ? 0 : index[1]; index[1] < 5; index[1]++) {
                for (index[2] = outer < 3 ? 0 : index[2]; index[2] < 4; index[2]++) {
                    bomp_doacross_post(index);
                    if (outer == 3)
                        break;
                }
                if (outer > 1)
                    break;
            }
            bz_become(NULL);
        }
        for (unsigned num = 0; num < 2; num++) {
            bz_become(crowd->workers[num]);
            assert_false(bomp_loop_chunk(&chunk));
            bz_become(NULL);
            end_nest(crowd, num);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        CROWD_TEST(an_owner_far_behind_is_found),
        CROWD_TEST(static_owners_follow_from_the_schedule),
        CROWD_TEST(numbers_too_large_for_keys_are_cut),
        CROWD_TEST(what_is_outside_or_alone_is_not_waited_for),
        CROWD_TEST(numbers_that_are_2_to_the_32_too_large_are_found),
        CROWD_TEST(outer_loops_are_found),
        CROWD_TEST(a_barrier_ends_a_nest),
        CROWD_TEST(values_are_numbered),
        CROWD_TEST(dealt_loops_are_in_the_nest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
