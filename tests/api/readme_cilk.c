#include <blitz/cilk.h>
#include <blitz/reducer.h>
#include <stdio.h>

/* The moves of the towers of Hanoi, printed by any worker, in serial order. */
BLITZ_VOID_TASK_4(move, int, disks, int, from, int, to, blitz_reducer *, moves) {
    if (disks == 0)
        return;
    CILK_SPAWN(first, move, disks - 1, from, 6 - from - to,
               moves); /* may run in parallel with the next lines */
    blitz_text_print(BLITZ_VIEW(blitz_text, moves), "%d-%d ", from, to);
    BLITZ_CALL(move, disks - 1, 6 - from - to, to, moves);
    CILK_SYNC(first, move);
}

int main(void) {
    blitz_reducer moves;
    blitz_text text = BLITZ_TEXT_EMPTY;
    if (blitz_reducer_begin(&moves, &blitz_text_op, NULL, &text))
        return 1;
    move(3, 1, 3, &moves);
    blitz_reducer_end(&moves);
    puts(text.data);
    int wrong = strcmp(text.data, "1-3 1-2 3-2 1-3 2-1 2-3 1-3 ") != 0;
    blitz_text_free(&text);
    return wrong;
}
