/* fib.h: what the native Fibonacci programs share. Each prints fib.native, the time of one fib(N), as wall time and as CPU
 * time of all threads. Arguments: MS, N. */
#ifndef BENCH_FIB_H
#define BENCH_FIB_H

#include "harness.h"

static inline uint64_t fib_expected(int n) {
    uint64_t now = 0, next = 1;
    for (int i = 0; i < n; i++) {
        uint64_t sum = now + next;
        now = next, next = sum;
    }
    return now;
}

static inline int fib_main(int argc, char **argv, uint64_t (*fib_of)(void *n)) {
    harness_begin(argc, argv);
    int n = (int)harness_number(argc, argv, 2, 36, 90);
    harness_measure("fib.native", fib_of, &n, fib_expected(n), 1);
    return harness_end();
}

#endif
