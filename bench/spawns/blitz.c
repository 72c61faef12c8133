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

/* A row of trees in one task. */
struct row {
    const struct spawns_row *row;
    uint64_t count;
};

static void grow_trees(void *arg) {
    struct row *row = arg;
    for (int i = 0; i < row->row->count; i++) {
        struct leaves tree = {row->row->depth, 0};
        leaves(&tree);
        row->count += tree.count;
    }
}

static uint64_t trees(void *arg) {
    struct row row = {arg, 0};
    blitz_call(NULL, grow_trees, &row);
    return row.count;
}

static void leaf(void *count) {
    *(uint64_t *)count = 1;
}

static void link(void *arg) {
    struct leaves *mine = arg, rest = {mine->depth - 1, 0};
    uint64_t own = 1;
    if (mine->depth > 0)
        blitz_join(link, &rest, leaf, &own);
    mine->count = own + rest.count;
}

static void link_chains(void *arg) {
    struct row *row = arg;
    for (int i = 0; i < row->row->count; i++) {
        struct leaves chain = {row->row->depth, 0};
        link(&chain);
        row->count += chain.count;
    }
}

static uint64_t chains(void *arg) {
    struct row row = {arg, 0};
    blitz_call(NULL, link_chains, &row);
    return row.count;
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
    harness_budget /= 2; /* there are many */
    spawns_wake("spawns.wake", submit);
    spawns_joins("spawns.joins", joins);
    spawns_depths(trees);
    spawns_chain(chains);
    spawns_storm("spawns.storm.by_scope", storm_by_scope);
    spawns_storm("spawns.storm.by_submit", storm_by_submit);
    return harness_end();
}
