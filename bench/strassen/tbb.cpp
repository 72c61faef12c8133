// Strassen's multiplication, a task for each of the seven products.
#include "harness_tbb.h"
#include "workload.h"

static void multiply(square result, square left, square right);

static void product(int i, square out, square left, square right) {
    double *x = square_memory(1, out.side), *y = square_memory(1, out.side);
    multiply(out, strassen_operand(left, strassen_left[i], x), strassen_operand(right, strassen_right[i], y));
    free(x), free(y);
}

static void multiply(square result, square left, square right) {
    if (result.side == STRASSEN_LEAF) {
        strassen_leaf(result, left, right);
        return;
    }
    double *products = strassen_memory(result);
    tbb::task_group group;
    for (int i = 0; i < STRASSEN_PRODUCTS; i++)
        group.run([=] { product(i, strassen_product(products, i, result), left, right); });
    group.wait();
    strassen_combine(result, products);
    free(products);
}

static uint64_t multiply_all(void *arg) {
    auto *data = static_cast<strassen *>(arg);
    multiply(data->result, data->left, data->right);
    return 0;
}

int main(int argc, char **argv) {
    harness_threads threads;
    return strassen_main(argc, argv, multiply_all);
}
