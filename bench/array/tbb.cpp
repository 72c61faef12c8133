// In one pass over an array, by parallel_reduce and parallel_for, whose bodies keep several sums going.
#include "harness_tbb.h"
#include "workload.h"

#include <functional>
#include <limits>
#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

using piece = tbb::blocked_range<size_t>;
static constexpr size_t grain = 8192;

static uint64_t sum_f64(const array *array) {
    const double *a = array->a;
    return static_cast<uint64_t>(tbb::parallel_reduce(
        piece(0, array->n, grain), 0.0,
        [=](const piece &part, double sum) { return sum + array_sum_f64(a, part.begin(), part.end()); },
        std::plus<double>()));
}

static uint64_t sum_i64(const array *array) {
    const int64_t *numbers = array->numbers;
    return static_cast<uint64_t>(tbb::parallel_reduce(
        piece(0, array->n, grain), int64_t{0},
        [=](const piece &part, int64_t sum) {
            return sum + array_sum_i64(numbers, part.begin(), part.end());
        },
        std::plus<int64_t>()));
}

static uint64_t max_f64(const array *array) {
    const double *a = array->a;
    return static_cast<uint64_t>(tbb::parallel_reduce(
        piece(0, array->n, grain), -std::numeric_limits<double>::infinity(),
        [=](const piece &part, double most) {
            return array_greater(most, array_max_f64(a, part.begin(), part.end()));
        },
        array_greater));
}

static uint64_t dot_f64(const array *array) {
    const double *a = array->a, *b = array->b;
    return static_cast<uint64_t>(tbb::parallel_reduce(
        piece(0, array->n, grain), 0.0,
        [=](const piece &part, double sum) { return sum + array_dot_f64(a, b, part.begin(), part.end()); },
        std::plus<double>()));
}

static uint64_t map_f64(const array *array) {
    const double *a = array->a, *b = array->b;
    double *out = array->out;
    tbb::parallel_for(piece(0, array->n, grain),
                      [=](const piece &part) { array_map_f64(out, a, b, part.begin(), part.end()); });
    return 0;
}

int main(int argc, char **argv) {
    harness_threads threads;
    static const array_way way = {"", {sum_f64, sum_i64, max_f64, dot_f64, map_f64}};
    return array_main(argc, argv, &way, 1);
}
