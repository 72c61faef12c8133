// parallel_sort, which is not stable.
#include "harness_tbb.h"
#include "sorts.hpp"

#include <tbb/parallel_sort.h>

static uint64_t unstable(void *arg) {
    return sort_typed(arg, [](auto *first, auto *last) { tbb::parallel_sort(first, last); });
}

int main(int argc, char **argv) {
    harness_threads threads;
    static const sort_way ways[] = {{"", 0, 0, unstable, nullptr}};
    return sort_main(argc, argv, ways, 1);
}
