/* test_join.c: join.h: which thread runs a forked job, in every state that its owner can find it in, and the jobs that
 * a waiting owner runs meanwhile. stress_join.c has random trees. */
#include "api/join.h"

#include <unistd.h>

#include "../asserts.h"
#include "base/config.h"
#include "waiter.h"

/* Memory as the deque sees it (linked with --wrap=bz_alloc). */
static struct bz_aflag no_memory;

void *__real_bz_alloc(size_t size);
void *__wrap_bz_alloc(size_t size);
void *__wrap_bz_alloc(size_t size) {
    return bz_load_relaxed(&no_memory) ? NULL : __real_bz_alloc(size);
}

/* ---- a domain with no thread but this one ---- */

static struct rig rig;
static struct bz_worker *self;

static int setup(void **state) {
    (void)state;
    alarm(HANG_SECONDS);
    rig_init(&rig, 2, 0);
    bz_become(self = &rig.workers[0]);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    bz_become(NULL);
    rig_destroy(&rig);
    return 0;
}

/* Records the order of the jobs. */
static unsigned log_size;
static int log_of[16];

static void note(void *arg) {
    log_of[log_size++] = *(int *)arg;
}

static void the_newest_runs_at_its_sync(void **state) {
    struct bz_call one, two;
    int names[] = {1, 2};
    (void)state;
    log_size = 0;
    bz_call_fork(self, &one, note, &names[0]);
    bz_call_fork(self, &two, note, &names[1]);
    assert_int_equal(log_size, 0);
    bz_call_sync(self, &two);
    assert_int_equal(log_size, 1);
    bz_call_sync(self, &one);
    assert_int_equal(log_size, 2);
    assert_int_equal(log_of[0], 2);
    assert_int_equal(log_of[1], 1);
    assert_int_equal(bz_deque_size(&self->deque), 0);
}

static void younger_ones_run_first_when_synced_out_of_order(void **state) {
    struct bz_call calls[3];
    int names[] = {1, 2, 3};
    (void)state;
    log_size = 0;
    for (int i = 0; i < 3; i++)
        bz_call_fork(self, &calls[i], note, &names[i]);
    bz_call_sync(self, &calls[0]);
    assert_int_equal(log_size, 3);
    bz_call_sync(self, &calls[2]);
    bz_call_sync(self, &calls[1]);
    assert_int_equal(log_size, 3); /* each once */
    assert_int_equal(log_of[0], 3);
    assert_int_equal(log_of[1], 2);
    assert_int_equal(log_of[2], 1);
}

static void what_a_thief_has_done_is_not_run_again(void **state) {
    struct bz_call call;
    struct bz_worker *thief = &rig.workers[1];
    int name = 7;
    (void)state;
    log_size = 0;
    bz_call_fork(self, &call, note, &name);
    struct bz_job *job = bz_worker_find(thief, &(struct bz_filter){0});
    assert_ptr_equal(job, &call.frame.job);
    assert_int_not_equal(self->sleeper.latch.state.v, BZ_LATCH_SET);
    bz_worker_run(thief, job);
    assert_int_equal(self->sleeper.latch.state.v, BZ_LATCH_SET); /* its owner was woken */
    assert_ptr_equal(call.frame.job.run, bz_done);
    bz_call_sync(self, &call);
    assert_int_equal(log_size, 1);
}

/* A job that a worker runs after a theft, but did not steal, wakes no worker: its owner is the worker itself. */
static void a_job_that_was_not_stolen_wakes_no_worker(void **state) {
    struct bz_call stolen, own;
    struct bz_worker *thief = &rig.workers[1];
    int name = 7;
    (void)state;
    log_size = 0;
    bz_call_fork(self, &stolen, note, &name);
    bz_worker_run(thief, bz_worker_find(thief, &(struct bz_filter){0}));
    bz_call_sync(self, &stolen);
    bz_core_latch_reset(&self->sleeper.latch);
    bz_call_fork(thief, &own, note, &name);
    bz_worker_run(thief, bz_worker_pop(thief));
    assert_int_equal(log_size, 2);
    assert_ptr_equal(own.frame.job.run, bz_done);
    assert_int_not_equal(self->sleeper.latch.state.v, BZ_LATCH_SET);
    assert_int_not_equal(thief->sleeper.latch.state.v, BZ_LATCH_SET);
}

