// repeat: 40
// Long rows of loops without barriers between them, of all schedules, with and without iterations.
#include "../check.h"

enum { LOOPS = 8, N = 37 };

static int hits[LOOPS];

static void row(int chunk) {
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < N; i++)
        count_up(&hits[0]);
#pragma omp for schedule(guided, chunk) nowait
    for (int i = 0; i < N; i++)
        count_up(&hits[1]);
#pragma omp for schedule(static, chunk) nowait
    for (int i = 0; i < N; i++)
        count_up(&hits[2]);
#pragma omp for schedule(runtime) nowait
    for (int i = N; i > 0; i--)
        count_up(&hits[3]);
#pragma omp for schedule(dynamic, chunk) nowait
    for (int i = 0; i < chunk - 1; i++)
        count_up(&hits[4]);
#pragma omp single nowait
    count_up(&hits[5]);
#pragma omp sections nowait
    {
#pragma omp section
        count_up(&hits[6]);
#pragma omp section
        count_up(&hits[6]);
    }
#pragma omp for schedule(guided) nowait
    for (unsigned long long i = 0; i < N; i++)
        count_up(&hits[7]);
}

int main(int argc, char **argv) {
    int rounds = (int)check_arg(argc, argv, 1, 500);
    int chunks = 0;

    /* One long row; sometimes a thread delays, so that the others run ahead. */
#pragma omp parallel
    {
        int me = omp_get_thread_num(), threads = omp_get_num_threads();

        for (int r = 0; r < rounds; r++) {
            row(1 + r % 3);
            if (r % (7 * threads) == 7 * me)
                sched_yield();
        }
    }
    for (int r = 0; r < rounds; r++)
        chunks += r % 3;
    CHECK_EQ(hits[0], rounds * N);
    CHECK_EQ(hits[1], rounds * N);
    CHECK_EQ(hits[2], rounds * N);
    CHECK_EQ(hits[3], rounds * N);
    CHECK_EQ(hits[4], chunks);
    CHECK_EQ(hits[5], rounds);
    CHECK_EQ(hits[6], rounds * 2);
    CHECK_EQ(hits[7], rounds * N);
    printf("rounds %d\n", rounds);
    return check_done("loop_nowait");
}
