#include "sched/latch.h"

#include "os/os.h"
#include "sched/worker.h"
#include "wait/load.h"

void bz_once_latch_set(struct bz_once_latch *latch) {
    uint32_t *word = &latch->state.v;
    if (bz_exchange_release(&latch->state, BZ_LATCH_SET) == BZ_LATCH_SLEEPING) /* L6: pairs with L5 and L9 */
        bz_os_futex_wake(word, 1); /* the word may be gone: harmless */
}

void bz_once_latch_wait(struct bz_once_latch *latch) {
    uint32_t state = BZ_LATCH_UNSET;
    if (!bz_cas_acq_rel(&latch->state, &state, BZ_LATCH_SLEEPING)) /* L9: pairs with L6 */
        return;
    bz_awake_add(-1);
    while (bz_load_acquire(&latch->state) != BZ_LATCH_SET) /* L9: pairs with L6 */
        bz_os_futex_wait(&latch->state.v, BZ_LATCH_SLEEPING);
    bz_awake_add(1);
}

void bz_count_latch_down(struct bz_count_latch *latch) {
    struct bz_worker *owner = latch->owner; /* read first: the latch may be gone after the last decrement */
    if (bz_fetch_sub_release(&latch->count, 1) == 1) /* L8: pairs with L7 */
        bz_worker_wake(owner);
}
