/* A loop over elements of some cost, as a plain loop. */
#include "workload.h"

static uint64_t loop(void *arg) {
    const struct range *range = arg;
    range_fill(range, 0, range->size);
    return 0;
}

int main(int argc, char **argv) {
    return range_main_for(argc, argv, loop);
}
