/* Counts the nodes of an unbalanced tree, a spawn for every node; the root's many children by halves. */
#include "workload.h"

#include <blitz/cilk.h>

BLITZ_TASK_2(uint64_t, count, uint64_t, parent, int, index) {
    uint64_t node = tree_child(parent, index), sum = 1;
    int children = tree_children(node);
    BLITZ_TASK_FRAME(count) frames[TREE_CHILDREN];
    for (int i = 0; i < children; i++)
        BLITZ_FORK_AT(count, &frames[i], node, i);
    while (children > 0)
        sum += BLITZ_SYNC_AT(count, &frames[--children]);
    return sum;
}

BLITZ_TASK_2(uint64_t, count_range, int, lo, int, hi) {
    if (hi - lo == 1)
        return BLITZ_CALL(count, 0, lo);
    int middle = lo + (hi - lo) / 2;
    BLITZ_FORK(right, count_range, middle, hi);
    uint64_t left = BLITZ_CALL(count_range, lo, middle);
    return left + BLITZ_SYNC(right, count_range);
}

static uint64_t count_all(void *width) {
    return 1 + count_range(0, *(int *)width);
}

int main(int argc, char **argv) {
    return tree_main(argc, argv, count_all);
}
