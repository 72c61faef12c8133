/* Fibonacci as a plain function: the compiler's code is the reference for the other variants. */
#include "fib/fib.h"

static long fib(int n) {
    if (n < 2)
        return n;
    return fib(n - 1) + fib(n - 2);
}

/* clang proves that fib has no effects, and would leave out runs whose result is known. */
static uint64_t fib_of(void *n) {
    int input = *(int *)n;
    __asm__ volatile("" : "+r"(input));
    return (uint64_t)fib(input);
}

int main(int argc, char **argv) {
    return fib_main(argc, argv, fib_of);
}
