// env:
// env: OMP_SCHEDULE=dynamic,2
// env: OMP_SCHEDULE=static
// env: OMP_SCHEDULE=guided,3
// env: OMP_SCHEDULE=monotonic:dynamic,5
// schedule(runtime): even shares if it is unset, else as set by the environment or the program.
#include <string.h>

#include "check.h"

enum { ITERATIONS = 96 };

static int owners[ITERATIONS];

static void run(void) {
#pragma omp parallel for schedule(runtime)
    for (int i = 0; i < ITERATIONS; i++) {
        CHECK_EQ(owners[i], -1);
        owners[i] = omp_get_thread_num();
    }
}

/* Checks that all iterations have run, with static on the right threads. */
static void check(int chunk) {
    int threads = omp_get_max_threads(), each = ITERATIONS / threads, more = ITERATIONS % threads;
    for (int i = 0; i < ITERATIONS; i++) {
        int share = i < more * (each + 1) ? i / (each + 1) : more + (i - more * (each + 1)) / each;
        if (chunk >= 0)
            CHECK_EQ(owners[i], chunk > 0 ? i / chunk % threads : share);
        CHECK(owners[i] >= 0);
        owners[i] = -1;
    }
}

int main(void) {
    const char *said = getenv("OMP_SCHEDULE");
    omp_set_dynamic(0);
    for (int i = 0; i < ITERATIONS; i++)
        owners[i] = -1;
    run();
    check(!said || strcmp(said, "static") == 0 ? 0 : -1);
    omp_set_schedule(omp_sched_static, 4);
    run();
    check(4);
    omp_set_schedule(omp_sched_static, 0);
    run();
    check(0);
    omp_set_schedule(omp_sched_dynamic, 3);
    run();
    check(-1);
    return check_done("loop_runtime");
}
