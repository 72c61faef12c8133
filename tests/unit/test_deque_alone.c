/* test_deque_alone.c: deque.h, the deque of the only worker of a domain. */
#include "deque_jobs.h"

static bool is_even(const struct bz_job *job, const void *arg) {
    (void)arg;
    return number_of(job) % 2 == 0;
}

/* From ten jobs: the oldest, one in the middle, the newest; then the rest, from both ends. */
static void alone_jobs_are_taken_from_anywhere(void **state) {
    (void)state;
    struct bz_deque deque;
    bz_deque_init(&deque, 4);
    for (int round = 0; round < 3; round++) {
        bz_deque_set_alone(&deque, true);
        assert_int_equal(pop(&deque), -1);
        assert_null(bz_deque_take_oldest(&deque, NULL, NULL));
        push_range(&deque, 0, 5);
        push_range_public(&deque, 5, 10);
        assert_false(bz_deque_has_public(&deque) || bz_deque_expose_all(&deque));
        assert_int_equal(number_of(bz_deque_take_oldest(&deque, is_even, NULL)), 0);
        assert_null(bz_deque_take_oldest(&deque, is_even, NULL));
        assert_true(bz_deque_take_out(&deque, &jobs[4]));
        assert_false(bz_deque_take_out(&deque, &jobs[4]) || bz_deque_take_out(&deque, &jobs[0]));
        assert_true(bz_deque_take_out(&deque, &jobs[9]));
        assert_int_equal(bz_deque_size(&deque), 7);
        assert_int_equal(pop(&deque), 8);
        assert_int_equal(number_of(bz_deque_take_oldest(&deque, NULL, NULL)), 1);
        assert_int_equal(pop(&deque), 7);
        for (int i = 6; i >= 2; i--)
            assert_int_equal(i == 4 ? 4 : pop(&deque), i);
        struct bz_job *job = NULL;
        assert_int_equal(bz_deque_steal(&deque, NULL, NULL, &job),
                         BZ_STEAL_EMPTY); /* the thief comes too early */
        bz_deque_set_alone(&deque, false);
        assert_int_equal(pop(&deque), -1);
        push_range_public(&deque, 0, 2);
        assert_int_equal(bz_deque_steal(&deque, NULL, NULL, &job), BZ_STEAL_TAKEN);
        assert_int_equal(number_of(job), 0);
        assert_int_equal(pop(&deque), 1);
    }
    bz_deque_destroy(&deque);
}

static void slow_pops_end_it_and_find_its_jobs(void **state) {
    (void)state;
    struct bz_deque deque;
    bz_deque_init(&deque, 4);
    bz_deque_set_alone(&deque, true);
    push_range_public(&deque, 0, 2);
    bz_deque_begin_slow_pops(&deque);
    push_range_public(&deque, 2, 3);
    for (int i = 2; i >= -1; i--)
        assert_int_equal(pop(&deque), i);
    bz_deque_end_slow_pops(&deque);
    bz_deque_destroy(&deque);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(alone_jobs_are_taken_from_anywhere),
                                       cmocka_unit_test(slow_pops_end_it_and_find_its_jobs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
