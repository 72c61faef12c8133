/* The sum of elements of some cost, by a plain loop. */
#include "for/workload.h"

static uint64_t sum(void *arg) {
    const struct range *range = arg;
    return range_sum(range, 0, range->size);
}

int main(int argc, char **argv) {
    return range_main_reduce(argc, argv, sum);
}
