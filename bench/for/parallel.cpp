// A loop over elements of some cost, by for_each of libstdc++'s parallel mode, in its ways of sharing.
#include "workload.h"

#include <parallel/algorithm>

template <__gnu_parallel::_Parallelism parallelism>
static uint64_t loop(void *arg) {
    const range *whole = static_cast<range *>(arg);
    uint64_t *out = whole->out;
    __gnu_parallel::for_each(
        out, out + whole->size,
        [=](const uint64_t &element) { range_write(whole, static_cast<size_t>(&element - out)); },
        parallelism);
    return 0;
}

int main(int argc, char **argv) {
    __gnu_parallel::_Settings settings = __gnu_parallel::_Settings::get();
    settings.for_each_minimal_n = 0; // all of these pay
    __gnu_parallel::_Settings::set(settings);
    static const range_way ways[] = {{"equal_parts", loop<__gnu_parallel::parallel_unbalanced>},
                                     {"stealing", loop<__gnu_parallel::parallel_balanced>}};
    return range_main(argc, argv, "for", 1, ways, 2);
}
