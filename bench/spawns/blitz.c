/* Tasks of a scope, submitted ones, and joins of two functions. */
#include "spawns/spawns.h"

#include <blitz.h>

static void mark(void *done) {
    *(unsigned char *)done = 1;
}

static uint64_t storm_by_scope(void *arg) {
    blitz_scope scope;
    (void)arg;
    blitz_scope_begin(&scope);
    for (size_t i = 0; i < STORM; i++)
        blitz_scope_spawn(&scope, mark, &spawns_done[i]);
    blitz_scope_wait(&scope);
    return 0;
}

static uint64_t storm_by_submit(void *arg) {
    (void)arg;
    for (size_t i = 0; i < STORM; i++)
        blitz_submit(NULL, mark, &spawns_done[i]);
    blitz_wait_idle(NULL);
    return 0;
}

struct leaves {
    int depth;
    uint64_t count;
};

static void leaves(void *arg) {
    struct leaves *mine = arg, left = {mine->depth - 1, 0}, right = left;
    if (mine->depth == 0) {
        mine->count = 1;
        return;
    }
    blitz_join(leaves, &left, leaves, &right);
    mine->count = left.count + right.count;
}

static uint64_t joins(void *depth) {
    struct leaves all = {*(int *)depth, 0};
    blitz_call(NULL, leaves, &all);
    return all.count;
}

static void begin(void *arg) {
    (void)arg;
    spawns_begin();
}

static uint64_t submit(void *arg) {
    (void)arg;
    blitz_submit(NULL, begin, NULL);
    return spawns_await();
}

int main(int argc, char **argv) {
    harness_begin(argc, argv);
    spawns_joins("spawns.joins", joins);
    spawns_storm("spawns.storm.by_scope", storm_by_scope);
    spawns_storm("spawns.storm.by_submit", storm_by_submit);
    spawns_wake("spawns.wake", submit);
    return harness_end();
}
