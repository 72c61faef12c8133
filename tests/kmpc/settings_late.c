// A clang program may set the variables itself, before its first call of the runtime.
#include <stdlib.h>

#include "calls.h"

int main(void) {
    int size = 0, chunk;
    omp_sched_t kind;
    setenv("OMP_NUM_THREADS", "3", 1);
    setenv("KMP_BLOCKTIME", "17", 1);
    setenv("OMP_SCHEDULE", "guided,3", 1);
#pragma omp parallel
#pragma omp single
    size = omp_get_num_threads();
    omp_get_schedule(&kind, &chunk);
    setenv("KMP_BLOCKTIME", "18", 1);
    printf("team %d blocktime %d schedule %x,%d\n", size, kmp_get_blocktime(), (unsigned)kind, chunk);
    return check_done("settings_late");
}
