/* Recursive Fibonacci, a task for every call and no cut-off: nothing but the cost of tasks. fib.task is the time per
 * task, two for each call that is no leaf. Arguments: MS, N. */
#include "harness.h"

static uint64_t fib(int n) {
    if (n < 2)
        return (uint64_t)n;
    uint64_t a, b;
#pragma omp task shared(a)
    a = fib(n - 1);
#pragma omp task shared(b)
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}

static uint64_t region(void *arg) {
    int n = *(int *)arg;
    uint64_t result = 0;
#pragma omp parallel
#pragma omp single
    result = fib(n);
    return result;
}

int main(int argc, char **argv) {
    harness_begin(argc, argv);
    int n = (int)harness_number(argc, argv, 2, 26, 45);
    uint64_t now = 0, next = 1;
    for (int i = 0; i < n; i++) {
        uint64_t sum = now + next;
        now = next, next = sum;
    }
    /* calls: 2 fib(n + 1) - 1; all but the first are tasks */
    harness_measure("fib.task", region, &n, now, n > 1 ? 2 * (double)next - 2 : 1);
    return harness_end();
}
