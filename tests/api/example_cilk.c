/* Typed tasks: Fibonacci numbers, queens on a board, and a loop. */
#include <blitz/cilk.h>
#include <stdio.h>
#include <stdlib.h>

BLITZ_TASK_1(long, fib, int, n) {
    if (n < 2)
        return n;
    BLITZ_FORK(x, fib, n - 1);
    long y = BLITZ_CALL(fib, n - 2);
    return y + BLITZ_SYNC(x, fib);
}

struct board {
    int queens;
    int column[12]; /* of the queen in each row */
};

static int is_safe(const struct board *board, int column) {
    for (int row = 0; row < board->queens; row++) {
        int apart = board->queens - row, beside = column - board->column[row];
        if (beside == 0 || beside == apart || beside == -apart)
            return 0;
    }
    return 1;
}

/* As many spawns as there are safe columns: the frames are an array, synced from its end. */
BLITZ_TASK_2(int, place, int, size, struct board, board) {
    if (board.queens == size)
        return 1;
    BLITZ_TASK_FRAME(place) frames[12];
    int spawned = 0, found = 0;
    for (int column = 0; column < size; column++) {
        if (!is_safe(&board, column))
            continue;
        struct board next = board;
        next.column[next.queens++] = column;
        BLITZ_FORK_AT(place, &frames[spawned++], size, next);
    }
    while (spawned > 0)
        found += BLITZ_SYNC_AT(place, &frames[--spawned]);
    return found;
}

BLITZ_LOOP_2(scale, i, double *, values, double, factor) {
    values[i] = (double)i * factor;
}

int main(void) {
    enum { COUNT = 10000 };
    static double values[COUNT];
    long number = fib(27);
    int ways = place(8, (struct board){0, {0}});
    BLITZ_FOR(scale, 0, COUNT, values, 0.5);
    printf("fib(27) = %ld, %d ways to place 8 queens, %g\n", number, ways, values[COUNT - 1]);
    return number != 196418 || ways != 92 || values[COUNT - 1] != 4999.5;
}
