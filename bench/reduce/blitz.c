/* The sum of elements of some cost, by blitz_reduce. */
#include "for/workload.h"

#include <blitz.h>

static int add_piece(size_t lo, size_t hi, void *value, void *ctx) {
    *(uint64_t *)value += range_sum(ctx, lo, hi);
    return 0;
}

static void add(void *left, const void *right, void *ctx) {
    (void)ctx;
    *(uint64_t *)left += *(const uint64_t *)right;
}

static uint64_t sum(void *arg) {
    static const uint64_t zero;
    static const blitz_reduce_op op = {sizeof zero, &zero, add_piece, add};
    const struct range *range = arg;
    uint64_t result = 0;
    blitz_reduce(0, range->size, 0, &op, arg, &result);
    return result;
}

int main(int argc, char **argv) {
    return range_main_reduce(argc, argv, sum);
}
