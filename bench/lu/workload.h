/* lu: factors a dense matrix that needs no pivoting into a lower one with a unit diagonal and an upper one, in its place, by
 * halves. */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <string.h>

#include "harness.h"

enum { LU_LEAF = 16, LU_MOST = 4096 };

struct lu {
    size_t n, stride; /* rows are one cache line longer than needed: see bench/strassen */
    double *input, *a;
};

static inline void lu_fill(struct lu *data, size_t n) {
    data->n = n;
    data->stride = n + 8;
    data->input = (double *)harness_memory(n * data->stride * sizeof(double));
    data->a = (double *)harness_memory(n * data->stride * sizeof(double));
    for (size_t i = 0; i < n * data->stride; i++)
        data->input[i] = (double)(harness_mix(i) % 2001) / 1000 - 1;
    for (size_t i = 0; i < n; i++)
        data->input[i * data->stride + i] += 2 * (double)n; /* greater than the rest of its row */
}

static inline void lu_prepare(void *arg) {
    struct lu *data = (struct lu *)arg;
    memcpy(data->a, data->input, data->n * data->stride * sizeof(double));
}

/* ---- leaves: a is the factored diagonal block ---- */

static inline void lu_leaf(double *a, size_t n, size_t stride) {
    for (size_t k = 0; k < n; k++)
        for (size_t i = k + 1; i < n; i++) {
            double x = a[i * stride + k] /= a[k * stride + k];
            for (size_t j = k + 1; j < n; j++)
                a[i * stride + j] -= x * a[k * stride + j];
        }
}
/* b = lower(a)^-1 b */
static inline void lu_lower_leaf(const double *a, double *b, size_t n, size_t stride) {
    for (size_t i = 1; i < n; i++)
        for (size_t k = 0; k < i; k++)
            for (size_t j = 0; j < n; j++)
                b[i * stride + j] -= a[i * stride + k] * b[k * stride + j];
}
/* b = b upper(a)^-1 */
static inline void lu_upper_leaf(const double *a, double *b, size_t n, size_t stride) {
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++) {
            double x = b[i * stride + k] /= a[k * stride + k];
            for (size_t j = k + 1; j < n; j++)
                b[i * stride + j] -= x * a[k * stride + j];
        }
}
/* c -= a b */
static inline void lu_product_leaf(double *c, const double *a, const double *b, size_t n, size_t stride) {
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++) {
            double x = a[i * stride + k];
            for (size_t j = 0; j < n; j++)
                c[i * stride + j] -= x * b[k * stride + j];
        }
}

/* 1 if the product of the factors with a vector equals that of the input. */
static inline uint64_t lu_result(void *arg) {
    const struct lu *data = (const struct lu *)arg;
    double *upper = (double *)harness_memory(data->n * sizeof(double)), worst = 0;
    for (size_t i = 0; i < data->n; i++) {
        upper[i] = 0;
        for (size_t j = i; j < data->n; j++)
            upper[i] += data->a[i * data->stride + j] * (double)(j % 5 + 1);
    }
    for (size_t i = 0; i < data->n; i++) {
        double product = upper[i], expected = 0;
        for (size_t j = 0; j < i; j++)
            product += data->a[i * data->stride + j] * upper[j];
        for (size_t j = 0; j < data->n; j++)
            expected += data->input[i * data->stride + j] * (double)(j % 5 + 1);
        double error = product > expected ? product - expected : expected - product;
        worst = error > worst || error != error ? error : worst; /* also when it is no number */
    }
    free(upper);
    return worst < 1e-8 * (double)data->n;
}

/* Prints lu.element, the time per element. Arguments: MS, rows. */
static inline int lu_main(int argc, char **argv, uint64_t (*factor)(void *data)) {
    struct lu data;
    harness_begin(argc, argv);
    lu_fill(&data, (size_t)harness_number(argc, argv, 2, 256, LU_MOST));
    const struct harness_kernel kernel = {lu_prepare, factor, lu_result};
    harness_measure_kernel("lu.element", &kernel, &data, 1, (double)(data.n * data.n));
    free(data.input), free(data.a);
    return harness_end();
}

#endif
