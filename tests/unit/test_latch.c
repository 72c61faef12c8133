/* test_latch.c: latch.h: the states of each latch. No set is lost, in whatever state it comes. */
#include "api/scope.h"

#include <unistd.h>

#include "../asserts.h"
#include "../rig.h"

/* ---- core latch ---- */

static void an_owner_goes_to_sleep_in_two_steps(void **state) {
    (void)state;
    struct bz_core_latch latch = {{BZ_LATCH_UNSET}};
    assert_true(bz_core_latch_get_sleepy(&latch));
    assert_int_equal(latch.state.v, BZ_LATCH_SLEEPY);
    assert_true(bz_core_latch_fall_asleep(&latch));
    assert_int_equal(latch.state.v, BZ_LATCH_SLEEPING);
    assert_int_equal(bz_core_latch_reset(&latch), BZ_LATCH_SLEEPING);
    assert_int_equal(latch.state.v, BZ_LATCH_UNSET);
}

static void a_set_before_sleep_is_kept(void **state) {
    (void)state;
    struct bz_core_latch latch = {{BZ_LATCH_UNSET}};
    assert_false(bz_core_latch_set(&latch));
    assert_false(bz_core_latch_set(&latch)); /* a second set changes nothing */
    assert_false(bz_core_latch_get_sleepy(&latch));
    assert_int_equal(latch.state.v, BZ_LATCH_SET);
    assert_int_equal(bz_core_latch_reset(&latch), BZ_LATCH_SET);
    assert_true(bz_core_latch_get_sleepy(&latch));
}

static void a_set_between_the_steps_keeps_the_owner_awake(void **state) {
    (void)state;
    struct bz_core_latch latch = {{BZ_LATCH_UNSET}};
    assert_true(bz_core_latch_get_sleepy(&latch));
    assert_false(bz_core_latch_set(&latch)); /* no worker to wake, nothing to subtract */
    assert_false(bz_core_latch_fall_asleep(&latch));
    assert_int_equal(bz_core_latch_reset(&latch), BZ_LATCH_SET);
}

static void only_one_setter_wakes(void **state) {
    (void)state;
    struct bz_core_latch latch = {{BZ_LATCH_UNSET}};
    bz_core_latch_get_sleepy(&latch);
    bz_core_latch_fall_asleep(&latch);
    assert_true(bz_core_latch_set(&latch));
    assert_false(bz_core_latch_set(&latch));
    assert_int_equal(bz_core_latch_reset(&latch), BZ_LATCH_SET);
}

/* ---- count latch ---- */

static void a_count_latch_opens_at_zero(void **state) {
    (void)state;
    struct rig rig;
    struct bz_scope latch;
    rig_init(&rig, 1, 0);
    latch = (struct bz_scope){.self = &rig.workers[0], .left = {1}};
    assert_false(bz_scope_is_done(&latch));
    bz_fetch_add_relaxed(&latch.left, 2);
    bz_scope_end_task(&latch);
    bz_scope_end_task(&latch);
    assert_false(bz_scope_is_done(&latch));
    assert_int_equal(rig.workers[0].sleeper.latch.state.v,
                     BZ_LATCH_UNSET); /* only the last one wakes the owner */
    bz_scope_end_task(&latch);
    assert_true(bz_scope_is_done(&latch));
    assert_int_equal(rig.workers[0].sleeper.latch.state.v, BZ_LATCH_SET);
    latch = (struct bz_scope){.self = &rig.workers[0], .left = {0}};
    assert_true(bz_scope_is_done(&latch));
    rig_destroy(&rig);
}

struct countdown {
    struct rig rig;
    struct bz_scope latch;
    int written[3];
    struct bz_a32 ready;
};

static bool is_zero(void *arg) {
    return bz_scope_is_done(arg);
}

static void count_down(struct bz_worker *self, void *arg) {
    struct countdown *c = arg;
    if (self->index == 0) {
        struct bz_wait wait = {.done = is_zero, .arg = &c->latch};
        bz_worker_wait_until(self, &wait);
        return;
    }
    rig_until(bz_load_relaxed(&c->rig.workers[0].sleeper.latch.state) == BZ_LATCH_SLEEPING);
    bz_fetch_add_relaxed(&c->ready, 1);
    rig_until(bz_load_relaxed(&c->ready) == 3); /* all have seen it asleep */
    c->written[self->index - 1] = 42;
    bz_scope_end_task(&c->latch);
}

static void a_count_latch_wakes_its_owner(void **state) {
    (void)state;
    struct countdown c = {.written = {0}};
    rig_init(&c.rig, 4, 0);
    c.latch = (struct bz_scope){.self = &c.rig.workers[0], .left = {3}};
    rig_run(&c.rig, count_down, &c);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(c.written[i], 42);
    assert_int_equal(c.rig.workers[0].stats.parks.v, 1);
    assert_int_equal(c.rig.domain.counters.word.v & 0xffffffff, 0);
    rig_destroy(&c.rig);
}

int main(void) {
    alarm(HANG_SECONDS);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_owner_goes_to_sleep_in_two_steps),
        cmocka_unit_test(a_set_before_sleep_is_kept),
        cmocka_unit_test(a_set_between_the_steps_keeps_the_owner_awake),
        cmocka_unit_test(only_one_setter_wakes),
        cmocka_unit_test(a_count_latch_opens_at_zero),
        cmocka_unit_test(a_count_latch_wakes_its_owner),
    };
    return cmocka_run_group_tests_name("latch", tests, NULL, NULL);
}
