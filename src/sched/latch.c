#include "sched/latch.h"

#include "sched/worker.h"

void bz_count_latch_down(struct bz_count_latch *latch) {
    struct bz_worker *owner = latch->owner; /* read first: the latch may be gone after the last decrement */
    if (bz_fetch_sub_release(&latch->count, 1) == 1) /* L8: pairs with L7 */
        bz_worker_wake(owner);
}
