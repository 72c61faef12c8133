/* A program that one compiler built with a library that another did: products of matrices by an OpenBLAS for OpenMP,
 * which Debian builds with gcc, from outside of regions, in a loop, and in tasks. Each product's sum is printed, and on
 * stderr the number of threads that the process has: one runtime for both needs no more than a team. Argument: ORDER. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROW_MAJOR = 101, NO_TRANSPOSE = 111, PARTS = 8 };
void cblas_dgemm(int order, int transpose_a, int transpose_b, int m, int n, int k, double alpha,
                 const double *a, int lda, const double *b, int ldb, double beta, double *c, int ldc);

static double *matrix(int n) {
    double *m = malloc((size_t)n * (size_t)n * sizeof *m);
    if (!m)
        exit(2);
    for (int i = 0; i < n * n; i++)
        m[i] = (double)(i % 7 - 3);
    return m;
}

static double product(int n) {
    double *a = matrix(n), *b = matrix(n), *c = matrix(n), sum = 0;
    cblas_dgemm(ROW_MAJOR, NO_TRANSPOSE, NO_TRANSPOSE, n, n, n, 1, a, n, b, n, 0, c, n);
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n * n; i++)
        sum += c[i] * (double)(i % 5 - 2);
    free(a), free(b), free(c);
    return sum;
}

static int threads_now(void) {
    char line[128];
    int threads = -1;
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status))
        if (sscanf(line, "Threads: %d", &threads) == 1)
            break;
    if (status)
        fclose(status);
    return threads;
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 0;
    if (n < 1 || n > 4096) {
        fprintf(stderr, "usage: blas ORDER, from 1 to 4096\n");
        return 2;
    }
    double sums[PARTS];
    printf("outside: %.0f\n", product(n));
#pragma omp parallel for schedule(dynamic, 1)
    for (int i = 0; i < PARTS; i++)
        sums[i] = product(n / 2 + i);
    for (int i = 0; i < PARTS; i++)
        printf("in a loop: %.0f\n", sums[i]);
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < PARTS; i++)
#pragma omp task
        sums[i] = product(n / 2 - i > 0 ? n / 2 - i : 1);
    for (int i = 0; i < PARTS; i++)
        printf("in a task: %.0f\n", sums[i]);
    printf("outside: %.0f\n", product(n));
    fprintf(stderr, "%d threads for teams of %d\n", threads_now(), omp_get_max_threads());
    return 0;
}
