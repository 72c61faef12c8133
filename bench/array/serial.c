/* In one pass over an array, by several sums at once, by a loop that may become vectors, and by a plain one. */
#include "workload.h"

static uint64_t sum_f64(const struct array *array) {
    return (uint64_t)array_sum_f64(array->a, 0, array->n);
}
static uint64_t sum_i64(const struct array *array) {
    return (uint64_t)array_sum_i64(array->numbers, 0, array->n);
}
static uint64_t max_f64(const struct array *array) {
    return (uint64_t)array_max_f64(array->a, 0, array->n);
}
static uint64_t dot_f64(const struct array *array) {
    return (uint64_t)array_dot_f64(array->a, array->b, 0, array->n);
}
static uint64_t map_f64(const struct array *array) {
    array_map_f64(array->out, array->a, array->b, 0, array->n);
    return 0;
}

static uint64_t sum_by_simd(const struct array *array) {
    const double *a = array->a;
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = 0; i < array->n; i++)
        sum += a[i];
    return (uint64_t)sum;
}

static uint64_t sum_by_plain(const struct array *array) {
    double sum = 0;
    for (size_t i = 0; i < array->n; i++)
        sum += array->a[i];
    return (uint64_t)sum;
}

int main(int argc, char **argv) {
    static const struct array_way ways[] = {{"lanes", {sum_f64, sum_i64, max_f64, dot_f64, map_f64}},
                                            {"simd", {sum_by_simd, NULL, NULL, NULL, NULL}},
                                            {"plain", {sum_by_plain, NULL, NULL, NULL, NULL}}};
    return array_main(argc, argv, ways, 3);
}
