/* test_fence.c: fence.h: which side pays, with membarrier and without; and that Dekker's question is always answered. */
#include "fence.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "../rig.h"

#define HANG_SECONDS 50

/* Linked with --wrap=bz_os_membarrier_register and --wrap=bz_os_membarrier. */
static bool refused;
static unsigned heavy;

bool __real_bz_os_membarrier_register(void);
bool __wrap_bz_os_membarrier_register(void);
bool __wrap_bz_os_membarrier_register(void) {
    return !refused && __real_bz_os_membarrier_register();
}

void __real_bz_os_membarrier(void);
void __wrap_bz_os_membarrier(void);
void __wrap_bz_os_membarrier(void) {
    heavy++;
    __real_bz_os_membarrier();
}

static void both_sides_are_fences_until_it_is_known_better(void **state) {
    (void)state;
    assert_true(bz_fence_symmetric);
    bz_fence_heavy(); /* must not call membarrier, which is not registered */
    bz_fence_light();
    assert_int_equal(heavy, 0);
}

static void without_membarrier_both_sides_stay_fences(void **state) {
    (void)state;
    refused = true;
    bz_fence_init();
    assert_true(bz_fence_symmetric);
    bz_fence_heavy();
    assert_int_equal(heavy, 0);
    refused = false;
}

static void with_membarrier_the_heavy_side_pays(void **state) {
    (void)state;
    bool offered = __real_bz_os_membarrier_register();
    bz_fence_init();
    assert_int_equal(bz_fence_symmetric, !offered);
    bz_fence_heavy();
    assert_int_equal(heavy, offered);
}

/* A writes x, looks at y; B writes y, looks at x. Not both may find nothing. */
static struct {
    BZ_ALIGN_LINE struct bz_a32 x;
    BZ_ALIGN_LINE struct bz_a32 y;
    BZ_ALIGN_LINE struct bz_a32 turn, arrived;
    bool saw[2];
} dekker;

enum { ROUNDS = 3000 };

static void meet(uint32_t turn) {
    if (bz_fetch_add_acq_rel(&dekker.arrived, 1) % 2 == 1)
        bz_store_release(&dekker.turn, turn);
    else
        for (unsigned i = 0; bz_load_acquire(&dekker.turn) != turn; i++)
            if (i > 1000)
                bz_os_yield();
}

static void light_side(struct bz_worker *self, void *arg) {
    (void)self;
    unsigned *both_blind = arg;
    for (unsigned i = 0; i < ROUNDS; i++) {
        meet(2 * i + 1);
        bz_store_relaxed(&dekker.x, 1);
        bz_fence_light();
        dekker.saw[0] = bz_load_relaxed(&dekker.y);
        meet(2 * i + 2);
        *both_blind += !dekker.saw[0] && !dekker.saw[1];
        bz_store_relaxed(&dekker.x, 0);
        bz_store_relaxed(&dekker.y, 0);
    }
}

static void heavy_side(struct bz_worker *self, void *arg) {
    (void)self;
    (void)arg;
    for (unsigned i = 0; i < ROUNDS; i++) {
        meet(2 * i + 1);
        bz_store_relaxed(&dekker.y, 1);
        bz_fence_heavy();
        dekker.saw[1] = bz_load_relaxed(&dekker.x);
        meet(2 * i + 2);
    }
}

static void one_side_always_sees_the_other(void **state) {
    (void)state;
    unsigned both_blind = 0;
    struct rig_thread threads[2];
    rig_start(&threads[0], NULL, light_side, &both_blind);
    rig_start(&threads[1], NULL, heavy_side, NULL);
    rig_join(&threads[0]);
    rig_join(&threads[1]);
    assert_int_equal(both_blind, 0);
}

int main(void) {
    alarm(HANG_SECONDS);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_sides_are_fences_until_it_is_known_better),
        cmocka_unit_test(without_membarrier_both_sides_stay_fences),
        cmocka_unit_test(with_membarrier_the_heavy_side_pays),
        cmocka_unit_test(one_side_always_sees_the_other),
    };
    return cmocka_run_group_tests_name("fence", tests, NULL, NULL);
}
