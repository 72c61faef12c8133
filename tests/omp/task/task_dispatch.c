// gcc only: clang 22 has no code for dispatch, and leaves interop to libomptarget
// dispatch and interop wait for the tasks that they depend on.
#include "../check.h"

#if __GNUC__ < 15
#    error "for gcc 15"
#endif

static int variant(const int *x) {
    return *x + 1;
}

#pragma omp declare variant(variant) match(construct = {dispatch})
static int base(const int *x) {
    return *x;
}

int main(void) {
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 100; i++) {
        int x = 0, answer = 0;
        omp_interop_t object = omp_interop_none;

#pragma omp task depend(out : x) shared(x)
        {
            busy_work(1, 1000);
            x = i;
        }
#pragma omp dispatch depend(in : x)
        answer = base(&x);
        CHECK_EQ(answer, i + 1);
#pragma omp task depend(inout : x) shared(x)
        {
            busy_work(1, 1000);
            x++;
        }
#pragma omp interop init(targetsync : object) depend(inout : x)
        CHECK_EQ(x, i + 1);
#pragma omp interop use(object)
#pragma omp interop destroy(object)
        CHECK(object == omp_interop_none);
    }
    return check_done("task_dispatch");
}
