// The first match, by parallel_for: each piece is searched unless an earlier match is known.
#include "harness_tbb.h"
#include "workload.h"

#include <atomic>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

template <typename Search>
static uint64_t first(const find *all, size_t grain, Search in) {
    std::atomic<size_t> best{all->size};
    tbb::parallel_for(
        tbb::blocked_range<size_t>(0, all->size, grain), [&](const tbb::blocked_range<size_t> &piece) {
            for (size_t lo = piece.begin(); lo < piece.end() && lo < best.load(std::memory_order_relaxed);
                 lo += grain) {
                size_t hi = std::min(lo + grain, piece.end()), found = in(all, lo, hi), known = best.load();
                while (found < hi && found < known && !best.compare_exchange_weak(known, found))
                    continue;
                if (found < hi)
                    return;
            }
        });
    return best;
}

static uint64_t cheap(void *arg) {
    return first(static_cast<find *>(arg), 16384, find_cheap_in);
}

static uint64_t costly(void *arg) {
    return first(static_cast<find *>(arg), 64, find_costly_in);
}

int main(int argc, char **argv) {
    static const find_way way = {"", cheap, costly};
    harness_threads threads;
    return find_main(argc, argv, &way, 1);
}
