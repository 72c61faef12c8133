/* The sparse matrix's factoring, two parallel loops over blocks in each step. */
#include "workload.h"

#include <blitz/cilk.h>

BLITZ_LOOP_2(solve, i, const struct lu *, lu, int, k) {
    if (lu->block[k][i])
        lu_solve_right(lu->block[k][k], lu->block[k][i]);
    if (lu->block[i][k])
        lu_solve_below(lu->block[k][k], lu->block[i][k]);
}

/* Index: of the blocks below and to the right of block (k, k), row by row. */
BLITZ_LOOP_2(subtract, index, const struct lu *, lu, int, k) {
    int rest = LU_BLOCKS - k - 1, i = k + 1 + (int)index / rest, j = k + 1 + (int)index % rest;
    if (lu_changes(lu, k, i, j))
        lu_subtract(lu->block[i][k], lu->block[k][j], lu->block[i][j]);
}

static uint64_t factor_all(void *arg) {
    const struct lu *lu = arg;
    for (int k = 0; k < LU_BLOCKS; k++) {
        size_t rest = (size_t)(LU_BLOCKS - k - 1);
        lu_factor(lu->block[k][k]);
        BLITZ_FOR(solve, (size_t)k + 1, LU_BLOCKS, lu, k);
        BLITZ_FOR(subtract, 0, rest * rest, lu, k);
    }
    return 0;
}

int main(int argc, char **argv) {
    return lu_main(argc, argv, factor_all);
}
