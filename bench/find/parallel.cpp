// The first match, by find and find_if of libstdc++'s parallel mode.
#include "workload.h"

#include <parallel/algorithm>

static uint64_t cheap(void *arg) {
    const find *all = static_cast<find *>(arg);
    const uint32_t *numbers = all->numbers, wanted = all->wanted;
    return static_cast<uint64_t>(__gnu_parallel::find(numbers, numbers + all->size, wanted) - numbers);
}

static uint64_t costly(void *arg) {
    const find *all = static_cast<find *>(arg);
    const uint32_t *numbers = all->numbers; // as many as there are elements: only their places count
    const auto is_it = [=](const uint32_t &number) {
        return find_costly(all, static_cast<size_t>(&number - numbers)) != 0;
    };
    return static_cast<uint64_t>(__gnu_parallel::find_if(numbers, numbers + all->size, is_it) - numbers);
}

int main(int argc, char **argv) {
    static const find_way way = {"", cheap, costly};
    return find_main(argc, argv, &way, 1);
}
