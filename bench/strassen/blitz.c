/* Strassen's multiplication, a spawn for each of the seven products. */
#include "workload.h"

#include <blitz/cilk.h>

BLITZ_DECLARE_VOID_TASK_3(multiply, struct square, result, struct square, left, struct square, right)

BLITZ_VOID_TASK_4(product, int, i, struct square, out, struct square, left, struct square, right) {
    double *x = square_memory(1, out.side), *y = square_memory(1, out.side);
    BLITZ_CALL(multiply, out, strassen_operand(left, strassen_left[i], x),
               strassen_operand(right, strassen_right[i], y));
    free(x), free(y);
}

BLITZ_VOID_BODY_3(multiply, struct square, result, struct square, left, struct square, right) {
    if (result.side == STRASSEN_LEAF) {
        strassen_leaf(result, left, right);
        return;
    }
    double *products = strassen_memory(result);
    BLITZ_TASK_FRAME(product) frames[STRASSEN_PRODUCTS];
    for (int i = 0; i < STRASSEN_PRODUCTS; i++)
        BLITZ_FORK_AT(product, &frames[i], i, strassen_product(products, i, result), left, right);
    for (int i = STRASSEN_PRODUCTS; i-- > 0;)
        BLITZ_SYNC_AT(product, &frames[i]);
    strassen_combine(result, products);
    free(products);
}

static uint64_t multiply_all(void *arg) {
    struct strassen *strassen = arg;
    multiply(strassen->result, strassen->left, strassen->right);
    return 0;
}

int main(int argc, char **argv) {
    return strassen_main(argc, argv, multiply_all);
}
