// repeat: 14
// Recursive Fibonacci, two tasks a call, no cut-off.
// env: KMP_ENABLE_TASK_THROTTLING=no
#include "../check.h"

static long fib(int n) {
    long a, b;

    if (n < 2)
        return n;
#pragma omp task shared(a)
    a = fib(n - 1);
#pragma omp task shared(b)
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}

static long fib_serial(int n) {
    long a = 0, b = 1;

    while (n-- > 0) {
        long next = a + b;

        a = b;
        b = next;
    }
    return a;
}

int main(int argc, char **argv) {
    int n = (int)check_arg(argc, argv, 1, 20);
    long result = 0, again = 0;

#pragma omp parallel
#pragma omp single
    result = fib(n);
    CHECK_EQ(result, fib_serial(n));

    /* Every thread computes one of its own. */
#pragma omp parallel reduction(+ : again)
    again += fib(n - 4);
    CHECK_EQ(again, fib_serial(n - 4) * omp_get_max_threads());
    printf("fib(%d) = %ld\n", n, result);
    return check_done("task_fib");
}
