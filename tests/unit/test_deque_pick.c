/* test_deque_pick.c: deque.h: the owner removes a job that lies below others. */
#include "deque_jobs.h"

static bool is_that(const struct bz_job *job, const void *arg) {
    return job == arg;
}

/* At any depth. The other jobs keep their order, and all become public. */
static void the_owner_picks_one_out(void **state) {
    (void)state;
    struct bz_deque deque;
    bool moved = false;
    bz_deque_init(&deque, 8);
    push_range(&deque, 0, 300);
    assert_null(bz_deque_pick(&deque, is_that, &jobs[300], &moved));
    assert_ptr_equal(bz_deque_pick(&deque, is_that, &jobs[299], &moved), &jobs[299]);
    assert_false(moved);
    assert_ptr_equal(bz_deque_pick(&deque, is_that, &jobs[290], &moved), &jobs[290]);
    assert_true(moved);
    assert_ptr_equal(bz_deque_pick(&deque, is_that, &jobs[1], &moved), &jobs[1]);
    for (int i = 298; i >= 2; i--)
        if (i != 290)
            assert_int_equal(pop(&deque), i);
    assert_int_equal(steal(&deque), 0);
    expect_empty(&deque);
    bz_deque_destroy(&deque);
}

/* A thief takes the job while the owner's filter decides. */
static bool steal_and_agree(const struct bz_job *job, const void *arg) {
    if (job != &jobs[0])
        return false;
    assert_int_equal(steal((struct bz_deque *)(uintptr_t)arg), 0);
    return true;
}

static void the_picked_job_may_be_stolen(void **state) {
    (void)state;
    for (int count = 1; count <= 5; count++) {
        struct bz_deque deque;
        bool moved = false;
        bz_deque_init(&deque, 4);
        push_range_public(&deque, 0, count);
        assert_null(bz_deque_pick(&deque, steal_and_agree, &deque, &moved));
        for (int i = count - 1; i >= 1; i--)
            assert_int_equal(pop(&deque), i);
        expect_empty(&deque);
        bz_deque_destroy(&deque);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_owner_picks_one_out),
        cmocka_unit_test(the_picked_job_may_be_stolen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
