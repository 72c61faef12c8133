// not clang 14: it lacks scope
// repeat: 3
// scope: each thread runs it, all threads see its reduction after it, and with nowait no thread waits.
#include "../check.h"

#if defined __clang__ && __clang_major__ < 22
#    error "for gcc 12 and clang 22"
#endif

static void reduced(int threads) {
    long sum = 0, most = -1;

#pragma omp parallel
    for (int r = 0; r < 10; r++) {
#pragma omp scope reduction(+ : sum) reduction(max : most)
        {
            sum += 1 + omp_get_thread_num();
            most = r * threads + omp_get_thread_num();
        }
        CHECK_EQ(sum, (r + 1) * threads * (threads + 1) / 2);
        CHECK_EQ(most, (r + 1) * threads - 1);
#pragma omp barrier
    }
}

static void private_and_nowait(int threads) {
    int x = 7, ahead = 0, entered = 0;

#pragma omp parallel
    {
#pragma omp scope private(x)
        {
            x = omp_get_thread_num();
            busy_work(1, 100);
            CHECK_EQ(x, omp_get_thread_num());
            count_up(&entered);
        }
        CHECK_EQ(count_read(&entered), threads);
#pragma omp scope nowait
        if (omp_get_thread_num() == 0)
            wait_for_count(&ahead, threads - 1);
        if (omp_get_thread_num() != 0)
            signal_count(&ahead);
    }
    CHECK_EQ(x, 7);
}

int main(void) {
    int threads = omp_get_max_threads();

    for (int i = 0; i < 20; i++) {
        reduced(threads);
        private_and_nowait(threads);
    }
    return check_done("scope");
}
