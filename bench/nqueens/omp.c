/* All solutions of the n queens puzzle, a task for every queen that can be placed; each task has its own copy of the
 * board. nqueens.task is the time per task. Arguments: MS, N. */
#include "harness.h"
#include "workload.h"

static unsigned long place(struct board board, int n, int row) {
    if (row == n)
        return 1;
    unsigned long found[NQUEENS_MAX];
    int tasks = 0;
    for (int column = 0; column < n; column++)
        if (nqueens_fits(&board, row, column)) {
            unsigned long *mine = &found[tasks++];
            board.column[row] = (signed char)column;
#pragma omp task firstprivate(board, mine)
            *mine = place(board, n, row + 1);
        }
#pragma omp taskwait
    unsigned long sum = 0;
    for (int i = 0; i < tasks; i++)
        sum += found[i];
    return sum;
}

static uint64_t region(void *arg) {
    int n = *(int *)arg;
    uint64_t result = 0;
#pragma omp parallel
#pragma omp single
    result = place((struct board){{0}}, n, 0);
    return result;
}

int main(int argc, char **argv) {
    harness_begin(argc, argv);
    int n = (int)harness_number(argc, argv, 2, 10, NQUEENS_MAX);
    unsigned long boards = 0;
    harness_check("nqueens (serial)", nqueens_serial(&(struct board){{0}}, n, 0, &boards),
                  nqueens_solutions[n]);
    harness_measure("nqueens.task", region, &n, nqueens_solutions[n], (double)boards);
    return harness_end();
}
