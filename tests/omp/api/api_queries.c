// Query functions omp_*: inside and outside regions, and with invalid arguments.
#include "../check.h"

#include <limits.h>

static void outside(void) {
    int threads = omp_get_max_threads();

    CHECK_EQ(omp_get_thread_num(), 0);
    CHECK_EQ(omp_get_num_threads(), 1);
    CHECK_EQ(omp_get_level(), 0);
    CHECK_EQ(omp_get_active_level(), 0);
    CHECK_EQ(omp_get_ancestor_thread_num(0), 0);
    CHECK_EQ(omp_get_ancestor_thread_num(1), -1);
    CHECK_EQ(omp_get_ancestor_thread_num(-7), -1);
    CHECK_EQ(omp_get_team_size(0), 1);
    CHECK_EQ(omp_get_team_size(1), -1);
    CHECK_EQ(omp_get_team_size(INT_MAX), -1);
    CHECK_EQ(omp_in_parallel(), 0);
    CHECK_EQ(omp_in_final(), 0);
    CHECK(omp_get_num_procs() >= 1);
    CHECK(omp_get_max_threads() >= 1);
    CHECK_EQ(omp_get_thread_limit(), INT_MAX);
    CHECK_EQ(omp_get_max_threads(), threads);
}

static void inside(void) {
    int threads = omp_get_max_threads(), procs = omp_get_num_procs();

#pragma omp parallel
    {
        CHECK(omp_get_thread_num() >= 0 && omp_get_thread_num() < threads);
        CHECK_EQ(omp_get_num_threads(), threads);
        CHECK_EQ(omp_get_max_threads(), threads);
        CHECK_EQ(omp_get_num_procs(), procs);
        CHECK_EQ(omp_get_level(), 1);
        CHECK_EQ(omp_get_active_level(), threads > 1);
        CHECK_EQ(omp_in_parallel(), threads > 1);
        CHECK_EQ(omp_get_ancestor_thread_num(1), omp_get_thread_num());
        CHECK_EQ(omp_get_team_size(1), threads);
        CHECK_EQ(omp_get_ancestor_thread_num(2), -1);
#pragma omp single
#pragma omp task
        {
            CHECK_EQ(omp_get_num_threads(), threads);
            CHECK_EQ(omp_get_level(), 1);
            CHECK_EQ(omp_get_ancestor_thread_num(1), omp_get_thread_num());
        }
    }
    /* A region of one thread counts as a level, not as an active one. */
#pragma omp parallel num_threads(1)
    {
        CHECK_EQ(omp_get_level(), 1);
        CHECK_EQ(omp_get_active_level(), 0);
        CHECK_EQ(omp_in_parallel(), 0);
#pragma omp parallel if (0)
        {
            CHECK_EQ(omp_get_level(), 2);
            CHECK_EQ(omp_get_team_size(2), 1);
            CHECK_EQ(omp_get_ancestor_thread_num(2), 0);
        }
    }
}

static void clock_runs(void) {
    double tick = omp_get_wtick(), last = omp_get_wtime(), start = last;

    CHECK(tick > 0 && tick < 0.1);
    for (int i = 0; i < 1000; i++) {
        double now = omp_get_wtime();

        CHECK(now >= last);
        last = now;
    }
    while (omp_get_wtime() <= start)
        ;
}

int main(void) {
    outside();
    inside();
    outside();
    clock_runs();
    printf("max threads %d limit %d\n", omp_get_max_threads(), omp_get_thread_limit());
    return check_done("api_queries");
}
