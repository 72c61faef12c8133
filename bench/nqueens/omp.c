/* All solutions of the n queens puzzle, a task for every queen that can be placed; each task has its own copy of the
 * board. */
#include "workload.h"

static uint64_t place(struct board board, int n, int row) {
    if (row == n)
        return 1;
    uint64_t found[NQUEENS_MAX], sum = 0;
    int tasks = 0;
    for (int column = 0; column < n; column++)
        if (nqueens_fits(&board, row, column)) {
            uint64_t *mine = &found[tasks++];
            board.column[row] = (signed char)column;
#pragma omp task firstprivate(board, mine)
            *mine = place(board, n, row + 1);
        }
#pragma omp taskwait
    for (int i = 0; i < tasks; i++)
        sum += found[i];
    return sum;
}

static uint64_t solve(void *arg) {
    int n = *(int *)arg;
    uint64_t result = 0;
#pragma omp parallel
#pragma omp single
    result = place((struct board){{0}}, n, 0);
    return result;
}

int main(int argc, char **argv) {
    return nqueens_main(argc, argv, solve);
}
