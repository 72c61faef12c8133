/* Loops: fill an array, sum it up, and stop early. */
#include <blitz.h>
#include <stdio.h>
#include <stdlib.h>

/* A body gets a range, so that the compiler can make the best of it. */
static int fill(size_t lo, size_t hi, void *ctx) {
    double *values = ctx;
    for (size_t i = lo; i < hi; i++)
        values[i] = 1.0 / ((double)i + 1);
    return 0;
}

static int add(size_t lo, size_t hi, void *value, void *ctx) {
    const double *values = ctx;
    double sum = 0;
    for (size_t i = lo; i < hi; i++)
        sum += values[i];
    *(double *)value += sum;
    return 0;
}

static void combine(void *left, const void *right, void *ctx) {
    (void)ctx;
    *(double *)left += *(const double *)right;
}

/* Anything but 0 ends the loop; the first such value comes back. */
static int find_small(size_t lo, size_t hi, void *ctx) {
    const double *values = ctx;
    for (size_t i = lo; i < hi; i++)
        if (values[i] < 0.001)
            return 1;
    return 0;
}

int main(void) {
    enum { COUNT = 1000000 };
    static const double zero = 0;
    static const blitz_reduce_op sum_op = {sizeof(double), &zero, add, combine};
    double *values = malloc(COUNT * sizeof *values), sum = 0;
    if (!values)
        return 2;
    int error = blitz_for(0, COUNT, 0, fill, values);
    if (!error)
        error = blitz_reduce(0, COUNT, 0, &sum_op, values, &sum);
    printf("%d terms of the harmonic series: %.6f\n", COUNT, sum);
    int found = blitz_for(0, COUNT, 0, find_small, values);
    free(values);
    return error || sum < 14.392726 || sum > 14.392728 || found != 1;
}
