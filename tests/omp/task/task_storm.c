// repeat: 1000
// A hundred thousand small tasks: from one thread, from all of them, and in waves with taskwait between.
#include "../check.h"

static long sum;

static void add(long n) {
    __atomic_fetch_add(&sum, n, __ATOMIC_RELAXED);
}

int main(int argc, char **argv) {
    int count = (int)check_arg(argc, argv, 1, 100000);
    int threads = omp_get_max_threads();
    long expected = (long)count * (count - 1) / 2;

#pragma omp parallel
#pragma omp single nowait
    for (int i = 0; i < count; i++) {
#pragma omp task
        add(i);
    }
    CHECK_EQ(sum, expected);

    sum = 0;
#pragma omp parallel
    for (int i = omp_get_thread_num(); i < count; i += threads) {
#pragma omp task
        add(i);
    }
    CHECK_EQ(sum, expected);

    sum = 0;
#pragma omp parallel
#pragma omp master
    for (int wave = 0; wave < 10; wave++) {
        for (int i = wave; i < count; i += 10) {
#pragma omp task
            add(i);
        }
#pragma omp taskwait
    }
    CHECK_EQ(sum, expected);
    printf("tasks %d sum %ld\n", count, sum);
    return check_done("task_storm");
}
