/* By halves: the first diagonal block; the blocks to its right and below it at once; their product; the second diagonal
 * block. */
#include "workload.h"

#include <blitz/cilk.h>

static int is_leaf(size_t n) {
    return n <= LU_LEAF || n % 2;
}

BLITZ_VOID_TASK_5(subtract, double *, c, const double *, a, const double *, b, size_t, n, size_t, stride) {
    if (is_leaf(n)) {
        lu_product_leaf(c, a, b, n, stride);
        return;
    }
    size_t half = n / 2, below = half * stride;
    for (size_t k = 0; k < 2; k++) {
        const double *left = a + k * half, *right = b + k * below;
        CILK_SPAWN(q0, subtract, c, left, right, half, stride);
        CILK_SPAWN(q1, subtract, c + half, left, right + half, half, stride);
        CILK_SPAWN(q2, subtract, c + below, left + below, right, half, stride);
        BLITZ_CALL(subtract, c + below + half, left + below, right + half, half, stride);
    }
}

/* A column of two blocks of b; both of its columns at once. */
BLITZ_DECLARE_VOID_TASK_4(solve_lower, const double *, a, double *, b, size_t, n, size_t, stride)

BLITZ_VOID_TASK_4(lower_column, const double *, a, double *, b, size_t, n, size_t, stride) {
    size_t half = n / 2, below = half * stride;
    BLITZ_CALL(solve_lower, a, b, half, stride);
    BLITZ_CALL(subtract, b + below, a + below, b, half, stride);
    BLITZ_CALL(solve_lower, a + below + half, b + below, half, stride);
}

BLITZ_VOID_BODY_4(solve_lower, const double *, a, double *, b, size_t, n, size_t, stride) {
    if (is_leaf(n)) {
        lu_lower_leaf(a, b, n, stride);
        return;
    }
    CILK_SPAWN(first, lower_column, a, b, n, stride);
    BLITZ_CALL(lower_column, a, b + n / 2, n, stride);
    CILK_SYNC(first, lower_column);
}

/* The same with rows. */
BLITZ_DECLARE_VOID_TASK_4(solve_upper, const double *, a, double *, b, size_t, n, size_t, stride)

BLITZ_VOID_TASK_4(upper_row, const double *, a, double *, b, size_t, n, size_t, stride) {
    size_t half = n / 2, below = half * stride;
    BLITZ_CALL(solve_upper, a, b, half, stride);
    BLITZ_CALL(subtract, b + half, b, a + half, half, stride);
    BLITZ_CALL(solve_upper, a + below + half, b + half, half, stride);
}

BLITZ_VOID_BODY_4(solve_upper, const double *, a, double *, b, size_t, n, size_t, stride) {
    if (is_leaf(n)) {
        lu_upper_leaf(a, b, n, stride);
        return;
    }
    CILK_SPAWN(first, upper_row, a, b, n, stride);
    BLITZ_CALL(upper_row, a, b + n / 2 * stride, n, stride);
    CILK_SYNC(first, upper_row);
}

BLITZ_VOID_TASK_3(factor, double *, a, size_t, n, size_t, stride) {
    if (is_leaf(n)) {
        lu_leaf(a, n, stride);
        return;
    }
    size_t half = n / 2, below = half * stride;
    BLITZ_CALL(factor, a, half, stride);
    CILK_SCOPE {
        CILK_SPAWN(beside, solve_lower, a, a + half, half, stride);
        BLITZ_CALL(solve_upper, a, a + below, half, stride);
    }
    BLITZ_CALL(subtract, a + below + half, a + below, a + half, half, stride);
    BLITZ_CALL(factor, a + below + half, half, stride);
}

static uint64_t factor_all(void *arg) {
    struct lu *data = arg;
    factor(data->a, data->n, data->stride);
    return 0;
}

int main(int argc, char **argv) {
    return lu_main(argc, argv, factor_all);
}
