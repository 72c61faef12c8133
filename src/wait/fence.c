#include "wait/fence.h"

#include "base/config.h"
#include "os/os.h"

struct bz_aflag bz_fence_symmetric = {true};

/* 0, or the end of the grace period, after which no thread is left between a light fence that fenced nothing and its next
 * access. By refused threads, and those that find the fences symmetric. */
static struct bz_a64 grace_end_ns;
#define UNKNOWN_END UINT64_MAX

void bz_fence_init(void) {
    bz_store_relaxed(&grace_end_ns, 0); /* relaxed, both: only one thread of the process uses these */
    bz_store_relaxed(&bz_fence_symmetric, !bz_os_membarrier_register());
}

/* The time counts from when all see that: the first refused thread may be stopped for long before. */
static void give_up_asymmetry(void) {
    uint64_t never = 0, unknown = UNKNOWN_END;
    (void)bz_cas_relaxed(&grace_end_ns, &never, UNKNOWN_END);
    bz_store_release(&bz_fence_symmetric, true); /* F1: pairs with F2 */
    bz_fence_seq_cst();
    (void)bz_cas_relaxed(&grace_end_ns, &unknown, bz_os_now_ns() + BZ_FENCE_GRACE_NS);
}

/* No thread wakes this: it sleeps until then. */
static void sleep_until_grace_end(void) {
    static uint32_t word;
    uint64_t until = bz_load_relaxed(&grace_end_ns); /* relaxed: made visible by F2, or own */
    if (until == UNKNOWN_END)
        until = bz_os_now_ns() + BZ_FENCE_GRACE_NS;
    while (until > bz_os_now_ns())
        (void)bz_os_futex_wait_until(&word, 0, until, 0);
}

bool bz_fence_others(void) {
    bz_fence_seq_cst();
    if (bz_load_acquire(&bz_fence_symmetric)) /* F2: pairs with F1 */
        return false;
    if (bz_os_membarrier())
        return true;
    give_up_asymmetry();
    return false;
}

void bz_fence_heavy(void) {
    if (bz_fence_others())
        return;
    if (bz_load_relaxed(&grace_end_ns) == 0) /* relaxed: as above */
        return;
    sleep_until_grace_end();
    bz_fence_seq_cst();
}
