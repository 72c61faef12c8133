/* test_doacross.c: whose chunk an iteration is in, step by step: all members are played by one thread, so a wait that
 * should not be over would never end. The stress test and the programs of tests/omp wait for real. */
#include "crowd.h"

#include "omp/loop/doacross.h"

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

/* One member stays in the first chunk while another one takes enough of them for its place to be used again and again. */
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
        wait_for(crowd, 1, 0, 2); /* its owner is still there, and has posted so far */
        wait_for(crowd, 1, 0, 0);
        assert_int_equal(take(crowd, 0), 500);
        wait_for(crowd, 1, 0, 3); /* its owner has gone on */
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

/* The iterations of a row have one key: it is passed with the row. */
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

int main(void) {
    const struct CMUnitTest tests[] = {
        CROWD_TEST(an_owner_far_behind_is_found),
        CROWD_TEST(static_owners_follow_from_the_schedule),
        CROWD_TEST(numbers_too_large_for_keys_are_cut),
        CROWD_TEST(what_is_outside_or_alone_is_not_waited_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
