// Counts the nodes of an unbalanced tree, a task for every node; the root's many children by a loop.
#include "harness_tbb.h"
#include "workload.h"

#include <atomic>

static uint64_t count(uint64_t parent, int index) {
    uint64_t node = tree_child(parent, index), counts[TREE_CHILDREN], sum = 1;
    int children = tree_children(node);
    if (children == 0)
        return 1;
    tbb::task_group group;
    for (int i = 0; i < children; i++)
        group.run([=, &counts] { counts[i] = count(node, i); });
    group.wait();
    for (int i = 0; i < children; i++)
        sum += counts[i];
    return sum;
}

static uint64_t count_all(void *width) {
    std::atomic<uint64_t> sum{1};
    tbb::parallel_for(0, *static_cast<int *>(width), [&](int i) { sum += count(0, i); });
    return sum;
}

int main(int argc, char **argv) {
    harness_threads threads;
    return tree_main(argc, argv, count_all);
}
