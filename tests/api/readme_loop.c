#include <blitz.h>
#include <stdio.h>

enum { COUNT = 1000000 };
static double values[COUNT];

static int square(size_t lo, size_t hi, void *ctx) {
    for (size_t i = lo; i < hi; i++)
        ((double *)ctx)[i] = (double)i * (double)i;
    return 0; /* another number ends the loop early */
}

static int add(size_t lo, size_t hi, void *sum, void *ctx) {
    for (size_t i = lo; i < hi; i++)
        *(double *)sum += ((double *)ctx)[i];
    return 0;
}

static void add_sums(void *left, const void *right, void *ctx) {
    (void)ctx;
    *(double *)left += *(const double *)right;
}

int main(void) {
    static const double zero = 0;
    static const blitz_reduce_op op = {sizeof zero, &zero, add, add_sums};
    double sum;
    if (blitz_for(0, COUNT, 0, square, values) || blitz_reduce(0, COUNT, 0, &op, values, &sum))
        return 1;
    printf("%g\n", sum);
    return sum < 3.3e17 || sum > 3.4e17;
}
