// A loop over elements of some cost, by parallel_for.
#include "harness_tbb.h"
#include "workload.h"

#include <tbb/blocked_range.h>

static uint64_t loop(void *arg) {
    const range *whole = static_cast<range *>(arg);
    tbb::parallel_for(
        tbb::blocked_range<size_t>(0, whole->size),
        [=](const tbb::blocked_range<size_t> &piece) { range_fill(whole, piece.begin(), piece.end()); });
    return 0;
}

int main(int argc, char **argv) {
    harness_threads threads;
    return range_main_for(argc, argv, loop);
}
