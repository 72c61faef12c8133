/* nqueens: all solutions of the n queens puzzle. A board is the columns of the queens in the first `row` rows. */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include "harness.h"

enum { NQUEENS_MAX = 16 };

struct board {
    signed char column[NQUEENS_MAX];
};

/* Solutions for 0 to 16 queens (OEIS A000170). */
static const uint64_t nqueens_solutions[NQUEENS_MAX + 1] = {
    1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365596, 2279184, 14772512};

static inline int nqueens_fits(const struct board *board, int row, int column) {
    for (int i = 0; i < row; i++) {
        int distance = column - board->column[i];
        if (distance == 0 || distance == row - i || distance == i - row)
            return 0;
    }
    return 1;
}

/* The number of solutions below a board. Boards: the number of calls. */
static inline uint64_t nqueens_serial(struct board *board, int n, int row, uint64_t *boards) {
    uint64_t found = 0;
    ++*boards;
    if (row == n)
        return 1;
    for (int column = 0; column < n; column++)
        if (nqueens_fits(board, row, column)) {
            board->column[row] = (signed char)column;
            found += nqueens_serial(board, n, row + 1, boards);
        }
    return found;
}

/* Prints nqueens.task, the time per board. Arguments: MS, queens. */
static inline int nqueens_main(int argc, char **argv, uint64_t (*solve)(void *n)) {
    harness_begin(argc, argv);
    int n = (int)harness_number(argc, argv, 2, 11, NQUEENS_MAX);
    struct board board = {{0}};
    uint64_t boards = 0;
    harness_check("nqueens (serial)", nqueens_serial(&board, n, 0, &boards), nqueens_solutions[n]);
    harness_measure("nqueens.task", solve, &n, nqueens_solutions[n], (double)boards);
    return harness_end();
}

#endif
