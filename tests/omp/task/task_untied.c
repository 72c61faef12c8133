// repeat: 3
// beyond libgomp: its taskyield does nothing: on one thread a task waits forever for a later one
// Untied tasks and taskyield: tasks that wait for each other by yielding, even if the awaited task has not begun, in
// teams with fewer threads than tasks.
// env: KMP_ENABLE_TASK_THROTTLING=no
#include "../check.h"

/* A waits until B has run, which may be queued behind A. */
static int pairs(int count) {
    int done = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < count; i++) {
        int *flag = calloc(1, sizeof *flag);
#pragma omp task untied firstprivate(flag) shared(done)
        {
            signal_count(flag);
            count_up(&done);
        }
#pragma omp task untied firstprivate(flag) shared(done)
        {
            while (__atomic_load_n(flag, __ATOMIC_ACQUIRE) == 0) {
#pragma omp taskyield
            }
            free(flag);
            count_up(&done);
        }
    }
    return done;
}

/* A tied task stays on its thread; between its taskyields untied tasks may run and leave children behind. */
static int mixed(int count) {
    int done = 0;
#pragma omp parallel
#pragma omp for nowait
    for (int i = 0; i < count; i++) {
#pragma omp task shared(done)
        {
            int me = omp_get_thread_num();
            for (int k = 0; k < 3; k++) {
#pragma omp task untied shared(done)
                {
#pragma omp task shared(done)
                    count_up(&done);
                    count_up(&done);
                }
#pragma omp taskyield
            }
#pragma omp taskwait
            CHECK_EQ(omp_get_thread_num(), me);
            count_up(&done);
        }
#pragma omp taskyield
    }
    return done;
}

/* Unrelated tied tasks never run on the thread of a waiting tied task, so its threadprivate data stays unchanged. */
static int held;
#pragma omp threadprivate(held)

static int tied_between(int count) {
    int wrong = 0, done = 0;
#pragma omp parallel
    {
#pragma omp single nowait
        for (int i = 0; i < count; i++) {
#pragma omp task untied shared(done)
            {
#pragma omp task shared(done, wrong)
                {
                    if (held)
                        count_up(&wrong);
                    held = 1;
#pragma omp taskyield
#pragma omp task shared(done)
                    count_up(&done);
#pragma omp taskwait
                    held = 0;
                }
                count_up(&done);
            }
        }
    }
    CHECK_EQ(wrong, 0);
    return done;
}

int main(int argc, char **argv) {
    int rounds = (int)check_arg(argc, argv, 1, 15);
    for (int r = 0; r < rounds; r++) {
        CHECK_EQ(pairs(40), 80);
        CHECK_EQ(mixed(50), 350);
        CHECK_EQ(tied_between(200), 400);
    }
    printf("pairs %d mixed %d\n", pairs(10), mixed(10));
    return check_done("task_untied");
}
