// not clang 14: it lacks masked
// repeat: 3
// masked: one thread, a filter that differs by thread, no thread, and combined with other constructs.
#include "../check.h"

static void filtered(int threads) {
    int first = 0, last = 0, none = 0, each[CHECK_MAX_THREADS] = {0};

#pragma omp parallel
    {
        int me = omp_get_thread_num();

#pragma omp masked
        {
            CHECK_EQ(me, 0);
            first++;
        }
#pragma omp masked filter(threads - 1)
        {
            CHECK_EQ(me, threads - 1);
            last++;
        }
#pragma omp masked filter(threads)
        count_up(&none);
#pragma omp masked filter(-1)
        count_up(&none);
#pragma omp masked filter(me)
        each[me]++;
    }
    CHECK_EQ(first, 1);
    CHECK_EQ(last, 1);
    CHECK_EQ(none, 0);
    for (int t = 0; t < threads; t++)
        CHECK_EQ(each[t], 1);
}

/* The others go on at once; inside, the masked thread waits for them. */
static void without_barrier(int threads) {
    int ahead = 0;

#pragma omp parallel
    {
#pragma omp masked
        wait_for_count(&ahead, threads - 1);
        if (omp_get_thread_num() != 0)
            signal_count(&ahead);
    }
    CHECK_EQ(ahead, threads - 1);
}

#ifdef __clang__ /* it makes shared variables of these constructs private */
static void combined(int threads) {
    (void)threads;
}
#else
static void combined(int threads) {
    long sum = 0;
    int ran = 0, who = -1;

#    pragma omp parallel masked filter(threads - 1)
    who = omp_get_thread_num();
    CHECK_EQ(who, threads - 1);
#    pragma omp parallel masked taskloop filter(threads / 2) grainsize(7)
    for (int i = 0; i < 100; i++)
        count_up(&ran);
    CHECK_EQ(ran, 100);
#    pragma omp parallel masked taskloop simd reduction(+ : sum)
    for (int i = 0; i < 100; i++)
        sum += i;
    CHECK_EQ(sum, 4950);
}
#endif

int main(void) {
    int threads = omp_get_max_threads();

    for (int i = 0; i < 20; i++) {
        filtered(threads);
        without_barrier(threads);
        combined(threads);
    }
#pragma omp masked
    puts("outside of a region");
    return check_done("masked");
}
