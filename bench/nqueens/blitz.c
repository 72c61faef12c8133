/* All solutions of the n queens puzzle, a spawn for every queen that can be placed, with its own copy of the board. */
#include "workload.h"

#include <blitz/cilk.h>

BLITZ_TASK_3(uint64_t, place, struct board, board, int, n, int, row) {
    if (row == n)
        return 1;
    BLITZ_TASK_FRAME(place) frames[NQUEENS_MAX];
    int tasks = 0;
    for (int column = 0; column < n; column++)
        if (nqueens_fits(&board, row, column)) {
            board.column[row] = (signed char)column;
            CILK_SPAWN_AT(place, &frames[tasks++], board, n, row + 1);
        }
    uint64_t sum = 0;
    while (tasks > 0)
        sum += CILK_SYNC_AT(place, &frames[--tasks]);
    return sum;
}

static uint64_t solve(void *n) {
    return place((struct board){{0}}, *(int *)n, 0);
}

int main(int argc, char **argv) {
    return nqueens_main(argc, argv, solve);
}
