/* The tasks as plain calls; nothing to wake. */
#include "spawns/spawns.h"

static __attribute__((noinline)) void mark(unsigned char *done) {
    *done = 1;
}

static uint64_t storm(void *arg) {
    (void)arg;
    for (size_t i = 0; i < STORM; i++)
        mark(&spawns_done[i]);
    return 0;
}

static __attribute__((noinline)) void leaves(int depth, uint64_t *count) {
    uint64_t other;
    if (depth == 0) {
        *count = 1;
        return;
    }
    leaves(depth - 1, &other);
    leaves(depth - 1, count);
    *count += other;
}

static uint64_t joins(void *depth) {
    uint64_t count;
    leaves(*(int *)depth, &count);
    return count;
}

static uint64_t trees(void *arg) {
    const struct spawns_row *row = arg;
    uint64_t sum = 0;
    for (int i = 0; i < row->count; i++) {
        uint64_t count;
        leaves(row->depth, &count);
        sum += count;
    }
    return sum;
}

static __attribute__((noinline)) void leaf(uint64_t *count) {
    *count = 1;
}

static __attribute__((noinline)) void link(int depth, uint64_t *count) {
    uint64_t rest = 0;
    if (depth > 0)
        link(depth - 1, &rest);
    leaf(count);
    *count += rest;
}

static uint64_t chains(void *arg) {
    const struct spawns_row *row = arg;
    uint64_t sum = 0;
    for (int i = 0; i < row->count; i++) {
        uint64_t count;
        link(row->depth, &count);
        sum += count;
    }
    return sum;
}

int main(int argc, char **argv) {
    harness_begin(argc, argv);
    harness_budget /= 2; /* there are many */
    spawns_joins("spawns.joins", joins);
    spawns_depths(trees);
    spawns_chain(chains);
    spawns_storm("spawns.storm", storm);
    return harness_end();
}
