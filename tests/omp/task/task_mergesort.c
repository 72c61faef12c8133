// repeat: 2000
// Merge sort with a task for each half and, in the merge, for each half of the result.
#include "../check.h"

#include <string.h>

static int compare(const void *a, const void *b) {
    unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

    return (x > y) - (x < y);
}

static long lower_bound(const unsigned *v, long n, unsigned key) {
    long low = 0;

    while (n > 0) {
        long half = n / 2;

        if (v[low + half] < key) {
            low += half + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    return low;
}

static void merge(const unsigned *a, long na, const unsigned *b, long nb, unsigned *out) {
    if (na < nb) {
        merge(b, nb, a, na, out);
        return;
    }
    if (na + nb <= 32) {
        memcpy(out, a, (size_t)na * sizeof *a);
        if (nb > 0)
            memcpy(out + na, b, (size_t)nb * sizeof *b);
        qsort(out, (size_t)(na + nb), sizeof *out, compare);
        return;
    }
    long ma = na / 2, mb = lower_bound(b, nb, a[ma]);

#pragma omp task
    merge(a, ma, b, mb, out);
#pragma omp task
    merge(a + ma, na - ma, b + mb, nb - mb, out + ma + mb);
#pragma omp taskwait
}

static void sort(unsigned *v, long n, unsigned *spare) {
    if (n <= 32) {
        qsort(v, (size_t)n, sizeof *v, compare);
        return;
    }
#pragma omp task
    sort(v, n / 2, spare);
#pragma omp task
    sort(v + n / 2, n - n / 2, spare + n / 2);
#pragma omp taskwait
    merge(v, n / 2, v + n / 2, n - n / 2, spare);
    memcpy(v, spare, (size_t)n * sizeof *v);
}

int main(int argc, char **argv) {
    long n = check_arg(argc, argv, 1, 60000);
    unsigned *v = malloc((size_t)n * sizeof *v), *spare = malloc((size_t)n * sizeof *v);
    unsigned before = 0, after = 0;

    for (long i = 0; i < n; i++) {
        v[i] = scramble((unsigned)i) % 100000;
        before += v[i];
    }
#pragma omp parallel
#pragma omp single
    sort(v, n, spare);
    for (long i = 0; i < n; i++) {
        CHECK(i == 0 || v[i - 1] <= v[i]);
        after += v[i];
    }
    CHECK_EQ(after, before);
    printf("first %u middle %u last %u sum %u\n", v[0], v[n / 2], v[n - 1], after);
    free(v);
    free(spare);
    return check_done("task_mergesort");
}
