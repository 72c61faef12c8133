// The sum of elements of some cost, by parallel_reduce.
#include "for/workload.h"
#include "harness_tbb.h"

#include <functional>
#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

static uint64_t sum(void *arg) {
    const range *whole = static_cast<range *>(arg);
    return tbb::parallel_reduce(
        tbb::blocked_range<size_t>(0, whole->size), uint64_t{0},
        [=](const tbb::blocked_range<size_t> &piece, uint64_t value) {
            return value + range_sum(whole, piece.begin(), piece.end());
        },
        std::plus<uint64_t>());
}

int main(int argc, char **argv) {
    harness_threads threads;
    return range_main_reduce(argc, argv, sum);
}
