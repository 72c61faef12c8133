// threads: 2
// env: OMP_NUM_THREADS=0
// env: OMP_NUM_THREADS=-3
// env: OMP_NUM_THREADS=lots
// env: OMP_NUM_THREADS=4x
// env: OMP_NUM_THREADS=99999999999999999999
// env: OMP_NUM_THREADS=
// env: OMP_NUM_THREADS=',2'
// Invalid values of OMP_NUM_THREADS: a default applies. It depends on the machine, so it is not printed.
#include "../check.h"

int main(void) {
    int threads = omp_get_max_threads(), size = 0;

    CHECK(threads >= 1 && threads <= omp_get_num_procs());
#pragma omp parallel reduction(+ : size)
    size++;
    CHECK_EQ(size, threads);
    return check_done("api_bad_threads");
}
