/* The first match, by blitz_seek_first. */
#include "workload.h"

#include <blitz/algo.h>

static size_t seek_cheap(size_t lo, size_t hi, void *ctx) {
    return find_cheap_in(ctx, lo, hi);
}

static size_t seek_costly(size_t lo, size_t hi, void *ctx) {
    return find_costly_in(ctx, lo, hi);
}

static uint64_t cheap(void *arg) {
    return blitz_seek_first(0, ((const struct find *)arg)->size, 0, seek_cheap, arg);
}

static uint64_t costly(void *arg) {
    return blitz_seek_first(0, ((const struct find *)arg)->size, 0, seek_costly, arg);
}

int main(int argc, char **argv) {
    static const struct find_way way = {"", cheap, costly};
    return find_main(argc, argv, &way, 1);
}