static void without_room_a_fork_runs_at_once(void **state) {
    enum { MANY = BZ_DEQUE_CAPACITY + 1 };
    static struct bz_call calls[MANY];
    int name = 5;
    (void)state;
    log_size = 0;
    for (int i = 0; i < BZ_DEQUE_CAPACITY; i++)
        bz_call_fork(self, &calls[i], note, &name);
    assert_int_equal(log_size, 0);
    bz_store_relaxed(&no_memory, true);
    bz_call_fork(self, &calls[BZ_DEQUE_CAPACITY], note, &name);
    bz_store_relaxed(&no_memory, false);
    assert_int_equal(log_size, 1);
    for (int i = MANY; i-- > 0;) {
        log_size = 0;
        bz_call_sync(self, &calls[i]);
        assert_int_equal(log_size, i < BZ_DEQUE_CAPACITY);
    }
}

/* ---- a pool: the jobs that a waiting owner runs ---- */

static void fork_and_wait(struct waiter *play, blitz_fn *fn) {
    blitz_frame frame;
    play->owner = bz_self;
    blitz_fork(&frame, fn, play);
    rig_until(bz_load_acquire(&play->began) == 1);
    blitz_sync(&frame);
}

static void wait_for_one_that_needs_help(void *arg) {
    fork_and_wait(arg, waiter_need_help);
}

static void a_waiter_helps_its_thief(void **state) {
    struct waiter play = {.owner = NULL};
    (void)state;
    assert_int_equal(blitz_pool_create(&(blitz_config){.workers = 2}, &play.pool), 0);
    assert_int_equal(blitz_call(play.pool, wait_for_one_that_needs_help, &play), 0);
    assert_int_equal(play.child.v, 1);
    assert_true(pthread_equal(play.ran_child, pthread_self()));
    assert_int_equal(blitz_pool_destroy(play.pool), 0);
}

/* Two threads of the pool: the first takes the forked job, the second the stranger. */
static void wait_with_a_stranger(void *arg) {
    struct waiter *play = arg;
    blitz_frame frame;
    play->owner = bz_self;
    play->parks = waiter_parks_of(bz_self); /* it may sleep before the thief's first search */
    blitz_fork(&frame, waiter_end_when_the_owner_sleeps, play);
    rig_until(bz_load_acquire(&play->began) == 1);
    assert_int_equal(blitz_submit(play->pool, waiter_stay_strange, play), 0);
    rig_until(bz_load_acquire(&play->stranger_began) == 1);
    blitz_sync(&frame);
    assert_int_equal(waiter_parks_of(play->owner) > 0, 1);
}

static void a_waiter_runs_no_unrelated_job(void **state) {
    struct waiter play = {.owner = NULL};
    (void)state;
    assert_int_equal(blitz_pool_create(&(blitz_config){.workers = 3}, &play.pool), 0);
    assert_int_equal(blitz_call(play.pool, wait_with_a_stranger, &play), 0);
    assert_int_equal(blitz_wait_idle(play.pool), 0);
    assert_int_equal(play.stranger_child.v, 1);
    assert_false(pthread_equal(play.ran_stranger_child, pthread_self()));
    assert_int_equal(blitz_pool_destroy(play.pool), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_newest_runs_at_its_sync, setup, teardown),
        cmocka_unit_test_setup_teardown(younger_ones_run_first_when_synced_out_of_order, setup, teardown),
        cmocka_unit_test_setup_teardown(what_a_thief_has_done_is_not_run_again, setup, teardown),
        cmocka_unit_test_setup_teardown(a_job_that_was_not_stolen_wakes_no_worker, setup, teardown),
        cmocka_unit_test_setup_teardown(without_room_a_fork_runs_at_once, setup, teardown),
        cmocka_unit_test(a_waiter_helps_its_thief),
        cmocka_unit_test(a_waiter_runs_no_unrelated_job),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
