// In one pass over an array, by libstdc++'s parallel mode, in equal parts; short arrays by the calling thread.
#include "workload.h"

#include <parallel/algorithm>
#include <parallel/numeric>

static constexpr size_t short_array = 30000;
static constexpr auto equal_parts = __gnu_parallel::parallel_unbalanced;

static uint64_t sum_f64(const array *array) {
    return static_cast<uint64_t>(__gnu_parallel::accumulate(array->a, array->a + array->n, 0.0, equal_parts));
}

static uint64_t sum_i64(const array *array) {
    const int64_t *numbers = array->numbers;
    return static_cast<uint64_t>(
        __gnu_parallel::accumulate(numbers, numbers + array->n, int64_t{0}, equal_parts));
}

static uint64_t max_f64(const array *array) {
    return static_cast<uint64_t>(*__gnu_parallel::max_element(array->a, array->a + array->n, equal_parts));
}

static uint64_t dot_f64(const array *array) {
    return static_cast<uint64_t>(
        __gnu_parallel::inner_product(array->a, array->a + array->n, array->b, 0.0, equal_parts));
}

static uint64_t map_f64(const array *array) {
    const auto add = [](double x, double y) { return 2 * x + y; };
    __gnu_parallel::transform(array->a, array->a + array->n, array->b, array->out, add, equal_parts);
    return 0;
}

int main(int argc, char **argv) {
    __gnu_parallel::_Settings settings = __gnu_parallel::_Settings::get();
    settings.accumulate_minimal_n = settings.max_element_minimal_n = settings.transform_minimal_n =
        short_array;
    __gnu_parallel::_Settings::set(settings);
    static const array_way way = {"", {sum_f64, sum_i64, max_f64, dot_f64, map_f64}};
    return array_main(argc, argv, &way, 1);
}
