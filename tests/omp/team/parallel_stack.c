// env: OMP_STACKSIZE=24M
// env: OMP_STACKSIZE=24576
// env: OMP_STACKSIZE=' 25165824 b '
// OMP_STACKSIZE: the workers, but not the thread that runs main, have a stack of that size.
#include "../check.h"

enum { DEEP = 20 << 20 };

__attribute__((noinline)) static long use_stack(void) {
    char block[DEEP];
    volatile char *bytes = block;
    long sum = 0;

    for (long i = 0; i < DEEP; i += 4096)
        bytes[i] = 1;
    for (long i = 0; i < DEEP; i += 4096)
        sum += bytes[i];
    return sum;
}

int main(void) {
    int threads = omp_get_max_threads();
    long sum = 0;

#pragma omp parallel reduction(+ : sum)
    if (omp_get_thread_num() != 0)
        sum += use_stack();
    CHECK_EQ(sum, (threads - 1) * (DEEP / 4096L));
    printf("pages %ld\n", sum);
    return check_done("parallel_stack");
}
