/* Counts the nodes of an unbalanced tree. */
#include "workload.h"

static uint64_t count(void *width) {
    return tree_serial(0, *(int *)width);
}

int main(int argc, char **argv) {
    return tree_main(argc, argv, count);
}
