// repeat: 5
// LU factorisation of a sparse matrix of blocks, arithmetic modulo a prime: tasks only where there are blocks.
#include "../check.h"

#include <string.h>

enum { B = 8, MAX_BLOCKS = 12, P = 10007 };

typedef int block[B][B];

static int power(int x, int e) {
    long r = 1, b = x;

    for (; e > 0; e >>= 1, b = b * b % P)
        if (e & 1)
            r = r * b % P;
    return (int)r;
}

static int inverse(int x) {
    return power(x, P - 2);
}

static void factor(block d) {
    for (int k = 0; k < B; k++)
        for (int i = k + 1; i < B; i++) {
            d[i][k] = (int)((long)d[i][k] * inverse(d[k][k] ? d[k][k] : 1) % P);
            for (int j = k + 1; j < B; j++)
                d[i][j] = (int)((d[i][j] + (long)(P - d[i][k]) * d[k][j]) % P);
        }
}

/* c -= a * b, the one heavy step; also stands in for the triangular solves. */
static void update(block a, block b, block c) {
    for (int i = 0; i < B; i++)
        for (int j = 0; j < B; j++) {
            long sum = c[i][j];

            for (int k = 0; k < B; k++)
                sum += (long)(P - a[i][k]) * b[k][j];
            c[i][j] = (int)(sum % P);
        }
}

static block *new_block(unsigned seed) {
    block *b = malloc(sizeof *b);

    for (int i = 0; i < B; i++)
        for (int j = 0; j < B; j++)
            (*b)[i][j] = seed ? (int)(scramble(seed + (unsigned)(i * B + j)) % P) : 0;
    return b;
}

static void fill(block *m[MAX_BLOCKS][MAX_BLOCKS], int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            m[i][j] = i == j || scramble((unsigned)(i * 31 + j)) % 3 == 0
                          ? new_block((unsigned)(i * n + j + 1))
                          : NULL;
}

static void eliminate(block *m[MAX_BLOCKS][MAX_BLOCKS], int n) {
    for (int k = 0; k < n; k++) {
        factor(*m[k][k]);
        for (int j = k + 1; j < n; j++) {
            if (m[k][j] != NULL) {
#pragma omp task firstprivate(k, j)
                update(*m[k][k], *m[k][k], *m[k][j]);
            }
            if (m[j][k] != NULL) {
#pragma omp task firstprivate(k, j)
                update(*m[k][k], *m[k][k], *m[j][k]);
            }
        }
#pragma omp taskwait
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; m[i][k] != NULL && j < n; j++) {
                if (m[k][j] == NULL)
                    continue;
#pragma omp task firstprivate(k, i, j)
                {
                    if (m[i][j] == NULL)
                        m[i][j] = new_block(0);
                    update(*m[i][k], *m[k][j], *m[i][j]);
                }
            }
#pragma omp taskwait
    }
}

static unsigned digest(block *m[MAX_BLOCKS][MAX_BLOCKS], int n) {
    unsigned sum = 0;

    for (int i = 0; i < n * n; i++) {
        block *b = m[i / n][i % n];

        for (int k = 0; b != NULL && k < B * B; k++)
            sum = scramble(sum + (unsigned)(*b)[k / B][k % B]);
        free(b);
    }
    return sum;
}

int main(int argc, char **argv) {
    static block *serial[MAX_BLOCKS][MAX_BLOCKS], *tasks[MAX_BLOCKS][MAX_BLOCKS];
    int n = (int)check_arg(argc, argv, 1, MAX_BLOCKS);
    unsigned expected, got;

    fill(serial, n);
    eliminate(serial, n);
    expected = digest(serial, n);
    fill(tasks, n);
#pragma omp parallel
#pragma omp single
    eliminate(tasks, n);
    got = digest(tasks, n);
    CHECK_EQ(got, expected);
    printf("digest %u\n", got);
    return check_done("task_sparse");
}
