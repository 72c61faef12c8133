/* source_sample.c: places for source.sh to look up: constructs in functions of all kinds, across the lines of several
 * files. */
#include <stdio.h>

static int counted;
int lock_of_all;

static __attribute__((noinline)) int square(int x) {
    return x * x;
}

__attribute__((noinline)) void region_of_static(int n) {
#pragma omp parallel num_threads(2)
    {
#pragma omp critical(ledger)
        counted += square(n);
    }
}

__attribute__((noinline)) void task_in_region(int n) {
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task firstprivate(n)
        {
            counted += n;
            printf("%d\n", counted);
        }
#pragma omp taskwait
    }
}

static inline __attribute__((always_inline)) void put_into_others(int n) {
#pragma omp critical(ledger)
    counted -= n;
}

#line 1000 "folder/elsewhere.inc"
__attribute__((noinline)) int from_elsewhere(int n) {
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += square(i) + 1;
    return sum;
}

int entry(int n) {
    region_of_static(n);
    task_in_region(n);
    put_into_others(n);
    return from_elsewhere(n) + lock_of_all;
}
