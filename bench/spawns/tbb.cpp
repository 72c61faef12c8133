// Tasks of a group, parallel_invoke, and a task for an arena.
#include "harness_tbb.h"
#include "spawns/spawns.h"

#include <tbb/parallel_invoke.h>
#include <tbb/task_arena.h>

static uint64_t storm(void *) {
    tbb::task_group group;
    for (size_t i = 0; i < STORM; i++)
        group.run([i] { spawns_done[i] = 1; });
    group.wait();
    return 0;
}

static uint64_t leaves(int depth) {
    if (depth == 0)
        return 1;
    uint64_t left, right;
    tbb::parallel_invoke([&left, depth] { left = leaves(depth - 1); },
                         [&right, depth] { right = leaves(depth - 1); });
    return left + right;
}

static uint64_t joins(void *depth) {
    return leaves(*static_cast<int *>(depth));
}

static uint64_t trees(void *arg) {
    const auto *row = static_cast<spawns_row *>(arg);
    uint64_t sum = 0;
    for (int i = 0; i < row->count; i++)
        sum += leaves(row->depth);
    return sum;
}

static uint64_t link(int depth) {
    if (depth == 0)
        return 1;
    uint64_t rest, own;
    tbb::parallel_invoke([&rest, depth] { rest = link(depth - 1); }, [&own] { own = 1; });
    return rest + own;
}

static uint64_t chains(void *arg) {
    const auto *row = static_cast<spawns_row *>(arg);
    uint64_t sum = 0;
    for (int i = 0; i < row->count; i++)
        sum += link(row->depth);
    return sum;
}

static uint64_t submit(void *arena) {
    static_cast<void>(arena);
    static tbb::task_arena own;
    own.enqueue([] { spawns_begin(); });
    return spawns_await();
}

int main(int argc, char **argv) {
    harness_threads threads;
    harness_begin(argc, argv);
    harness_budget /= 2; // there are many
    spawns_wake("spawns.wake", submit);
    spawns_joins("spawns.joins", joins);
    spawns_depths(trees);
    spawns_chain(chains);
    spawns_storm("spawns.storm", storm);
    return harness_end();
}
