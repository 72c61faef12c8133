// beyond libomp: it waits forever for iterations beyond the end of an inner loop, as clang counts each from 0 to its number
// Wavefronts whose iterations also need the one above to the right, which the last ones lack, under each schedule;
// collapsed loops; and bounds and steps of all kinds. Each table equals the one of a single thread.
#include "check.h"

enum { N = 36, M = 20 };

static unsigned table[N][M], expected[N][M];

static void cell(unsigned t[N][M], int i, int j) {
    unsigned above = i > 0 ? t[i - 1][j] : 1, left = j > 0 ? t[i][j - 1] : 2,
             right = i > 0 && j + 1 < M ? t[i - 1][j + 1] : 3;
    t[i][j] = scramble(above * 3 + left * 5 + right);
}

static void check_table(void) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            CHECK_EQ(table[i][j], expected[i][j]);
            table[i][j] = 0;
        }
}

#define SINKS                                                                                                \
    _Pragma("omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1) depend(sink : i - 1, j + 1)")
#define BODY                                                                                                 \
    for (int i = 0; i < N; i++)                                                                              \
        for (int j = 0; j < M; j++) {                                                                        \
            SINKS cell(table, i, j);                                                                         \
            _Pragma("omp ordered depend(source)")                                                            \
        }
#define CHECK_TABLE _Pragma("omp single") check_table();

static void wavefronts(int chunk) {
#pragma omp parallel
    {
#pragma omp for ordered(2) schedule(static)
        BODY CHECK_TABLE
#pragma omp for ordered(2) schedule(static, chunk)
            BODY CHECK_TABLE
#pragma omp for ordered(2) schedule(dynamic, chunk)
                BODY CHECK_TABLE
#pragma omp for ordered(2) schedule(guided, chunk)
                    BODY CHECK_TABLE
#pragma omp for ordered(2) schedule(runtime)
                        BODY CHECK_TABLE
#pragma omp for ordered(2) schedule(auto)
                            BODY CHECK_TABLE
#pragma omp for ordered(2) collapse(2) schedule(static, chunk)
                                BODY CHECK_TABLE
#pragma omp for ordered(2) collapse(2) schedule(static)
                                    BODY CHECK_TABLE
#pragma omp for ordered(2) collapse(2) schedule(dynamic, chunk)
                                        BODY CHECK_TABLE
    }
}

/* Downwards by 3, and of 64 bits, several in a row without a barrier. */
static void steps(int chunk) {
    static int down[3 * N + 3], up[N];
#pragma omp parallel
    {
#pragma omp for ordered(1) schedule(dynamic, chunk) nowait
        for (int i = 3 * N - 3; i >= 0; i -= 3) {
#pragma omp ordered depend(sink : i + 3)
            down[i] = down[i + 3] + 1;
#pragma omp ordered depend(source)
        }
#pragma omp for ordered(1) schedule(static, chunk) nowait
        for (unsigned long long i = 0; i < N; i++) {
#pragma omp ordered depend(sink : i - 2) depend(sink : i - 1)
            up[i] = i >= 2 ? up[i - 1] + up[i - 2] % 7 : 1;
#pragma omp ordered depend(source)
        }
    }
    for (int i = 3 * N - 3; i >= 0; i -= 3) {
        CHECK_EQ(down[i], N - i / 3);
        down[i] = 0;
    }
    for (int i = 2; i < N; i++)
        CHECK_EQ(up[i], up[i - 1] + up[i - 2] % 7);
}

int main(void) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            cell(expected, i, j);
    for (int chunk = 1; chunk < 8; chunk += 3) {
        wavefronts(chunk);
        steps(chunk);
    }
    return check_done("loop_doacross");
}
