// clang flags: -fopenmp-version=60
// transparent: alone, with dependences within, and of a taskloop. No runtime gives it an effect yet.
#include "../check.h"

#if !defined __clang__ || __clang_major__ < 23
#    error "for clang 23"
#endif

enum { COUNT = 50 };

int main(void) {
    int ran = 0, looped = 0, chain = 0;

#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < COUNT; i++) {
#pragma omp task transparent
            {
#pragma omp task
                count_up(&ran);
            }
        }
#pragma omp taskloop transparent
        for (int i = 0; i < COUNT; i++)
            count_up(&looped);
        CHECK_EQ(looped, COUNT);
        for (int i = 0; i < COUNT; i++) {
#pragma omp task transparent depend(inout : chain)
            {
#pragma omp task depend(inout : chain)
                chain++;
#pragma omp taskwait
            }
        }
    }
    CHECK_EQ(ran, COUNT);
    CHECK_EQ(chain, COUNT);
    return check_done("task_transparent");
}
