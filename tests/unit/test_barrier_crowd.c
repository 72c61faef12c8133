/* test_barrier_crowd.c: barrier.h with more threads than CPUs: when a waiter yields its CPU. */
#include "team/barrier.h"

#include <unistd.h>

#include "../asserts.h"
#include "../rig.h"
#include "env/options.h"
#include "wait/load.h"
#include "wait/spin.h"

static uint32_t generation(const struct bz_barrier *barrier) {
    return (uint32_t)(bz_load_acquire(&barrier->word) >> 32);
}

/* ---- a step in between (linked with --wrap=bz_os_yield) ---- */

void __real_bz_os_yield(void);
void __wrap_bz_os_yield(void);

static void (*instead_of_yield)(void);

void __wrap_bz_os_yield(void) {
    if (instead_of_yield)
        instead_of_yield();
    else
        __real_bz_os_yield();
}

/* ---- tests ---- */

static struct {
    struct bz_barrier barrier;
    unsigned yields;
} crowd;

/* The missing workers arrive and complete the meeting. */
static void the_others_come(void) {
    crowd.yields++;
    bz_store_release(&crowd.barrier.word, (uint64_t)(generation(&crowd.barrier) + 1) << 32);
}

/* Worker 0 arrives at a meeting of all workers, after `came` others; this machine has two CPUs. */
static void come_to_a_crowd(struct rig *rig, unsigned came) {
    bz_store_relaxed(&crowd.barrier.word, ((uint64_t)generation(&crowd.barrier) << 32) + came);
    crowd.yields = 0;
    bz_barrier_wait(&crowd.barrier, &rig->workers[0], NULL);
}

static void begin_crowd(struct rig *rig, unsigned workers) {
    bz_set_spin_ns(1000000000); /* set by the user: no yield takes too long */
    rig_init(rig, workers, 1000000000);
    bz_barrier_init(&crowd.barrier);
    bz_become(rig->workers);
    bz_set_cpus(2);
    bz_awake_add(100);
    instead_of_yield = the_others_come;
}

static void end_crowd(struct rig *rig) {
    instead_of_yield = NULL;
    bz_awake_add(-100);
    bz_set_cpus(0);
    bz_set_spin_ns(BZ_SPIN_AUTO);
    bz_become(NULL);
    rig_destroy(rig);
}

static void where_some_are_missing_here_the_cpu_is_given_away_at_once(void **state) {
    (void)state;
    struct rig rig;
    begin_crowd(&rig, 4);
    for (unsigned came = 0; came < 2; came++) {
        come_to_a_crowd(&rig, came);
        assert_int_equal(crowd.yields, 1);
        assert_int_equal(rig.workers[0].stats.tries.v, 0); /* without a search */
    }
    end_crowd(&rig);
}

static void where_others_run_elsewhere_the_cpu_is_kept_for_a_moment(void **state) {
    (void)state;
    struct rig rig;
    begin_crowd(&rig, 4);
    come_to_a_crowd(&rig, 2); /* one is missing, and does not arrive while worker 0 spins */
    assert_true(crowd.yields > 0);
    assert_true(rig.workers[0].stats.tries.v > 0); /* it searched first */
    end_crowd(&rig);
}

int main(void) {
    alarm(HANG_SECONDS);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(where_some_are_missing_here_the_cpu_is_given_away_at_once),
        cmocka_unit_test(where_others_run_elsewhere_the_cpu_is_kept_for_a_moment),
    };
    return cmocka_run_group_tests_name("barrier_crowd", tests, NULL, NULL);
}
