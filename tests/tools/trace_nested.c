/* trace_nested.c: for trace.sh: tasks that run at once and have others inside that do: trees of two places, each with 8360
 * tasks; 20 tasks of many() with 200 short ones of outer() each; 3000 short ones of flat(), among which 10 take 20 us. */
#include <omp.h>

static volatile int sum;

static __attribute__((noinline)) void tree(int n) {
    if (n < 2)
        return;
#pragma omp task firstprivate(n)
    tree(n - 1);
#pragma omp task firstprivate(n)
    tree(n - 2);
#pragma omp taskwait
}

static __attribute__((noinline)) void outer(void) {
    for (int i = 0; i < 200; i++) {
#pragma omp task firstprivate(i)
        sum = i;
    }
}

static __attribute__((noinline)) void many(void) {
    for (int i = 0; i < 20; i++) {
#pragma omp task
        outer();
    }
}

static __attribute__((noinline)) void flat(void) {
    for (int i = 0; i < 3000; i++) {
#pragma omp task firstprivate(i)
        {
            double end = omp_get_wtime() + (i % 300 == 200 ? 20e-6 : 0);
            while (omp_get_wtime() < end)
                ;
        }
    }
}

int main(void) {
#pragma omp parallel
#pragma omp single
    {
        tree(18);
        many();
        tree(18);
        flat();
    }
}
