/* A loop over elements of some cost, by blitz_for. */
#include "workload.h"

#include <blitz.h>

static int piece(size_t lo, size_t hi, void *ctx) {
    range_fill(ctx, lo, hi);
    return 0;
}

static uint64_t loop(void *arg) {
    const struct range *range = arg;
    return (uint64_t)blitz_for(0, range->size, 0, piece, arg);
}

int main(int argc, char **argv) {
    return range_main_for(argc, argv, loop);
}
