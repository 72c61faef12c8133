// beyond libomp: its loops have no iterations once the region is cancelled
// env: OMP_CANCELLATION=true
// A query for the cancellation of a region is no cancellation point: the thread still runs its share of the constructs.
#include "calls.h"

enum { ROUNDS = 50 };

int kmp_get_cancellation_status(int);

static void asks(int32_t *id, int32_t *num) {
    int32_t first, last, step, ends, runs = 0;
    CHECK_EQ(kmp_get_cancellation_status(CANCEL_LOOP), 0);
    if (*num == 0) {
        CHECK_EQ(__kmpc_cancel(&here, *id, CANCEL_PARALLEL), 1);
        (void)__kmpc_cancel_barrier(&here, *id);
        return;
    }
    while (!kmp_get_cancellation_status(CANCEL_PARALLEL))
        sched_yield();
    __kmpc_dispatch_init_4(&here, *id, DYNAMIC, 0, 9, 1, 1);
    while (__kmpc_dispatch_next_4(&here, *id, &ends, &first, &last, &step))
        runs += last - first + 1;
    CHECK_EQ(runs, 10);
    CHECK_EQ(__kmpc_cancellationpoint(&here, *id, CANCEL_PARALLEL), 1);
    (void)__kmpc_cancel_barrier(&here, *id);
}

int main(void) {
    omp_set_dynamic(0);
    for (int i = 0; i < ROUNDS; i++)
        REGION(2, asks, 0);
    return check_done("cancel_status");
}
