/* The flush construct. */
#include "omp/bomp.h"
#include "runtime.h"

void bomp_flush(void) {
    bz_fence_seq_cst(); /* FL1: pairs with FL1, by which another thread's flush comes before or after it */
}
