/* Every step a task with depend clauses, all made by one thread. */
#include "workload.h"

static void chain(const struct problem *problem) {
    uint64_t *x = data;
    for (int i = 0; i < problem->tiles; i++) {
#pragma omp task depend(inout : x[0])
        chain_step(x, i);
    }
}

static void wavefront(const struct problem *problem) {
    for (int row = 0; row < problem->tiles; row++)
        for (int column = 0; column < problem->tiles; column++) {
            uint64_t *self = wavefront_tile(problem, row, column);
            const uint64_t *up = row > 0 ? wavefront_tile(problem, row - 1, column) : self;
            const uint64_t *left = column > 0 ? wavefront_tile(problem, row, column - 1) : self;
            (void)up, (void)left; /* named in clauses only */
#pragma omp task depend(in : up[0], left[0]) depend(inout : self[0])
            wavefront_step(problem, row, column);
        }
}

static void cholesky(const struct problem *problem) {
    int n = problem->size;
    for (int k = 0; k < problem->tiles; k++) {
        double *a = cholesky_tile(problem, k, k);
#pragma omp task depend(inout : a[0])
        cholesky_factor(a, n);
        for (int i = k + 1; i < problem->tiles; i++) {
            double *b = cholesky_tile(problem, i, k);
#pragma omp task depend(in : a[0]) depend(inout : b[0])
            cholesky_solve(a, b, n);
        }
        for (int i = k + 1; i < problem->tiles; i++)
            for (int j = k + 1; j <= i; j++) {
                const double *left = cholesky_tile(problem, i, k), *right = cholesky_tile(problem, j, k);
                double *c = cholesky_tile(problem, i, j);
#pragma omp task depend(in : left[0], right[0]) depend(inout : c[0])
                cholesky_update(left, right, c, n);
            }
    }
}

static void jacobi(const struct problem *problem) {
    for (int sweep = 0; sweep < problem->sweeps; sweep++)
        for (int block = 0; block < problem->tiles; block++) {
            const double *old = jacobi_block(problem, sweep % 2, block);
            const double *left = block > 0 ? jacobi_block(problem, sweep % 2, block - 1) : old;
            const double *right =
                block < problem->tiles - 1 ? jacobi_block(problem, sweep % 2, block + 1) : old;
            double *next = jacobi_block(problem, (sweep + 1) % 2, block);
            (void)left, (void)right, (void)next; /* named in clauses only */
#pragma omp task depend(in : left[0], old[0], right[0]) depend(out : next[0])
            jacobi_step(problem, sweep, block);
        }
}

static void make_tasks(const struct problem *problem) {
    if (problem->serial == chain_serial)
        chain(problem);
    else if (problem->serial == wavefront_serial)
        wavefront(problem);
    else if (problem->serial == cholesky_serial)
        cholesky(problem);
    else
        jacobi(problem);
}

static uint64_t region(void *arg) {
    const struct problem *problem = arg;
#pragma omp parallel
#pragma omp single
    make_tasks(problem);
    return 0;
}

int main(int argc, char **argv) {
    return depend_main(argc, argv, region);
}
