// repeat: 1
// Tasks without a taskwait complete at the next barrier of any kind, or at the end of the region.
#include "../check.h"

static int done;

static void leaf(int depth) {
    if (depth > 0) {
#pragma omp task
        leaf(depth - 1);
#pragma omp task
        leaf(depth - 1);
    }
    count_up(&done);
}

int main(int argc, char **argv) {
    int rounds = (int)check_arg(argc, argv, 1, 60);
    int threads = omp_get_max_threads();
    int expected = 0;

    for (int r = 0; r < rounds; r++) {
#pragma omp parallel firstprivate(expected)
        {
            /* Explicit barrier; all threads create. */
#pragma omp task
            leaf(3);
#pragma omp barrier
            expected += 15 * threads;
            CHECK_EQ(count_read(&done), expected);
#pragma omp barrier

            /* Barrier of a single. */
#pragma omp single
            leaf(4);
            expected += 31;
            CHECK_EQ(count_read(&done), expected);
#pragma omp barrier

            /* Barrier of a loop whose iterations create tasks. */
#pragma omp for schedule(dynamic)
            for (int i = 0; i < 20; i++) {
#pragma omp task
                leaf(1);
            }
            expected += 60;
            CHECK_EQ(count_read(&done), expected);
#pragma omp barrier

            /* End of the region; only the last thread creates. */
            if (omp_get_thread_num() == threads - 1)
                leaf(5);
        }
        expected += 15 * threads + 31 + 60 + 63;
        CHECK_EQ(done, expected);
    }
    printf("done %d\n", done);
    return check_done("task_barrier");
}
