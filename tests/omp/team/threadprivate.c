// threadprivate data: copyin, and values that stay with a thread from region to region.
#include "../check.h"

static int mine = 5;
static struct {
    long sum;
    int history[4];
} record;
#pragma omp threadprivate(mine, record)

int main(void) {
    int threads = omp_get_max_threads();
    int fresh = 0, kept = 0;
    long sum = 0;

    /* The serial part sees the primary thread's copy. */
    mine = 9;
#pragma omp parallel reduction(+ : fresh)
    {
        fresh += mine == (omp_get_thread_num() == 0 ? 9 : 5);
        mine = 100 + omp_get_thread_num();
        record.sum = 0;
    }
    CHECK_EQ(fresh, threads);
    CHECK_EQ(mine, 100);

    /* Same size, no region in between: each thread finds its value again. */
#pragma omp parallel reduction(+ : kept)
    kept += mine == 100 + omp_get_thread_num();
    CHECK_EQ(kept, threads);

    for (int round = 0; round < 4; round++) {
#pragma omp parallel
        {
            record.history[round] = omp_get_thread_num() * 10 + round;
            record.sum += record.history[round];
        }
    }
#pragma omp parallel reduction(+ : sum)
    {
        CHECK_EQ(record.sum, omp_get_thread_num() * 40 + 6);
        CHECK_EQ(record.history[2], omp_get_thread_num() * 10 + 2);
        sum += record.sum;
    }

    mine = 77;
    record.history[3] = -1;
#pragma omp parallel copyin(mine, record)
    {
        CHECK_EQ(mine, 77);
        CHECK_EQ(record.history[3], -1);
        mine = omp_get_thread_num();
    }
    CHECK_EQ(mine, 0);
    CHECK_EQ(sum, 20L * threads * (threads - 1) + 6L * threads);
    printf("sum %ld\n", sum);
    return check_done("threadprivate");
}
