/* matmul: adds the product of two square matrices to a third, by quarters. The elements are small integers, so that all sums
 * are exact whatever their order. */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <string.h>

#include "harness.h"

enum { MATMUL_LEAF = 32, MATMUL_MOST = 4096 };

struct matmul {
    size_t n, stride; /* rows are one cache line longer than needed: see bench/strassen */
    double *a, *b, *c;
};

static inline double matmul_element(uint64_t seed, size_t i) {
    return (double)(harness_mix(seed + i) % 16);
}

static inline void matmul_fill(struct matmul *data, size_t n) {
    data->n = n;
    data->stride = n + 8;
    size_t count = n * data->stride;
    data->a = (double *)harness_memory(count * sizeof(double));
    data->b = (double *)harness_memory(count * sizeof(double));
    data->c = (double *)harness_memory(count * sizeof(double));
    for (size_t i = 0; i < count; i++)
        data->a[i] = matmul_element(1, i), data->b[i] = matmul_element(1u << 30, i);
}

static inline void matmul_prepare(void *arg) {
    struct matmul *data = (struct matmul *)arg;
    memset(data->c, 0, data->n * data->stride * sizeof(double));
}

/* c += a * b, squares of n elements. */
static inline void matmul_leaf(double *c, const double *a, const double *b, size_t n, size_t stride) {
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++) {
            double x = a[i * stride + k];
            for (size_t j = 0; j < n; j++)
                c[i * stride + j] += x * b[k * stride + j];
        }
}

/* Products with one vector reveal a wrong element: of c, or of a with that of b. */
static inline uint64_t matmul_result(void *arg) {
    const struct matmul *data = (const struct matmul *)arg;
    uint64_t sum = 0;
    for (size_t i = 0; i < data->n; i++) {
        double row = 0;
        for (size_t j = 0; j < data->n; j++)
            row += data->c[i * data->stride + j] * (double)(j % 7 + 1);
        sum += harness_mix((uint64_t)row + i);
    }
    return sum;
}
static inline uint64_t matmul_expected(const struct matmul *data) {
    double *vector = (double *)harness_memory(data->n * sizeof(double));
    uint64_t sum = 0;
    for (size_t k = 0; k < data->n; k++) {
        vector[k] = 0;
        for (size_t j = 0; j < data->n; j++)
            vector[k] += data->b[k * data->stride + j] * (double)(j % 7 + 1);
    }
    for (size_t i = 0; i < data->n; i++) {
        double row = 0;
        for (size_t k = 0; k < data->n; k++)
            row += data->a[i * data->stride + k] * vector[k];
        sum += harness_mix((uint64_t)row + i);
    }
    free(vector);
    return sum;
}

/* Prints matmul.element, the time per element of the product. Arguments: MS, rows. */
static inline int matmul_main(int argc, char **argv, uint64_t (*multiply)(void *data)) {
    struct matmul data;
    harness_begin(argc, argv);
    matmul_fill(&data, (size_t)harness_number(argc, argv, 2, 256, MATMUL_MOST));
    const struct harness_kernel kernel = {matmul_prepare, multiply, matmul_result};
    harness_measure_kernel("matmul.element", &kernel, &data, matmul_expected(&data),
                           (double)(data.n * data.n));
    free(data.a), free(data.b), free(data.c);
    return harness_end();
}

#endif
