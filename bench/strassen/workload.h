/* strassen: multiplies two square matrices by Strassen's seven products of halves, down to a plain multiplication. The
 * elements are small integers, so that all sums are exact and the result is the plain one's whatever the bracketing. */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <malloc.h>

#include "harness.h"

enum { STRASSEN_N = 256, STRASSEN_LEAF = 32, STRASSEN_PRODUCTS = 7 };
enum {
    STRASSEN_STRIDE = STRASSEN_N + 8
}; /* whole matrices': no power of two, for the sake of the cache's sets */

/* A square of `side` elements within a matrix whose rows are `stride` apart. */
struct square {
    double *at;
    size_t side, stride;
};

/* The operands of the products: quarter x of the left matrix, plus or minus quarter y (sign 0: without); so for the right
 * one. Quarters: 0 1 above, 2 3 below. */
struct operand {
    int x, sign, y;
};
static const struct operand strassen_left[STRASSEN_PRODUCTS] = {{0, 1, 3}, {2, 1, 3},  {0, 0, 0}, {3, 0, 0},
                                                                {0, 1, 1}, {2, -1, 0}, {1, -1, 3}};
static const struct operand strassen_right[STRASSEN_PRODUCTS] = {{0, 1, 3}, {0, 0, 0}, {1, -1, 3}, {2, -1, 0},
                                                                 {3, 0, 0}, {0, 1, 1}, {2, 1, 3}};

/* Rows are one cache line longer than needed: at distances of a power of two they would share few sets of the cache,
 * and the speed of a run would depend on malloc's addresses. */
static inline size_t square_stride(size_t side) {
    return side + 8;
}
static inline size_t square_size(size_t side) {
    return side * square_stride(side);
}
static inline struct square square_at(double *at, size_t side) {
    struct square square = {at, side, square_stride(side)};
    return square;
}
static inline struct square square_quarter(struct square whole, int quarter) {
    size_t half = whole.side / 2;
    double *at = whole.at + (quarter & 1 ? half : 0) + (quarter & 2 ? half * whole.stride : 0);
    struct square part = {at, half, whole.stride};
    return part;
}
static inline double *square_memory(size_t squares, size_t side) {
    return (double *)harness_memory(squares * square_size(side) * sizeof(double));
}

/* The operand: a quarter of `whole`, or a sum of two, which takes `memory`. */
static inline struct square strassen_operand(struct square whole, struct operand operand, double *memory) {
    struct square x = square_quarter(whole, operand.x), y = square_quarter(whole, operand.y);
    if (operand.sign == 0)
        return x;
    struct square sum = square_at(memory, x.side);
    for (size_t i = 0; i < sum.side; i++) {
        const double *xs = x.at + i * x.stride, *ys = y.at + i * y.stride;
        double *out = sum.at + i * sum.stride;
        if (operand.sign > 0)
            for (size_t j = 0; j < sum.side; j++)
                out[j] = xs[j] + ys[j];
        else
            for (size_t j = 0; j < sum.side; j++)
                out[j] = xs[j] - ys[j];
    }
    return sum;
}

/* Combines the products, one after the other in memory, into the result. */
static inline void strassen_combine(struct square result, const double *products) {
    size_t half = result.side / 2, size = square_size(half), stride = square_stride(half);
    const double *m[STRASSEN_PRODUCTS];
    for (int i = 0; i < STRASSEN_PRODUCTS; i++)
        m[i] = products + (size_t)i * size;
    double *quarter[4];
    for (int i = 0; i < 4; i++)
        quarter[i] = square_quarter(result, i).at;
    for (size_t i = 0; i < half; i++)
        for (size_t j = 0; j < half; j++) {
            size_t from = i * stride + j, to = i * result.stride + j;
            quarter[0][to] = m[0][from] + m[3][from] - m[4][from] + m[6][from];
            quarter[1][to] = m[2][from] + m[4][from];
            quarter[2][to] = m[1][from] + m[3][from];
            quarter[3][to] = m[0][from] - m[1][from] + m[2][from] + m[5][from];
        }
}

/* Memory for the products of halves, and where the i-th is. */
static inline double *strassen_memory(struct square result) {
    return square_memory(STRASSEN_PRODUCTS, result.side / 2);
}
static inline struct square strassen_product(double *products, int i, struct square result) {
    size_t half = result.side / 2;
    return square_at(products + (size_t)i * square_size(half), half);
}

/* result = left right, for squares of STRASSEN_LEAF; four rows of the right one at a time. */
static inline void strassen_leaf(struct square result, struct square left, struct square right) {
    for (int i = 0; i < STRASSEN_LEAF; i++) {
        double *__restrict out = result.at + (size_t)i * result.stride;
        const double *factor = left.at + (size_t)i * left.stride;
        for (int j = 0; j < STRASSEN_LEAF; j++)
            out[j] = 0;
        for (size_t k = 0; k < STRASSEN_LEAF; k += 4) {
            const double *a = right.at + k * right.stride, *b = a + right.stride;
            const double *c = b + right.stride, *d = c + right.stride;
            for (int j = 0; j < STRASSEN_LEAF; j++)
                out[j] +=
                    factor[k] * a[j] + factor[k + 1] * b[j] + factor[k + 2] * c[j] + factor[k + 3] * d[j];
        }
    }
}

struct strassen {
    struct square result, left, right;
};

/* Of the element in row i and column j. */
static inline uint64_t strassen_proof(size_t i, size_t j, double element) {
    return harness_mix(i << 50 ^ j << 40 ^ (uint64_t)(int64_t)element);
}

static inline uint64_t strassen_result(void *arg) {
    struct square result = ((struct strassen *)arg)->result;
    uint64_t sum = 0;
    for (size_t i = 0; i < result.side; i++)
        for (size_t j = 0; j < result.side; j++)
            sum += strassen_proof(i, j, result.at[i * result.stride + j]);
    return sum;
}

/* The expected result, by the definition. */
static inline uint64_t strassen_expected(const struct strassen *data) {
    uint64_t sum = 0;
    for (size_t i = 0; i < STRASSEN_N; i++)
        for (size_t j = 0; j < STRASSEN_N; j++) {
            double element = 0;
            for (size_t k = 0; k < STRASSEN_N; k++)
                element +=
                    data->left.at[i * data->left.stride + k] * data->right.at[k * data->right.stride + j];
            sum += strassen_proof(i, j, element);
        }
    return sum;
}

/* Prints strassen.element, the time per element of the result. Arguments: MS. */
static inline int strassen_main(int argc, char **argv, uint64_t (*multiply)(void *strassen)) {
    struct strassen data;
    harness_begin(argc, argv);
    /* The products' memory comes from malloc again and again: it should stay with the process. */
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    data.result = square_at(square_memory(1, STRASSEN_N), STRASSEN_N);
    data.left = square_at(square_memory(1, STRASSEN_N), STRASSEN_N);
    data.right = square_at(square_memory(1, STRASSEN_N), STRASSEN_N);
    for (size_t i = 0; i < square_size(STRASSEN_N); i++) {
        data.left.at[i] = (double)(harness_mix(i) % 19) - 9;
        data.right.at[i] = (double)(harness_mix(~i) % 19) - 9;
    }
    const struct harness_kernel kernel = {NULL, multiply, strassen_result};
    harness_measure_kernel("strassen.element", &kernel, &data, strassen_expected(&data),
                           STRASSEN_N * STRASSEN_N);
    free(data.result.at), free(data.left.at), free(data.right.at);
    return harness_end();
}

#endif
