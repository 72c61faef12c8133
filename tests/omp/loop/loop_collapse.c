// beyond libomp: in some runs the last value of a dynamic loop is lost
// collapse: rectangular, triangular and mixed-type nests under every schedule.
#include "../check.h"

#include <string.h>

enum { A = 7, B = 9, C = 5 };

static int hits[A][B][C];

static void check_hits(int per_cell) {
    for (int a = 0; a < A; a++)
        for (int b = 0; b < B; b++)
            for (int c = 0; c < C; c++)
                CHECK_EQ(hits[a][b][c], per_cell);
    memset(hits, 0, sizeof hits);
}

static void rectangular(int na, int nb, int nc) {
#pragma omp parallel
    {
#pragma omp for collapse(3) schedule(static)
        for (int a = 0; a < na; a++)
            for (int b = nb - 1; b >= 0; b--)
                for (int c = 0; c < nc; c++)
                    count_up(&hits[a][b][c]);
#pragma omp for collapse(3) schedule(dynamic, 11)
        for (long a = 0; a < na; a++)
            for (unsigned b = 0; b < (unsigned)nb; b++)
                for (int c = nc; c > 0; c--)
                    count_up(&hits[a][b][c - 1]);
#pragma omp for collapse(2) schedule(guided) nowait
        for (unsigned long long a = 0; a < (unsigned long long)na; a++)
            for (int b = 0; b < nb; b++)
                for (int c = 0; c < nc; c++)
                    count_up(&hits[a][b][c]);
#pragma omp for collapse(2) schedule(runtime)
        for (int b = 0; b < nb; b += 1)
            for (int a = na - 1; a > -1; a -= 1)
                for (int c = 0; c < nc; c++)
                    count_up(&hits[a][b][c]);
    }
    check_hits(4);
}

static long triangular(int n) {
    long sum = 0;

#pragma omp parallel for collapse(2) reduction(+ : sum)
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++)
            sum += i * 100 + k;
    return sum;
}

/* Bounds that depend on the outer loops. gcc accepts no schedule here, and before 16 its taskloop reads a count that it
 * never wrote; clang leaves out iterations of three loops. */
static void pyramid(void) {
    enum { N = 20 };
    long want = 0;

    for (int i = 0; i < N; i++)
        for (int k = i; k < i + N; k++)
            want += k;
#ifndef __clang__
    long sum = 0;
#    pragma omp parallel for collapse(3) reduction(+ : sum)
    for (int i = 0; i < N; i++)
        for (int k = i; k < i + N; k++)
            for (int l = 0; l < k; l++)
                sum++;
    CHECK_EQ(sum, want);
#endif
#if defined __clang__ || __GNUC__ >= 16
    long tasks = 0;
#    pragma omp parallel
#    pragma omp single
#    pragma omp taskloop collapse(2)
    for (int i = 0; i < N; i++)
        for (int k = i; k < i + N; k++)
            __atomic_fetch_add(&tasks, k, __ATOMIC_RELAXED);
    CHECK_EQ(tasks, want);
#endif
}

static long large_product(void) {
    long count = 0, last_i = 0, last_k = 0;

#pragma omp parallel for collapse(2) schedule(dynamic, 1000) reduction(+ : count) lastprivate(last_i, last_k)
    for (long i = 0; i < 300; i++)
        for (long k = 1000000; k < 1000100; k++) {
            count++;
            last_i = i;
            last_k = k;
        }
    CHECK_EQ(last_i, 299);
    CHECK_EQ(last_k, 1000099);
    return count;
}

static void in_order(int na, int nb) {
    int next = 0;

#pragma omp parallel for collapse(2) ordered schedule(dynamic, 2)
    for (int a = 0; a < na; a++)
        for (int b = 0; b < nb; b++) {
#pragma omp ordered
            CHECK_EQ(next++, a * nb + b);
        }
    CHECK_EQ(next, na * nb);
}

int main(void) {
    long sum, count;

    rectangular(A, B, C);
    in_order(A, B);
    sum = triangular(30);
    pyramid();
    count = large_product();
    CHECK_EQ(count, 30000);
    CHECK_EQ(sum, 859560);
    printf("sum %ld count %ld\n", sum, count);
    return check_done("loop_collapse");
}
