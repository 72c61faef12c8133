#include <blitz/cilk.h>
#include <stdio.h>

/* Ways to give change for an amount with the first `kinds` coins. */
static const int coins[] = {1, 2, 5, 10, 20, 50};

BLITZ_TASK_2(long, ways, int, amount, int, kinds) {
    if (amount == 0)
        return 1;
    if (amount < 0 || kinds == 0)
        return 0;
    BLITZ_FORK(with, ways, amount - coins[kinds - 1], kinds); /* may run in parallel */
    long without = BLITZ_CALL(ways, amount, kinds - 1);
    return without + BLITZ_SYNC(with, ways);
}

int main(void) {
    long all = ways(200, 6); /* from outside of tasks: by its name */
    printf("%ld\n", all);
    return all != 69118;
}
