/* All solutions of the n queens puzzle, recursively. */
#include "workload.h"

static uint64_t solve(void *n) {
    struct board board = {{0}};
    uint64_t boards = 0;
    return nqueens_serial(&board, *(int *)n, 0, &boards);
}

int main(int argc, char **argv) {
    return nqueens_main(argc, argv, solve);
}
