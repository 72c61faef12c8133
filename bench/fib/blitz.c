/* Fibonacci with a spawn for every call that is no leaf and no cut-off. */
#include "fib/fib.h"

#include <blitz/cilk.h>

BLITZ_TASK_1(long, fib, int, n) {
    if (n < 2)
        return n;
    CILK_SPAWN(x, fib, n - 1);
    long y = BLITZ_CALL(fib, n - 2);
    return y + CILK_SYNC(x, fib);
}

static uint64_t fib_of(void *n) {
    return (uint64_t)fib(*(int *)n);
}

int main(int argc, char **argv) {
    return fib_main(argc, argv, fib_of);
}
