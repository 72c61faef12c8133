/* test_cilk.c: cilk.c: which spawns run before their own sync and put the deque into slow-pop mode, and for how long;
 * the limit of fast pushes. */
#include "../asserts.h"
#include "../rig.h"
#include "base/sanitizer.h"
#include "blitz/cilk.h"
#include "blitz/reducer.h"
#include "sched/worker.h"

static struct rig rig;

static blitz_worker *become(unsigned number) {
    bz_become(&rig.workers[number]);
    return (blitz_worker *)bz_self;
}

static int setup(void **state) {
    (void)state;
    rig_init(&rig, 2, 0);
    become(0);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    bz_become(NULL);
    rig_destroy(&rig);
    return 0;
}

static uint32_t slow_pops(void) {
    return bz_self->deque.slow_pops;
}

BLITZ_TASK_1(int, leaf, int, n) {
    return n;
}

/* Whether spawns are cheap: once the first job is public, no thread requests private ones. */
BLITZ_TASK_0(int, is_fast) {
    BLITZ_FORK(a, leaf, 1);
    BLITZ_FORK(b, leaf, 2);
    int fast = !bz_deque_is_requested(&bz_self->deque);
    return fast * (BLITZ_SYNC(b, leaf) + BLITZ_SYNC(a, leaf));
}

BLITZ_TASK_0(int, out_of_order) {
    BLITZ_FORK(a, leaf, 1);
    BLITZ_FORK(b, leaf, 20);
    BLITZ_FORK(c, leaf, 300);
    assert_int_equal(slow_pops(), 0);
    int sum = BLITZ_SYNC(a, leaf); /* runs the others first */
    assert_int_equal(slow_pops(), 2);
    BLITZ_FORK(d, leaf, 4000); /* in a's place */
    BLITZ_FORK(e, leaf, 50000);
    sum += BLITZ_SYNC(b, leaf);
    assert_int_equal(slow_pops(), 1);
    sum += BLITZ_SYNC(c, leaf);
    assert_int_equal(slow_pops(), 0);
    sum += BLITZ_SYNC(e, leaf);
    sum += BLITZ_SYNC(d, leaf);
    assert_int_equal(slow_pops(), 0);
    return sum;
}

static void pops_are_slow_until_that_is_synced(void **state) {
    (void)state;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(out_of_order_body((blitz_worker *)bz_self, 0), 54321);
        assert_int_equal(slow_pops(), 0);
        if (!bz_tsan)
            assert_int_equal(is_fast_body((blitz_worker *)bz_self, 0), 3);
    }
}

/* Worker 1 steals the spawns of worker 0, so they never run as a plain call. */
BLITZ_TASK_0(int, is_stolen) {
    assert_ptr_equal(bz_self, &rig.workers[1]);
    return BLITZ_CALL_0(out_of_order);
}

BLITZ_TASK_0(int, spawner) {
    const struct bz_filter any = {.floor = 0};
    BLITZ_FORK_0(x, is_stolen);
    blitz_worker *thief = become(1);
    struct bz_job *job = bz_worker_find(bz_self, &any);
    assert_non_null(job);
    bz_worker_run(bz_self, job);
    assert_int_equal(slow_pops(), 0);
    if (!bz_tsan)
        assert_int_equal(is_fast_body(thief, 0), 3);
    become(0);
    return BLITZ_SYNC(x, is_stolen);
}

static void on_a_worker_that_came_by_theft_too(void **state) {
    (void)state;
    for (int i = 0; i < 3; i++)
        assert_int_equal(spawner_body((blitz_worker *)bz_self, 0), 54321);
    assert_int_equal(slow_pops(), 0);
}

/* A spawn without room was in no deque, so its sync changes nothing. */
BLITZ_TASK_0(int, without_room) {
    struct bz_deque *deque = &bz_self->deque;
    BLITZ_FORK(a, leaf, 1);
    BLITZ_FORK(b, leaf, 20);
    int sum = BLITZ_SYNC(a, leaf);
    assert_int_equal(slow_pops(), 1);
    int64_t limit = deque->limit;
    bz_deque_seal(deque);
    BLITZ_FORK(c, leaf, 300);
    deque->limit = limit;
    sum += BLITZ_SYNC(c, leaf);
    assert_int_equal(slow_pops(), 1);
    sum += BLITZ_SYNC(b, leaf);
    assert_int_equal(slow_pops(), 0);
    return sum;
}

