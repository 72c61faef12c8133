/* sparselu: factors a matrix of blocks, many of them empty, into a lower and an upper triangle, in place and without
 * pivoting. Step k factors block (k, k), then solves for the blocks to the right of it and below it, then subtracts
 * their products from the rest. Each block undergoes the same operations in the same order, whichever thread runs them,
 * so the result equals the serial one to the last bit. */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <math.h>
#include <string.h>

#include "harness.h"

enum { LU_BLOCKS = 16, LU_SIDE = 32, LU_N = LU_BLOCKS * LU_SIDE };

typedef double lu_block[LU_SIDE][LU_SIDE];

/* Where a block is, or will be in the course of the factoring; the others are NULL and stay zero. */
struct lu {
    lu_block *block[LU_BLOCKS][LU_BLOCKS];
    lu_block *memory, *image; /* all blocks, and their contents at the beginning */
    size_t blocks, operations;
};

/* Not inline: each is the same machine code, and rounds alike, wherever it is called. */
#define LU_OPERATION __attribute__((noinline, unused)) static void

/* a = L U; L has ones on its diagonal. */
LU_OPERATION lu_factor(lu_block *a) {
    for (int k = 0; k < LU_SIDE; k++)
        for (int i = k + 1; i < LU_SIDE; i++) {
            double factor = (*a)[i][k] /= (*a)[k][k];
            for (int j = k + 1; j < LU_SIDE; j++)
                (*a)[i][j] -= factor * (*a)[k][j];
        }
}

/* right = L^-1 right, of the factored diagonal. */
LU_OPERATION lu_solve_right(const lu_block *diagonal, lu_block *right) {
    for (int k = 0; k < LU_SIDE; k++)
        for (int i = k + 1; i < LU_SIDE; i++)
            for (int j = 0; j < LU_SIDE; j++)
                (*right)[i][j] -= (*diagonal)[i][k] * (*right)[k][j];
}

/* below = below U^-1. */
LU_OPERATION lu_solve_below(const lu_block *diagonal, lu_block *below) {
    for (int i = 0; i < LU_SIDE; i++)
        for (int k = 0; k < LU_SIDE; k++) {
            double factor = (*below)[i][k] /= (*diagonal)[k][k];
            for (int j = k + 1; j < LU_SIDE; j++)
                (*below)[i][j] -= factor * (*diagonal)[k][j];
        }
}

/* rest = rest - below right. */
LU_OPERATION lu_subtract(const lu_block *below, const lu_block *right, lu_block *rest) {
    for (int i = 0; i < LU_SIDE; i++)
        for (int k = 0; k < LU_SIDE; k++)
            for (int j = 0; j < LU_SIDE; j++)
                (*rest)[i][j] -= (*below)[i][k] * (*right)[k][j];
}

/* Whether step k subtracts from block (i, j). */
static inline int lu_changes(const struct lu *lu, int k, int i, int j) {
    return lu->block[i][k] && lu->block[k][j];
}

static inline void lu_serial(const struct lu *lu) {
    for (int k = 0; k < LU_BLOCKS; k++) {
        lu_factor(lu->block[k][k]);
        for (int i = k + 1; i < LU_BLOCKS; i++) {
            if (lu->block[k][i])
                lu_solve_right(lu->block[k][k], lu->block[k][i]);
            if (lu->block[i][k])
                lu_solve_below(lu->block[k][k], lu->block[i][k]);
        }
        for (int i = k + 1; i < LU_BLOCKS; i++)
            for (int j = k + 1; j < LU_BLOCKS; j++)
                if (lu_changes(lu, k, i, j))
                    lu_subtract(lu->block[i][k], lu->block[k][j], lu->block[i][j]);
    }
}

/* Says which blocks there are: some from the beginning (1), some filled in (2). Counts blocks and operations. */
static inline void lu_pattern(struct lu *lu, char there[LU_BLOCKS][LU_BLOCKS]) {
    for (int i = 0; i < LU_BLOCKS; i++)
        for (int j = 0; j < LU_BLOCKS; j++)
            there[i][j] = abs(i - j) <= 1 || harness_mix((uint64_t)(i * LU_BLOCKS + j)) % 4 == 0;
    lu->blocks = lu->operations = 0;
    for (int k = 0; k < LU_BLOCKS; k++) {
        lu->operations++;
        for (int i = k + 1; i < LU_BLOCKS; i++) {
            lu->operations += (size_t) !!there[i][k] + (size_t) !!there[k][i];
            for (int j = k + 1; j < LU_BLOCKS; j++)
                if (there[i][k] && there[k][j]) {
                    there[i][j] = there[i][j] ? there[i][j] : 2;
                    lu->operations++;
                }
        }
    }
    for (int i = 0; i < LU_BLOCKS; i++)
        for (int j = 0; j < LU_BLOCKS; j++)
            lu->blocks += !!there[i][j];
}

