/* Matrices by quarters: two times four products at once. An odd size is a leaf. */
#include "workload.h"

#include <blitz/cilk.h>

BLITZ_VOID_TASK_5(multiply, double *, c, const double *, a, const double *, b, size_t, n, size_t, stride) {
    if (n <= MATMUL_LEAF || n % 2) {
        matmul_leaf(c, a, b, n, stride);
        return;
    }
    size_t half = n / 2, below = half * stride;
    CILK_SCOPE {
        CILK_SPAWN(q0, multiply, c, a, b, half, stride);
        CILK_SPAWN(q1, multiply, c + half, a, b + half, half, stride);
        CILK_SPAWN(q2, multiply, c + below, a + below, b, half, stride);
        BLITZ_CALL(multiply, c + below + half, a + below, b + half, half, stride);
    }
    CILK_SCOPE {
        CILK_SPAWN(q0, multiply, c, a + half, b + below, half, stride);
        CILK_SPAWN(q1, multiply, c + half, a + half, b + below + half, half, stride);
        CILK_SPAWN(q2, multiply, c + below, a + below + half, b + below, half, stride);
        BLITZ_CALL(multiply, c + below + half, a + below + half, b + below + half, half, stride);
    }
}

static uint64_t multiply_all(void *arg) {
    struct matmul *data = arg;
    multiply(data->c, data->a, data->b, data->n, data->stride);
    return 0;
}

int main(int argc, char **argv) {
    return matmul_main(argc, argv, multiply_all);
}
