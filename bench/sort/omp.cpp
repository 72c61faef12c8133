// The parallel mode of libstdc++, which runs on OpenMP.
#include "sorts.hpp"

#include <parallel/algorithm>

static uint64_t unstable(void *arg) {
    return sort_typed(arg, [](auto *first, auto *last) { __gnu_parallel::sort(first, last); });
}

static uint64_t stable(void *arg) {
    return sort_typed(arg, [](auto *first, auto *last) { __gnu_parallel::stable_sort(first, last); });
}

int main(int argc, char **argv) {
    static const sort_way ways[] = {{"", 0, 0, unstable, nullptr}, {"", 1, 0, stable, nullptr}};
    return sort_main(argc, argv, ways, 2);
}
