/* Strassen's multiplication, a task for each of the seven products. */
#include "workload.h"

static void multiply(struct square result, struct square left, struct square right);

static void product(int i, struct square out, struct square left, struct square right) {
    double *x = square_memory(1, out.side), *y = square_memory(1, out.side);
    multiply(out, strassen_operand(left, strassen_left[i], x), strassen_operand(right, strassen_right[i], y));
    free(x), free(y);
}

static void multiply(struct square result, struct square left, struct square right) {
    if (result.side == STRASSEN_LEAF) {
        strassen_leaf(result, left, right);
        return;
    }
    double *products = strassen_memory(result);
    for (int i = 0; i < STRASSEN_PRODUCTS; i++) {
#pragma omp task
        product(i, strassen_product(products, i, result), left, right);
    }
#pragma omp taskwait
    strassen_combine(result, products);
    free(products);
}

static uint64_t multiply_all(void *arg) {
    struct strassen *strassen = arg;
#pragma omp parallel
#pragma omp single
    multiply(strassen->result, strassen->left, strassen->right);
    return 0;
}

int main(int argc, char **argv) {
    return strassen_main(argc, argv, multiply_all);
}
