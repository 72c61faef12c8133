/* Says how many threads and CPUs there are, by all who are asked. */
#include <omp.h>
#include <stdio.h>

int main(void) {
    int team = 0;
#pragma omp parallel
#pragma omp single
    team = omp_get_num_threads();
    printf("%d %d %d\n", team, omp_get_max_threads(), omp_get_num_procs());
    return 0;
}
