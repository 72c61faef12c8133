// beyond libgomp: a thread that waits in a doacross loop waits forever when the region is cancelled
// beyond libomp: it does so, too
// env: OMP_CANCELLATION=true
// repeat: 5
// Regions cancelled while threads wait in doacross loops, share memory, or reduce with tasks.
#include "../check.h"

enum { N = 64 };

/* Thread 0 owns the first iterations and never reaches them. */
static void doacross_without_thread_0(int n) {
    static int cells[N][4];
    int arrived = 0;

#pragma omp parallel shared(arrived)
    {
        if (omp_get_thread_num() == 0 && omp_get_num_threads() > 1) {
            wait_for_count(&arrived, omp_get_num_threads() - 1);
            busy_work(1, n * 50);
#pragma omp cancel parallel
        }
        signal_count(&arrived);
#pragma omp for ordered(2) schedule(static)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < 4; j++) {
#pragma omp ordered depend(sink : i - 1, j)
                __atomic_store_n(&cells[i][j], i + j, __ATOMIC_RELAXED);
#pragma omp ordered depend(source)
            }
    }
}

/* Some threads enter constructs of a region that is already cancelled, and others have left. */
static void constructs_in_a_cancelled_region(int n, int canceller) {
    static long sum, last, pieces;
    int begun = 0;

    sum = last = pieces = 0;
#pragma omp parallel shared(begun)
    {
#pragma omp for reduction(task, + : sum) schedule(dynamic)
        for (int i = 0; i < n; i++) {
#pragma omp task in_reduction(+ : sum) firstprivate(i)
            sum += i;
        }
        if (omp_get_thread_num() == canceller % omp_get_num_threads()) {
#pragma omp cancel parallel
        }
        signal_count(&begun);
#pragma omp for lastprivate(conditional : last) schedule(dynamic)
        for (int i = 0; i < n; i++)
            if (i % 7 == 3)
                last = i;
#pragma omp sections reduction(task, + : pieces)
        {
            pieces += 1;
#pragma omp section
#pragma omp task in_reduction(+ : pieces)
            pieces += 10;
        }
    }
    CHECK_EQ(sum, (long)n * (n - 1) / 2);
    CHECK(omp_get_max_threads() == 1 || pieces <= 11);
}

#ifndef __clang__ /* in its code a thread that cancels a loop with a reduction leaves out a barrier */
/* Loops that are cancelled themselves. */
static void cancelled_loops(int n) {
    static long sum;
    int ran = 0;

    sum = 0;
#    pragma omp parallel
    {
#    pragma omp for reduction(task, + : sum) schedule(dynamic)
        for (int i = 0; i < n; i++) {
#    pragma omp task in_reduction(+ : sum)
            sum++;
            count_up(&ran);
            if (i == n / 2) {
#    pragma omp cancel for
            }
        }
#    pragma omp barrier
#    pragma omp for schedule(static) nowait
        for (int i = 0; i < n; i++) {
#    pragma omp cancellation point for
        }
    }
    CHECK(sum <= n);
    CHECK(ran >= 1 && ran <= n);
}
#endif

int main(int argc, char **argv) {
    int rounds = (int)check_arg(argc, argv, 1, 100);

    CHECK(omp_get_cancellation());
    for (int r = 0; r < rounds; r++) {
        doacross_without_thread_0(r);
        constructs_in_a_cancelled_region(N, r);
#ifndef __clang__
        cancelled_loops(N);
#endif
    }
    printf("rounds %d\n", rounds);
    return check_done("cancel_shares");
}
