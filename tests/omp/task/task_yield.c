// repeat: 3
// taskyield in tied and untied tasks, in loops that wait for a lock, and with no task to switch to.
#include "../check.h"

static int done;

static void yielding_tree(int depth) {
    for (int i = 0; depth > 0 && i < 2; i++) {
#pragma omp task untied firstprivate(depth)
        yielding_tree(depth - 1);
#pragma omp taskyield
    }
    count_up(&done);
}

/* The usual pattern of taskyield: try, yield, try again. */
static int try_and_yield(int count) {
    omp_lock_t lock;
    struct gauge inside = {0, 0, 0};
    int entered = 0;

    omp_init_lock(&lock);
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < count; i++) {
#pragma omp task untied shared(lock, inside, entered)
        {
            while (!omp_test_lock(&lock)) {
#pragma omp taskyield
                sched_yield();
            }
            gauge_enter(&inside);
            entered++;
            busy_work(3, 100);
            gauge_leave(&inside);
            omp_unset_lock(&lock);
        }
    }
    omp_destroy_lock(&lock);
    CHECK_EQ(inside.most, 1);
    return entered;
}

int main(int argc, char **argv) {
    int rounds = (int)check_arg(argc, argv, 1, 40);
    int entered = 0;

#pragma omp taskyield
    for (int r = 0; r < rounds; r++) {
#pragma omp parallel
        {
#pragma omp taskyield
#pragma omp single nowait
            yielding_tree(5);
            for (int i = 0; i < 10; i++) {
#pragma omp task
                {
#pragma omp taskyield
                    count_up(&done);
                }
#pragma omp taskyield
            }
        }
        entered += try_and_yield(20);
    }
    CHECK_EQ(done, rounds * (63 + 10 * omp_get_max_threads()));
    CHECK_EQ(entered, rounds * 20);
    printf("done %d entered %d\n", done, entered);
    return check_done("task_yield");
}
