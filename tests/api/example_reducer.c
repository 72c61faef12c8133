/* Reducers: all ways to place queens on a board, in the order of the serial program. */
#include <blitz/cilk.h>
#include <blitz/reducer.h>
#include <stdio.h>

struct board {
    int queens;
    int column[8]; /* of the queen in each row */
};

static int is_safe(const struct board *board, int column) {
    for (int row = 0; row < board->queens; row++) {
        int apart = board->queens - row, beside = column - board->column[row];
        if (beside == 0 || beside == apart || beside == -apart)
            return 0;
    }
    return 1;
}

BLITZ_VOID_TASK_3(place, int, size, struct board, board, blitz_reducer *, found) {
    if (board.queens == size) {
        blitz_text *text = BLITZ_VIEW(blitz_text, found);
        for (int row = 0; row < size; row++)
            blitz_text_print(text, "%d", board.column[row]);
        blitz_text_write(text, "\n", 1);
        return;
    }
    BLITZ_TASK_FRAME(place) frames[8];
    int spawned = 0;
    for (int column = 0; column < size; column++) {
        if (!is_safe(&board, column))
            continue;
        struct board next = board;
        next.column[next.queens++] = column;
        BLITZ_FORK_AT(place, &frames[spawned++], size, next, found);
    }
    while (spawned > 0)
        BLITZ_SYNC_AT(place, &frames[--spawned]);
}

int main(void) {
    blitz_reducer found;
    blitz_text text = BLITZ_TEXT_EMPTY;
    if (blitz_reducer_begin(&found, &blitz_text_op, NULL, &text))
        return 1;
    place(6, (struct board){0, {0}}, &found);
    blitz_reducer_end(&found);
    printf("%s", text.data);
    int wrong = strcmp(text.data, "135024\n251403\n304152\n420531\n") != 0;
    blitz_text_free(&text);
    return wrong;
}
