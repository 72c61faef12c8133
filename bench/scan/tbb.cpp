// Prefix sums and a filter, by parallel_scan.
#include "harness_tbb.h"
#include "workload.h"

#include <functional>
#include <tbb/blocked_range.h>
#include <tbb/parallel_scan.h>

template <typename T>
static uint64_t sums(const T *in, T *out, size_t size) {
    tbb::parallel_scan(
        tbb::blocked_range<size_t>(0, size), T{0},
        [=](const tbb::blocked_range<size_t> &piece, T sum, bool last) {
            if (last)
                for (size_t i = piece.begin(); i < piece.end(); i++)
                    out[i] = sum += in[i];
            else
                for (size_t i = piece.begin(); i < piece.end(); i++)
                    sum += in[i];
            return sum;
        },
        std::plus<T>());
    return 0;
}

static uint64_t reals(void *arg) {
    scan *all = static_cast<scan *>(arg);
    return sums(all->reals, all->sums, all->size);
}

static uint64_t numbers(void *arg) {
    scan *all = static_cast<scan *>(arg);
    return sums(all->numbers, all->results, all->size);
}

static uint64_t compact(void *arg) {
    scan *all = static_cast<scan *>(arg);
    const uint32_t *in = all->numbers;
    uint32_t *out = all->results;
    all->kept = tbb::parallel_scan(
        tbb::blocked_range<size_t>(0, all->size), size_t{0},
        [=](const tbb::blocked_range<size_t> &piece, size_t kept, bool last) {
            if (last) {
                for (size_t i = piece.begin(); i < piece.end(); i++)
                    if (scan_keeps(in[i]))
                        out[kept++] = in[i];
            } else {
                for (size_t i = piece.begin(); i < piece.end(); i++)
                    kept += static_cast<size_t>(scan_keeps(in[i]));
            }
            return kept;
        },
        std::plus<size_t>());
    return 0;
}

int main(int argc, char **argv) {
    static const scan_ways ways = {reals, numbers, compact};
    harness_threads threads;
    return scan_main(argc, argv, &ways);
}
