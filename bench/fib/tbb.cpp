// Fibonacci with a task for every call that is no leaf and no cut-off.
#include "fib/fib.h"
#include "harness_tbb.h"

static long fib(int n) {
    if (n < 2)
        return n;
    long x, y;
    tbb::task_group group;
    group.run([&x, n] { x = fib(n - 1); });
    y = fib(n - 2);
    group.wait();
    return x + y;
}

static uint64_t fib_of(void *n) {
    return static_cast<uint64_t>(fib(*static_cast<int *>(n)));
}

int main(int argc, char **argv) {
    harness_threads threads;
    return fib_main(argc, argv, fib_of);
}
