/* test_fence.c: fence.h: which side pays, with and without membarrier; and Dekker's protocol always holds. */
#include "wait/fence.h"

#include <sys/wait.h>
#include <unistd.h>

#include "../asserts.h"
#include "../rig.h"
#include "../seccomp.h"
#include "base/config.h"

/* Linked with --wrap=bz_os_membarrier_register, --wrap=bz_os_membarrier and --wrap=bz_os_now_ns. */
static bool refused;
static bool timed_too_soon; /* a thread read the clock before the fences were symmetric */
/* How long a second thread waited that was refused before the first one had set the end of the grace period. */
static uint64_t second_waited;
static unsigned heavy;

bool __real_bz_os_membarrier_register(void);
bool __wrap_bz_os_membarrier_register(void);
bool __wrap_bz_os_membarrier_register(void) {
    return !refused && __real_bz_os_membarrier_register();
}

bool __real_bz_os_membarrier(void);
bool __wrap_bz_os_membarrier(void);
bool __wrap_bz_os_membarrier(void) {
    heavy++;
    return __real_bz_os_membarrier();
}

static bool measures; /* the next clock reading times another heavy fence */

uint64_t __real_bz_os_now_ns(void);
uint64_t __wrap_bz_os_now_ns(void);
uint64_t __wrap_bz_os_now_ns(void) {
    timed_too_soon |= !bz_load_relaxed(&bz_fence_symmetric);
    uint64_t now = __real_bz_os_now_ns();
    if (measures) {
        measures = false;
        bz_fence_heavy();
        second_waited = __real_bz_os_now_ns() - now;
    }
    return now;
}

static void both_sides_are_fences_until_it_is_known_better(void **state) {
    (void)state;
    assert_true(bz_load_relaxed(&bz_fence_symmetric));
    bz_fence_heavy(); /* must not call membarrier, which is not registered */
    bz_fence_light();
    assert_int_equal(heavy, 0);
}

static void without_membarrier_both_sides_stay_fences(void **state) {
    (void)state;
    refused = true;
    bz_fence_init();
    assert_true(bz_load_relaxed(&bz_fence_symmetric));
    bz_fence_heavy();
    assert_int_equal(heavy, 0);
    refused = false;
}

static void with_membarrier_the_heavy_side_pays(void **state) {
    (void)state;
    bool offered = __real_bz_os_membarrier_register();
    bz_fence_init();
    assert_int_equal(bz_load_relaxed(&bz_fence_symmetric), !offered);
    bz_fence_heavy();
    assert_int_equal(heavy, offered);
}

/* A writes x and reads y; B writes y and reads x. At least one sees the other's write. */
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

/* ---- a sandbox that begins later ---- */

enum { NOT_OFFERED = 77 };

static void refuse_membarrier(void) {
    static const long calls[] = {SYS_membarrier};
    if (!seccomp_refuse(calls, 1, EPERM, false))
        _exit(NOT_OFFERED);
}

/* Half of the rounds as before; then this side's membarrier is refused. */
static void heavy_side_in_a_sandbox(struct bz_worker *self, void *arg) {
    heavy_side(self, arg);
    refuse_membarrier();
    heavy_side(self, arg);
}

static void light_side_twice(struct bz_worker *self, void *arg) {
    light_side(self, arg);
    light_side(self, arg);
}

static int after_a_refusal(void) {
    unsigned both_blind = 0;
    alarm(HANG_SECONDS); /* the parent's is not inherited */
    bz_fence_init();
    if (bz_load_relaxed(&bz_fence_symmetric))
        return NOT_OFFERED;
    timed_too_soon = false;
    measures = true;
    struct rig_thread threads[2];
    rig_start(&threads[0], NULL, light_side_twice, &both_blind);
    rig_start(&threads[1], NULL, heavy_side_in_a_sandbox, NULL);
    rig_join(&threads[0]);
    rig_join(&threads[1]);
    if (both_blind > 0 || !bz_load_relaxed(&bz_fence_symmetric) || timed_too_soon ||
        second_waited < BZ_FENCE_GRACE_NS)
        return 1;
    unsigned calls = heavy;
    bz_fence_heavy(); /* is not tried again, although this thread could */
    return heavy != calls;
}

static void a_refusal_makes_both_sides_fences(void **state) {
    (void)state;
    int status = 0;
    pid_t child = fork();
    if (child == 0)
        _exit(after_a_refusal());
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == NOT_OFFERED)
        skip();
    assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void) {
    alarm(HANG_SECONDS);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_sides_are_fences_until_it_is_known_better),
        cmocka_unit_test(without_membarrier_both_sides_stay_fences),
        cmocka_unit_test(with_membarrier_the_heavy_side_pays),
        cmocka_unit_test(a_refusal_makes_both_sides_fences), /* forks: before there are threads */
        cmocka_unit_test(one_side_always_sees_the_other),
    };
    return cmocka_run_group_tests_name("fence", tests, NULL, NULL);
}
