// beyond libomp: it treats invalid chunks differently
// omp_set_schedule: the result of omp_get_schedule afterwards, and the effect on schedule(runtime).
#include "../check.h"

enum { N = 64 };

static void run(int kind, int chunk, int threads) {
    omp_sched_t now;
    int now_chunk, hits[N] = {0}, owner[N];

    omp_set_schedule((omp_sched_t)kind, chunk);
    omp_get_schedule(&now, &now_chunk);
    printf("set %#x,%d: is %#x,%d\n", (unsigned)kind, chunk, (unsigned)now, now_chunk);
#pragma omp parallel for schedule(runtime)
    for (int i = 0; i < N; i++) {
        owner[i] = omp_get_thread_num();
        count_up(&hits[i]);
    }
    for (int i = 0; i < N; i++) {
        CHECK_EQ(hits[i], 1);
        if ((now & 0x7fffffff) == omp_sched_static && now_chunk > 0)
            CHECK_EQ(owner[i], i / now_chunk % threads);
    }
}

int main(void) {
    static const int kinds[] = {omp_sched_static, omp_sched_dynamic, omp_sched_guided, omp_sched_auto};
    int threads = omp_get_max_threads();

    for (int k = 0; k < 4; k++) {
        run(kinds[k], 0, threads);
        run(kinds[k], 1, threads);
        run(kinds[k], 5, threads);
        run(kinds[k], -4, threads);
        run(kinds[k] | (int)omp_sched_monotonic, 3, threads);
        run(kinds[k], 1000000, threads);
    }
    /* Not a schedule: the previous one stays. */
    run(omp_sched_static, 2, threads);
    run(77, 9, threads);
    run(0, 9, threads);
    return check_done("loop_set_schedule");
}
