/* Counts the nodes of an unbalanced tree, a task for every node. */
#include "workload.h"

static uint64_t count(uint64_t node, int children) {
    uint64_t counts[TREE_CHILDREN];
    for (int i = 0; i < children; i++) {
#pragma omp task shared(counts)
        {
            uint64_t child = tree_child(node, i);
            counts[i] = count(child, tree_children(child));
        }
    }
#pragma omp taskwait
    uint64_t sum = 1;
    for (int i = 0; i < children; i++)
        sum += counts[i];
    return sum;
}

static uint64_t region(void *arg) {
    int width = *(int *)arg;
    uint64_t result = 1;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < width; i++) {
#pragma omp task shared(result)
        {
            uint64_t child = tree_child(0, i);
            uint64_t below = count(child, tree_children(child));
#pragma omp atomic
            result += below;
        }
    }
    return result;
}

int main(int argc, char **argv) {
    return tree_main(argc, argv, region);
}
