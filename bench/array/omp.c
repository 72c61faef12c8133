/* One pass over an array, by OpenMP's loops: over the elements, which may become vectors, and over blocks with several
 * sums each. The calling thread handles short arrays. */
#include "workload.h"

enum { SHORT = 30000, BLOCK = 8192 };

static size_t end_of(const struct array *array, size_t lo) {
    return array->n - lo < BLOCK ? array->n : lo + BLOCK;
}

/* ---- elements ---- */

static uint64_t sum_f64(const struct array *array) {
    const double *a = array->a;
    double sum = 0;
#pragma omp parallel for simd reduction(+ : sum) if (parallel : array->n > SHORT)
    for (size_t i = 0; i < array->n; i++)
        sum += a[i];
    return (uint64_t)sum;
}

static uint64_t sum_i64(const struct array *array) {
    const int64_t *numbers = array->numbers;
    int64_t sum = 0;
#pragma omp parallel for simd reduction(+ : sum) if (parallel : array->n > SHORT)
    for (size_t i = 0; i < array->n; i++)
        sum += numbers[i];
    return (uint64_t)sum;
}

static uint64_t dot_f64(const struct array *array) {
    const double *a = array->a, *b = array->b;
    double sum = 0;
#pragma omp parallel for simd reduction(+ : sum) if (parallel : array->n > SHORT)
    for (size_t i = 0; i < array->n; i++)
        sum += a[i] * b[i];
    return (uint64_t)sum;
}

static uint64_t map_f64(const struct array *array) {
    const double *a = array->a, *b = array->b;
    double *out = array->out;
#pragma omp parallel for simd if (parallel : array->n > SHORT)
    for (size_t i = 0; i < array->n; i++)
        out[i] = 2 * a[i] + b[i];
    return 0;
}

/* ---- blocks ---- */

static uint64_t sum_by_blocks(const struct array *array) {
    double sum = 0;
#pragma omp parallel for reduction(+ : sum) if (array->n > SHORT)
    for (size_t lo = 0; lo < array->n; lo += BLOCK)
        sum += array_sum_f64(array->a, lo, end_of(array, lo));
    return (uint64_t)sum;
}

static uint64_t max_by_blocks(const struct array *array) {
    double greatest = array->a[0];
#pragma omp parallel for reduction(max : greatest) if (array->n > SHORT)
    for (size_t lo = 0; lo < array->n; lo += BLOCK)
        greatest = array_greater(array_max_f64(array->a, lo, end_of(array, lo)), greatest);
    return (uint64_t)greatest;
}

static uint64_t dot_by_blocks(const struct array *array) {
    double sum = 0;
#pragma omp parallel for reduction(+ : sum) if (array->n > SHORT)
    for (size_t lo = 0; lo < array->n; lo += BLOCK)
        sum += array_dot_f64(array->a, array->b, lo, end_of(array, lo));
    return (uint64_t)sum;
}

int main(int argc, char **argv) {
    static const struct array_way ways[] = {
        {"elements", {sum_f64, sum_i64, NULL, dot_f64, map_f64}},
        {"blocks", {sum_by_blocks, NULL, max_by_blocks, dot_by_blocks, NULL}}};
    return array_main(argc, argv, ways, 2);
}
