// repeat: 6
// N queens: every task gets its own copy of the board, a variable length array.
#include "../check.h"

#include <string.h>

static int fits(int row, int column, const char *board) {
    for (int r = 0; r < row; r++) {
        int apart = board[r] - column;

        if (apart == 0 || apart == row - r || apart == r - row)
            return 0;
    }
    return 1;
}

static void place(int n, int row, const char *given, int *solutions) {
    if (row == n) {
        count_up(solutions);
        return;
    }
    char board[16];

    memcpy(board, given, (size_t)n);
    for (int column = 0; column < n; column++) {
        if (!fits(row, column, board))
            continue;
        board[row] = (char)column;
#pragma omp task firstprivate(board)
        place(n, row + 1, board, solutions);
    }
}

int main(int argc, char **argv) {
    static const int known[] = {1, 1, 0, 0, 2, 10, 4, 40, 92, 352};
    int n = (int)check_arg(argc, argv, 1, 8);
    char board[16] = {0};
    int solutions = 0;

#pragma omp parallel
#pragma omp single
    place(n, 0, board, &solutions);
    CHECK_EQ(solutions, known[n]);
    printf("%d queens: %d solutions\n", n, solutions);
    return check_done("task_nqueens");
}
