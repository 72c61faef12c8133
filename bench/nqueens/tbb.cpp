// All solutions of the n queens puzzle, a task for every queen that can be placed, with its own copy of the board.
#include "harness_tbb.h"
#include "workload.h"

static uint64_t place(board board, int n, int row) {
    if (row == n)
        return 1;
    uint64_t found[NQUEENS_MAX], sum = 0;
    int tasks = 0;
    tbb::task_group group;
    for (int column = 0; column < n; column++)
        if (nqueens_fits(&board, row, column)) {
            uint64_t *mine = &found[tasks++];
            board.column[row] = (signed char)column;
            group.run([=] { *mine = place(board, n, row + 1); });
        }
    group.wait();
    for (int i = 0; i < tasks; i++)
        sum += found[i];
    return sum;
}

static uint64_t solve(void *n) {
    return place(board(), *static_cast<int *>(n), 0);
}

int main(int argc, char **argv) {
    harness_threads threads;
    return nqueens_main(argc, argv, solve);
}
