/* leaves: a program that calls exit in the middle of a region or task, after many regions and tasks.
 *
 *   leaves WAY      0: in a region, by its first thread; 1: by its last; 2: in a task of a region; 3: in one without a
 *                   region; 4: in a region of one thread; 5: outside */
#include <omp.h>
#include <stdlib.h>

static int sum;

static void work(void) {
    for (int i = 0; i < 50; i++) {
#pragma omp parallel
#pragma omp single
        for (int task = 0; task < 10; task++) {
#pragma omp task
            {
#pragma omp atomic
                sum++;
            }
        }
    }
}

static void leave(void) {
    exit(sum == 500 ? 0 : 1);
}

int main(int argc, char **argv) {
    int way = argc > 1 ? atoi(argv[1]) : 5;
    work();
#pragma omp parallel
    {
        int me = omp_get_thread_num(), last = omp_get_num_threads() - 1;
#pragma omp barrier
        if ((way == 0 && me == 0) || (way == 1 && me == last))
            leave();
#pragma omp single
        if (way == 2) {
#pragma omp task
            leave();
        }
    }
#pragma omp task if (way != 3)
    if (way == 3)
        leave();
#pragma omp parallel num_threads(1)
    if (way == 4)
        leave();
    leave();
}
