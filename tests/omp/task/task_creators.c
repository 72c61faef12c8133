// repeat: 60
// Tasks created by all threads at once, from loops, sections and other tasks, with and without waiting.
#include "../check.h"

enum { MAX = 20000 };

static unsigned char ran[MAX];

static void check_ran_once(int count) {
    for (int i = 0; i < count; i++) {
        CHECK_EQ(ran[i], 1);
        ran[i] = 0;
    }
}

int main(int argc, char **argv) {
    int count = (int)check_arg(argc, argv, 1, 4000);
    long sum = 0;

    /* From a worksharing loop. */
#pragma omp parallel for schedule(dynamic, 16)
    for (int i = 0; i < count; i++) {
#pragma omp task firstprivate(i)
        ran[i]++;
    }
    check_ran_once(count);

    /* Each thread creates its share, and sometimes waits. */
#pragma omp parallel
    {
        int step = omp_get_num_threads();

        for (int i = omp_get_thread_num(); i < count; i += step) {
#pragma omp task firstprivate(i)
            ran[i]++;
            if (i % 100 < step) {
#pragma omp taskwait
                CHECK_EQ(ran[i], 1);
            }
        }
    }
    check_ran_once(count);

    /* Tasks that create the tasks. */
#pragma omp parallel
#pragma omp for nowait
    for (int i = 0; i < count / 10; i++) {
#pragma omp task firstprivate(i)
        for (int k = 0; k < 10; k++) {
#pragma omp task firstprivate(i, k)
            ran[i * 10 + k]++;
        }
    }
    check_ran_once(count / 10 * 10);

    /* From sections, while the other threads are already in the barrier. */
#pragma omp parallel sections
    {
#pragma omp section
        for (int i = 0; i < count / 2; i++) {
#pragma omp task firstprivate(i)
            ran[i]++;
        }
#pragma omp section
        for (int i = count / 2; i < count; i++) {
#pragma omp task firstprivate(i)
            ran[i]++;
        }
    }
    for (int i = 0; i < count; i++)
        sum += ran[i] * (long)i;
    check_ran_once(count);
    CHECK_EQ(sum, (long)count * (count - 1) / 2);
    printf("sum %ld\n", sum);
    return check_done("task_creators");
}
