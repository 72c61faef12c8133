/* The sparse matrix's factoring, a task for every operation on a block; the steps' two halves are apart by taskwaits. */
#include "workload.h"

static void factor(const struct lu *lu) {
    for (int k = 0; k < LU_BLOCKS; k++) {
        lu_block *diagonal = lu->block[k][k];
        lu_factor(diagonal);
        for (int i = k + 1; i < LU_BLOCKS; i++) {
            lu_block *right = lu->block[k][i], *below = lu->block[i][k];
            if (right) {
#pragma omp task
                lu_solve_right(diagonal, right);
            }
            if (below) {
#pragma omp task
                lu_solve_below(diagonal, below);
            }
        }
#pragma omp taskwait
        for (int i = k + 1; i < LU_BLOCKS; i++)
            for (int j = k + 1; j < LU_BLOCKS; j++)
                if (lu_changes(lu, k, i, j)) {
#pragma omp task
                    lu_subtract(lu->block[i][k], lu->block[k][j], lu->block[i][j]);
                }
#pragma omp taskwait
    }
}

static uint64_t factor_all(void *lu) {
#pragma omp parallel
#pragma omp single
    factor(lu);
    return 0;
}

int main(int argc, char **argv) {
    return lu_main(argc, argv, factor_all);
}
