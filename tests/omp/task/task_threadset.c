// clang flags: -fopenmp-version=60
// threadset: tasks of the team and of the pool, alone, of a taskloop, and outside of a region.
#include "../check.h"

#if !defined __clang__ || __clang_major__ < 22
#    error "for clang 22"
#endif

enum { COUNT = 50 };

int main(void) {
    int ran = 0, looped = 0, outside = 0;

#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < COUNT; i++) {
#pragma omp task threadset(omp_pool)
            count_up(&ran);
#pragma omp task threadset(omp_team)
            count_up(&ran);
        }
#pragma omp taskloop threadset(omp_pool)
        for (int i = 0; i < COUNT; i++)
            count_up(&looped);
        CHECK_EQ(looped, COUNT);
#pragma omp taskwait
        CHECK_EQ(ran, 2 * COUNT);
    }
#pragma omp task threadset(omp_pool) shared(outside)
    outside++;
#pragma omp taskwait
    CHECK_EQ(outside, 1);
    return check_done("task_threadset");
}
