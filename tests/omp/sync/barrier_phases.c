// env: OMP_WAIT_POLICY=passive
// env: OMP_WAIT_POLICY=active
// env: GOMP_SPINCOUNT=0
// repeat: 20
// Explicit and implicit barriers: each thread reads after one the writes of all threads before it.
#include "../check.h"

/* Each thread computes its cell from its neighbours' cells of the previous phase. */
static long ring_of_cells(int threads, int phases) {
    long cells[2][CHECK_MAX_THREADS] = {{0}};

#pragma omp parallel
    {
        int me = omp_get_thread_num();
        int left = (me + threads - 1) % threads, right = (me + 1) % threads;

        for (int p = 0; p < phases; p++) {
            const long *old = cells[p % 2];

            cells[(p + 1) % 2][me] = (old[left] + old[me] + old[right] + me) % 10007;
#pragma omp barrier
        }
    }

    long sum = 0;
    for (int t = 0; t < threads; t++)
        sum += cells[phases % 2][t] * (t + 1);
    return sum;
}

static long ring_in_serial(int threads, int phases) {
    long cells[2][CHECK_MAX_THREADS] = {{0}};
    long sum = 0;

    for (int p = 0; p < phases; p++)
        for (int t = 0; t < threads; t++)
            cells[(p + 1) % 2][t] = (cells[p % 2][(t + threads - 1) % threads] + cells[p % 2][t] +
                                     cells[p % 2][(t + 1) % threads] + t) %
                                    10007;
    for (int t = 0; t < threads; t++)
        sum += cells[phases % 2][t] * (t + 1);
    return sum;
}

/* The barriers at the end of for, single and sections. */
static void implicit_barriers(int threads, int rounds) {
    enum { N = 64 };
    int data[N] = {0};
    int stamp = 0;

#pragma omp parallel
    for (int r = 1; r <= rounds; r++) {
#pragma omp for schedule(static, 1)
        for (int i = 0; i < N; i++)
            data[i] = r;
        for (int i = 0; i < N; i += threads)
            CHECK_EQ(data[i], r);
            /* No thread may write in the next round before all threads have read. */
#pragma omp barrier
#pragma omp single
        stamp = r;
        CHECK_EQ(stamp, r);
#pragma omp sections
        {
#pragma omp section
            data[0] = -r;
#pragma omp section
            data[1] = -r;
        }
        CHECK_EQ(data[0] + data[1], -2 * r);
#pragma omp barrier
    }
}

int main(int argc, char **argv) {
    int phases = (int)check_arg(argc, argv, 1, 300);
    int threads = omp_get_max_threads();
    long sum = ring_of_cells(threads, phases);

    CHECK_EQ(sum, ring_in_serial(threads, phases));
    implicit_barriers(threads, phases / 4);
#pragma omp barrier
    printf("phases %d sum %ld\n", phases, sum);
    return check_done("barrier_phases");
}
