// repeat: 1
// Tasks and worksharing mixed: loops with nowait between tasks, tasks in ordered and critical parts.
#include "../check.h"

enum { N = 100 };

static struct gauge in_critical;

int main(int argc, char **argv) {
    int rounds = (int)check_arg(argc, argv, 1, 12);
    int by_loop = 0, by_task = 0, in_order = 0, broken = 0;
    long guarded = 0;

    for (int r = 0; r < rounds; r++) {
        int next = 0;

#pragma omp parallel
        {
#pragma omp for schedule(dynamic, 3) nowait
            for (int i = 0; i < N; i++) {
                count_up(&by_loop);
#pragma omp task shared(by_task)
                count_up(&by_task);
            }
#pragma omp for schedule(guided) nowait
            for (int i = 0; i < N; i++) {
#pragma omp task shared(by_task)
                {
#pragma omp task shared(by_task)
                    count_up(&by_task);
#pragma omp critical
                    {
                        gauge_enter(&in_critical);
                        guarded++;
                        gauge_leave(&in_critical);
                    }
                }
#pragma omp critical
                {
                    gauge_enter(&in_critical);
                    guarded++;
                    gauge_leave(&in_critical);
                }
            }
#pragma omp for ordered schedule(static, 2)
            for (int i = 0; i < N; i++) {
#pragma omp task shared(by_task)
                count_up(&by_task);
#pragma omp ordered
                {
                    broken += next++ != i;
                    in_order++;
                }
            }
#pragma omp taskwait
#pragma omp single
            CHECK_EQ(next, N);
        }
        CHECK_EQ(by_task, 3 * N * (r + 1));
    }
    CHECK_EQ(by_loop, N * rounds);
    CHECK_EQ(guarded, 2L * N * rounds);
    CHECK_EQ(in_critical.most, 1);
    CHECK_EQ(broken, 0);
    CHECK_EQ(in_order, N * rounds);
    printf("by loop %d by task %d guarded %ld\n", by_loop, by_task, guarded);
    return check_done("task_loops");
}
