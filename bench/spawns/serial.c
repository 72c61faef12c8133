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

int main(int argc, char **argv) {
    harness_begin(argc, argv);
    spawns_joins("spawns.joins", joins);
    spawns_storm("spawns.storm", storm);
    return harness_end();
}