/* Random numbers, and a diagonal that is larger than the rest of its row together. */
static inline void lu_fill(struct lu *lu) {
    char there[LU_BLOCKS][LU_BLOCKS];
    lu_pattern(lu, there);
    lu->memory = (lu_block *)harness_memory(lu->blocks * sizeof(lu_block));
    lu->image = (lu_block *)harness_memory(lu->blocks * sizeof(lu_block));
    size_t next = 0;
    for (int b = 0; b < LU_BLOCKS * LU_BLOCKS; b++) {
        int row = b / LU_BLOCKS, column = b % LU_BLOCKS;
        lu->block[row][column] = there[row][column] ? &lu->memory[next] : NULL;
        if (!there[row][column])
            continue;
        double *numbers = &lu->image[next++][0][0];
        for (int i = 0; i < LU_SIDE * LU_SIDE; i++) {
            uint64_t random = harness_mix((uint64_t)(b * LU_SIDE * LU_SIDE + i));
            numbers[i] = there[row][column] == 1 ? (double)(random >> 11) * 0x1p-53 - 0.5 : 0;
            if (row == column && i % (LU_SIDE + 1) == 0)
                numbers[i] += LU_N;
        }
    }
}

static inline void lu_prepare(void *arg) {
    struct lu *lu = (struct lu *)arg;
    memcpy(lu->memory, lu->image, lu->blocks * sizeof(lu_block));
}

static inline uint64_t lu_result(void *arg) {
    const struct lu *lu = (const struct lu *)arg;
    uint64_t sum = 0, bits;
    const double *numbers = &lu->memory[0][0][0];
    for (size_t i = 0; i < lu->blocks * LU_SIDE * LU_SIDE; i++) {
        memcpy(&bits, &numbers[i], sizeof bits);
        sum += harness_mix(i ^ bits);
    }
    return sum;
}

/* out = A x, where A is the whole matrix (0), its lower triangle without the diagonal (-1), or the upper one with it (1). */
static inline void lu_times(const struct lu *lu, int triangle, const double *x, double *out) {
    for (int i = 0; i < LU_N; i++) {
        double sum = 0;
        for (int j = triangle > 0 ? i : 0; j < (triangle < 0 ? i : LU_N); j++) {
            lu_block *block = lu->block[i / LU_SIDE][j / LU_SIDE];
            sum += block ? (*block)[i % LU_SIDE][j % LU_SIDE] * x[j] : 0;
        }
        out[i] = sum;
    }
}

/* Checks the serial factors: L (U x) = A x up to rounding. */
static inline void lu_check_serial(struct lu *lu) {
    static double x[LU_N], right[LU_N], upper[LU_N], lower[LU_N];
    double worst = 0;
    for (int i = 0; i < LU_N; i++)
        x[i] = (double)(harness_mix(~(uint64_t)i) >> 11) * 0x1p-53;
    lu_prepare(lu);
    lu_times(lu, 0, x, right);
    lu_serial(lu);
    lu_times(lu, 1, x, upper);
    lu_times(lu, -1, upper, lower);
    for (int i = 0; i < LU_N; i++)
        worst = fmax(worst, fabs(lower[i] + upper[i] - right[i]));
    harness_check("sparselu (serial)", !(worst < 1e-9), 0);
}

/* Prints sparselu.block, the time per operation on a block. Arguments: MS. */
static inline int lu_main(int argc, char **argv, uint64_t (*factor_all)(void *lu)) {
    static struct lu lu;
    harness_begin(argc, argv);
    lu_fill(&lu);
    lu_check_serial(&lu);
    const struct harness_kernel kernel = {lu_prepare, factor_all, lu_result};
    harness_measure_kernel("sparselu.block", &kernel, &lu, lu_result(&lu), (double)lu.operations);
    free(lu.memory), free(lu.image);
    return harness_end();
}

#endif
