// The static schedules: which thread runs which iteration is fixed, and the same from loop to loop.
#include "../check.h"

enum { N = 103 };

static int block_owner(int i, int threads) {
    int share = N / threads, more = N % threads;

    return i < more * (share + 1) ? i / (share + 1) : (i - more) / share;
}

int main(void) {
    int threads = omp_get_max_threads();
    int by_block[N], by_chunk[N], at_runtime[N], in_order[N], value[N];
    int wrong = 0;

    omp_set_schedule(omp_sched_static, 4);
#pragma omp parallel
    {
        int me = omp_get_thread_num();

#pragma omp for schedule(static) nowait
        for (int i = 0; i < N; i++) {
            by_block[i] = me;
            value[i] = i;
        }
        /* Same bounds, same schedule: same thread, so no barrier is needed between the two. */
#pragma omp for schedule(static) nowait
        for (int i = 0; i < N; i++)
            value[i] += 10 * (by_block[i] == me);
#pragma omp for schedule(static, 4) nowait
        for (int i = 0; i < N; i++)
            by_chunk[i] = me;
#pragma omp for schedule(runtime)
        for (int i = 0; i < N; i++)
            at_runtime[i] = me;
#pragma omp for schedule(static) ordered
        for (int i = 0; i < N; i++)
            in_order[i] = me;
    }
    for (int i = 0; i < N; i++) {
        CHECK_EQ(by_block[i], block_owner(i, threads));
        CHECK_EQ(by_chunk[i], i / 4 % threads);
        CHECK_EQ(at_runtime[i], by_chunk[i]);
        CHECK_EQ(in_order[i], by_block[i]);
        CHECK_EQ(value[i], i + 10);
        wrong += in_order[i] != by_block[i];
    }
    printf("last owner %d wrong %d\n", by_block[N - 1], wrong);
    return check_done("loop_static");
}
