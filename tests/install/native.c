/* A program that uses only Blitz's installed headers: squares in parallel, checked. */
#include <blitz.h>
#include <blitz/cilk.h>
#include <stdio.h>

static int square(size_t lo, size_t hi, void *numbers) {
    for (size_t i = lo; i < hi; i++)
        ((size_t *)numbers)[i] = i * i;
    return 0;
}

int main(void) {
    enum { N = 10000 };
    static size_t numbers[N];
    if (blitz_for(0, N, 0, square, numbers) != 0)
        return 1;
    for (size_t i = 0; i < N; i++)
        if (numbers[i] != i * i) {
            printf("square of %zu is %zu\n", i, numbers[i]);
            return 1;
        }
    return 0;
}
