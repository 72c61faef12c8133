// env: OMP_CANCELLATION=true
// env: OMP_CANCELLATION=true OMP_WAIT_POLICY=passive
// env: OMP_CANCELLATION=false
// Cancellation of regions by the calls of clang's code: the cancelling thread goes to the barrier and the end; the
// others notice there or at cancellation points; the next region is complete.
#include "calls.h"

enum { ROUNDS = 50 };

static int past, before, after;
static critical_name lock;

/* #pragma omp cancel parallel if (...), then a barrier, a reduction and a single that no thread reaches after it. */
static void at_barrier(int32_t *id, int32_t *num, int64_t who) {
    count_up(&before);
    if (*num == who && __kmpc_cancel(&here, *id, CANCEL_PARALLEL)) {
        CHECK(omp_get_cancellation());
        CHECK_EQ(__kmpc_cancel_barrier(&here, *id), 1);
        return;
    }
    if (__kmpc_cancel_barrier(&here, *id))
        return;
    count_up(&past);
    int method = __kmpc_reduce_nowait(&here, *id, 1, 8, NULL, NULL, &lock);
    if (method == 1) {
        after++;
        __kmpc_end_reduce_nowait(&here, *id, &lock);
    } else {
        CHECK_EQ(method, 0);
    }
}

/* Spinning threads notice at a cancellation point. */
static void at_point(int32_t *id, int32_t *num, int64_t who) {
    count_up(&before);
    if (*num == who) {
        busy_work(1, 1000);
        if (__kmpc_cancel(&here, *id, CANCEL_PARALLEL)) {
            (void)__kmpc_cancel_barrier(&here, *id);
            return;
        }
        CHECK(!omp_get_cancellation());
        count_up(&past);
        return;
    }
    while (!__kmpc_cancellationpoint(&here, *id, CANCEL_PARALLEL)) {
        if (!omp_get_cancellation()) {
            count_up(&past);
            return;
        }
        sched_yield();
    }
    CHECK_EQ(__kmpc_cancel_barrier(&here, *id), 1);
}

static void whole(int32_t *id, int32_t *num) {
    (void)num;
    CHECK_EQ(__kmpc_cancellationpoint(&here, *id, CANCEL_PARALLEL), 0);
    CHECK_EQ(__kmpc_cancel_barrier(&here, *id), 0);
    if (__kmpc_single(&here, *id)) {
        count_up(&after);
        __kmpc_end_single(&here, *id);
    }
    __kmpc_barrier(&here, *id);
}

int main(void) {
    int size = omp_get_max_threads(), on = omp_get_cancellation();
    omp_set_dynamic(0);
    for (int i = 0; i < ROUNDS; i++) {
        before = past = after = 0;
        __kmpc_fork_call(&here, 1, (microtask *)at_barrier, (int64_t)(i % size));
        CHECK_EQ(before, size);
        CHECK_EQ(past, on ? 0 : size);
        CHECK(on || after > 0);
        before = past = after = 0;
        __kmpc_fork_call(&here, 0, (microtask *)whole);
        CHECK_EQ(after, 1);
        before = past = 0;
        __kmpc_fork_call(&here, 1, (microtask *)at_point, (int64_t)(i % size));
        CHECK_EQ(before, size);
        CHECK_EQ(past, on ? 0 : size);
    }
    return check_done("region_cancel");
}
