/* trace_fine.c: for trace.sh: 40,000 short tasks one after the other; then 5,000 more, and between them 5 long ones and 5
 * critical constructs. */
#include <omp.h>

static void work_for(double seconds) {
    double end = omp_get_wtime() + seconds;
    while (omp_get_wtime() < end)
        ;
}

static volatile int sum;

int main(void) {
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < 40000; i++) {
#pragma omp task firstprivate(i)
            sum = i;
        }
        for (int i = 0; i < 5000; i++) {
#pragma omp task firstprivate(i)
            sum = i;
            if (i % 1000 == 500) {
#pragma omp task if (0)
                work_for(1e-5);
            } else if (i % 1000 == 999) {
#pragma omp critical
                work_for(1e-5);
            }
        }
    }
}
