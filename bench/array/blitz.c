/* In one pass over an array, by the typed reductions, and the map by blitz_for. */
#include "workload.h"

#include <blitz/algo.h>

enum { GRAIN = 4096 };

static uint64_t sum_f64(const struct array *array) {
    return (uint64_t)blitz_sum_f64(array->a, array->n);
}
static uint64_t sum_i64(const struct array *array) {
    return (uint64_t)blitz_sum_i64(array->numbers, array->n);
}
static uint64_t max_f64(const struct array *array) {
    return (uint64_t)blitz_max_f64(array->a, array->n);
}
static uint64_t dot_f64(const struct array *array) {
    return (uint64_t)blitz_dot_f64(array->a, array->b, array->n);
}

static int map_piece(size_t lo, size_t hi, void *ctx) {
    const struct array *array = ctx;
    array_map_f64(array->out, array->a, array->b, lo, hi);
    return 0;
}
static uint64_t map_f64(const struct array *array) {
    struct array data = *array;
    return (uint64_t)blitz_for(0, array->n, GRAIN, map_piece, &data);
}

int main(int argc, char **argv) {
    static const struct array_way way = {"", {sum_f64, sum_i64, max_f64, dot_f64, map_f64}};
    return array_main(argc, argv, &way, 1);
}
