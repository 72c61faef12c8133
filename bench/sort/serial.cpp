// qsort, std::sort and std::stable_sort.
#include "sorts.hpp"

#include <algorithm>

template <typename T>
static int compare(const void *a, const void *b) {
    const T &x = *static_cast<const T *>(a), &y = *static_cast<const T *>(b);
    return (y < x) - (x < y);
}

static uint64_t by_std(void *arg) {
    return sort_typed(arg, [](auto *first, auto *last) { std::sort(first, last); });
}

static uint64_t by_std_stable(void *arg) {
    return sort_typed(arg, [](auto *first, auto *last) { std::stable_sort(first, last); });
}

template <typename T>
static void sort_by_function(T *first, T *last) {
    qsort(first, static_cast<size_t>(last - first), sizeof(T), compare<T>);
}

static uint64_t by_qsort(void *arg) {
    return sort_typed(arg, [](auto *first, auto *last) { sort_by_function(first, last); });
}

static void adverse(int64_t *array, size_t n) {
    std::sort(array, array + n, [](int64_t x, int64_t y) { return sort_adverse(x, y) < 0; });
}

int main(int argc, char **argv) {
    static const sort_way ways[] = {{"std", 0, 0, by_std, adverse},
                                    {"std", 1, 0, by_std_stable, nullptr},
                                    {"qsort", 0, 1, by_qsort, nullptr}};
    return sort_main(argc, argv, ways, 3);
}
