/* tree: an unbalanced tree in the manner of UTS (Olivier et al., LCPC 2006), binomial: the root has many children,
 * every other node has 8 or none, by a hash of where it stands, so that the sizes of subtrees differ wildly but not
 * from run to run. */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include "harness.h"

enum { TREE_ROOT = 8000, TREE_CHILDREN = 8 };

/* 8 q < 1: a subtree has 1 / (1 - 8 q) nodes on average, here 25. */
#define TREE_Q 0.12

static inline int tree_children(uint64_t node) {
    return (double)(node >> 11) * 0x1p-53 < TREE_Q ? TREE_CHILDREN : 0;
}
static inline uint64_t tree_child(uint64_t node, int index) {
    return harness_mix(node + (uint64_t)index);
}

/* Nodes of the subtree. */
static inline uint64_t tree_serial(uint64_t node, int children) {
    uint64_t count = 1;
    for (int i = 0; i < children; i++) {
        uint64_t child = tree_child(node, i);
        count += tree_serial(child, tree_children(child));
    }
    return count;
}

/* Prints tree.task, the time per node. Arguments: MS, the root's children. */
static inline int tree_main(int argc, char **argv, uint64_t (*count)(void *width)) {
    harness_begin(argc, argv);
    int width = (int)harness_number(argc, argv, 2, TREE_ROOT, 1000000);
    uint64_t nodes = tree_serial(0, width);
    harness_measure("tree.task", count, &width, nodes, (double)nodes);
    return harness_end();
}

#endif
