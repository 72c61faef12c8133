// Prefix sums by partial_sum of libstdc++'s parallel mode, which has no parallel copy_if.
#include "workload.h"

#include <parallel/numeric>

static uint64_t reals(void *arg) {
    const scan *all = static_cast<scan *>(arg);
    __gnu_parallel::partial_sum(all->reals, all->reals + all->size, all->sums);
    return 0;
}

static uint64_t numbers(void *arg) {
    const scan *all = static_cast<scan *>(arg);
    __gnu_parallel::partial_sum(all->numbers, all->numbers + all->size, all->results);
    return 0;
}

int main(int argc, char **argv) {
    static const scan_ways ways = {reals, numbers, nullptr};
    return scan_main(argc, argv, &ways);
}
