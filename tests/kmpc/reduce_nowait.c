// A reduction without a barrier: no member waits for others, which may wait for its next steps.
// beyond libomp: in teams of more than four members all wait for each other
#include "calls.h"

static critical_name lock;
static long total;

static void add(void *into, void *from) {
    **(long **)into += **(long **)from;
}

/* The last one arrives after all others have gone on. */
static void one_comes_last(int32_t *gtid, int32_t *btid, int *through) {
    long mine = 1;
    void *list[1] = {&mine};
    while (*btid == 0 && __atomic_load_n(through, __ATOMIC_ACQUIRE) < omp_get_num_threads() - 1)
        sched_yield();
    if (__kmpc_reduce_nowait(&here, *gtid, 1, sizeof list, list, add, &lock) == 1) {
        __atomic_fetch_add(&total, mine, __ATOMIC_RELAXED);
        __kmpc_end_reduce_nowait(&here, *gtid, &lock);
    }
    __atomic_fetch_add(through, 1, __ATOMIC_ACQ_REL);
}

int main(void) {
    omp_set_dynamic(0);
    for (int threads = 1; threads <= 9; threads++) {
        int through = 0;
        total = 0;
        REGION(threads, one_comes_last, 1, &through);
        CHECK_EQ(total, threads);
    }
    return check_done("reduce_nowait");
}