static void what_found_no_room_does_not_count(void **state) {
    (void)state;
    assert_int_equal(without_room_body((blitz_worker *)bz_self, 0), 321);
}

/* The code after a spawn has its own view; its sync sets that view aside while it runs the task. */
BLITZ_TASK_2(int, add, blitz_reducer *, sum, int, n) {
    *BLITZ_VIEW(long, sum) += n;
    return (int)slow_pops();
}

BLITZ_TASK_1(int, add_in_parallel, blitz_reducer *, sum) {
    BLITZ_FORK(first, add, sum, 1);
    *BLITZ_VIEW(long, sum) += 20;
    assert_int_equal(BLITZ_SYNC(first, add), 0);
    BLITZ_FORK(early, add, sum, 300); /* this one does run before its sync */
    BLITZ_FORK(older, add, sum, 4000);
    BLITZ_FORK(newer, add, sum, 50000);
    *BLITZ_VIEW(long, sum) += 600000;
    int slow = BLITZ_SYNC(early, add);
    slow += (int)slow_pops() * 10;
    (void)BLITZ_SYNC(newer, add);
    (void)BLITZ_SYNC(older, add);
    return slow * 10 + (int)slow_pops();
}

static void a_sync_with_views_runs_its_own_task_in_place(void **state) {
    (void)state;
    blitz_reducer reducer;
    long sum = 0;
    assert_int_equal(blitz_reducer_begin(&reducer, &blitz_sum_long_op, NULL, &sum), 0);
    for (int i = 0; i < 3; i++)
        assert_int_equal(add_in_parallel_body((blitz_worker *)bz_self, &reducer), 220);
    blitz_reducer_end(&reducer);
    assert_int_equal(sum, 3 * 654321);
}

/* `bound` is the limit of fast pushes. It is 0 while a steal is requested, and correct again after the next push. */
static void pushes_are_fast_unless_a_steal_is_requested(void **state) {
    (void)state;
    if (bz_tsan)
        skip(); /* a steal is always requested */
    static struct bz_job jobs[4], *job;
    struct bz_deque deque;
    bz_deque_init(&deque, 2);
    bz_deque_restore_bound(&deque);
    assert_int_equal(deque.bound.v, 0);
    for (int i = 0; i < 2; i++)
        assert_true(bz_deque_push(&deque, &jobs[i]));
    assert_true(bz_deque_expose(&deque));
    assert_int_equal(deque.bound.v, deque.limit);
    for (int i = 2; i < 4; i++)
        assert_true(bz_deque_push(&deque, &jobs[i]));
    assert_true(deque.bound.v < deque.limit); /* it has grown */
    bz_deque_restore_bound(&deque);
    assert_int_equal(deque.bound.v, deque.limit);
    assert_int_equal(bz_deque_steal(&deque, NULL, NULL, &job), BZ_STEAL_TAKEN); /* the only public one */
    assert_int_equal(deque.bound.v, 0);
    bz_deque_restore_bound(&deque);
    assert_int_equal(deque.bound.v, 0);
    assert_true(bz_deque_expose(&deque));
    bz_store_relaxed(&deque.bound, 0); /* a late thief's request */
    bz_deque_restore_bound(&deque);
    assert_int_equal(deque.bound.v, deque.limit);
    bz_store_relaxed(&deque.fast, BZ_DEQUE_REQUESTED); /* as if a fork had copied a request */
    bz_deque_forget_thieves(&deque);
    assert_int_equal(deque.bound.v, 0);
    bz_deque_destroy(&deque);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pushes_are_fast_unless_a_steal_is_requested),
        cmocka_unit_test_setup_teardown(pops_are_slow_until_that_is_synced, setup, teardown),
        cmocka_unit_test_setup_teardown(on_a_worker_that_came_by_theft_too, setup, teardown),
        cmocka_unit_test_setup_teardown(what_found_no_room_does_not_count, setup, teardown),
        cmocka_unit_test_setup_teardown(a_sync_with_views_runs_its_own_task_in_place, setup, teardown),
    };
    return cmocka_run_group_tests_name("cilk", tests, NULL, NULL);
}
