/* Recursive Fibonacci with an OpenMP task for every call and no cut-off: nothing but the cost of tasks.
 * fib_tasks N prints the result on stdout and the seconds it took on stderr. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static long fib(int n) {
    if (n < 2)
        return n;
    long a, b;
#pragma omp task shared(a)
    a = fib(n - 1);
#pragma omp task shared(b)
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 0;
    if (n < 1 || n > 40) {
        fprintf(stderr, "usage: fib_tasks N, with N from 1 to 40\n");
        return 2;
    }
    long result = 0;
    double start = now();
#pragma omp parallel
#pragma omp single
    result = fib(n);
    double seconds = now() - start;
    printf("fib(%d) = %ld\n", n, result);
    fprintf(stderr, "%.6f\n", seconds);
    return 0;
}
