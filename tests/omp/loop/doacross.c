// repeat: 2
// Loops whose iterations wait for earlier ones, in one to four dimensions, under every schedule and direction.
#include "../check.h"

enum { N = 40, M = 30 };

/* Each cell needs its neighbours above and to the left; each schedule fills the same table. */
static unsigned table[N][M], expected[N][M];

static void cell(unsigned t[N][M], int i, int j) {
    unsigned above = i > 0 ? t[i - 1][j] : 1, left = j > 0 ? t[i][j - 1] : 2;
    t[i][j] = scramble(above * 3 + left);
}

static void clear(void) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            table[i][j] = 0;
}

static void check_table(void) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            CHECK_EQ(table[i][j], expected[i][j]);
    clear();
}

#define WAVE_BODY                                                                                            \
    for (int i = 0; i < N; i++)                                                                              \
        for (int j = 0; j < M; j++) {                                                                        \
            _Pragma("omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)") cell(table, i, j);        \
            _Pragma("omp ordered depend(source)")                                                            \
        }

static void wavefronts(int chunk) {
#pragma omp parallel
    {
#pragma omp for ordered(2) schedule(static)
        WAVE_BODY
#pragma omp single
        check_table();
#pragma omp for ordered(2) schedule(static, chunk)
        WAVE_BODY
#pragma omp single
        check_table();
#pragma omp for ordered(2) schedule(dynamic, chunk)
        WAVE_BODY
#pragma omp single
        check_table();
#pragma omp for ordered(2) schedule(guided, chunk)
        WAVE_BODY
#pragma omp single
        check_table();
#pragma omp for ordered(2) schedule(runtime)
        WAVE_BODY
#pragma omp single
        check_table();
#pragma omp for ordered(2) schedule(auto)
        WAVE_BODY
#pragma omp single
        check_table();
    }
}

/* One dimension, distances near and far; some iterations wait for no other. */
static void chains(int n, int chunk) {
    unsigned *up = malloc((size_t)n * sizeof *up), *down = malloc((size_t)n * sizeof *down);

#pragma omp parallel
    {
#pragma omp for ordered(1) schedule(dynamic, chunk) nowait
        for (int i = 0; i < n; i++) {
#pragma omp ordered depend(sink : i - 5)
            up[i] = i >= 5 ? up[i - 5] + 1 : 1;
#pragma omp ordered depend(source)
        }
#pragma omp for ordered schedule(static, chunk)
        for (unsigned long long i = 0; i < (unsigned long long)n; i++) {
#pragma omp ordered
            busy_work((unsigned)i, 3);
        }
#pragma omp for ordered(1) schedule(static, chunk)
        for (long i = n - 1; i >= 0; i--) {
            if (i % 3 != 0) {
#pragma omp ordered depend(sink : i + 1)
                down[i] = i < n - 1 ? down[i + 1] + 1 : 1;
            } else {
                down[i] = (unsigned)(n - i);
            }
#pragma omp ordered depend(source)
        }
    }
    for (int i = 0; i < n; i++) {
        CHECK_EQ(up[i], i / 5 + 1);
        CHECK_EQ(down[i], n - i);
    }
    free(up);
    free(down);
}

/* Unsigned long long, steps, a dimension that is collapsed, a sink that skips a dimension. */
static void dimensions(void) {
    static int sum[12][10][8][6];

#pragma omp parallel for ordered(4) schedule(dynamic, 2)
    for (unsigned long long a = 3; a < 36; a += 3)
        for (int b = 9; b > 0; b--)
            for (short c = 1; c < 8; c++)
                for (unsigned char d = 1; d < 6; d++) {
                    unsigned x = (unsigned)a / 3;
#pragma omp ordered depend(sink                                                                              \
                           : a - 3, b, c, d) depend(sink                                                     \
                                                    : a, b + 1, c, d) depend(sink                            \
                                                                             : a - 3, b + 1, c - 1, d - 1)
                    sum[x][b][c][d] = 1 + sum[x - 1][b][c][d] + (b < 9 ? sum[x][b + 1][c][d] : 0) +
                                      (b < 9 ? sum[x - 1][b + 1][c - 1][d - 1] : 0);
                    sum[x][b][c][d] %= 1009;
#pragma omp ordered depend(source)
                }
    int serial[12][10][8][6] = {{{{0}}}};
    for (int x = 1; x < 12; x++)
        for (int b = 9; b > 0; b--)
            for (int c = 1; c < 8; c++)
                for (int d = 1; d < 6; d++) {
                    serial[x][b][c][d] = 1 + serial[x - 1][b][c][d] + (b < 9 ? serial[x][b + 1][c][d] : 0) +
                                         (b < 9 ? serial[x - 1][b + 1][c - 1][d - 1] : 0);
                    serial[x][b][c][d] %= 1009;
                    CHECK_EQ(sum[x][b][c][d], serial[x][b][c][d]);
                    sum[x][b][c][d] = 0;
                }

    static int pairs[20][20][5];
#pragma omp parallel for collapse(2) ordered(3) schedule(guided)
    for (int a = 1; a < 20; a++)
        for (int b = 1; b < 20; b++)
            for (int c = 1; c < 5; c++) {
#pragma omp ordered depend(sink : a - 1, b, c) depend(sink : a, b - 1, c)
                pairs[a][b][c] = (pairs[a - 1][b][c] + pairs[a][b - 1][c]) % 10007 + c;
#pragma omp ordered depend(source)
            }
    int check = 0;
    for (int c = 1; c < 5; c++)
        check = (check * 31 + pairs[19][19][c]) % 1000003;
    printf("pairs %d\n", check);
}

/* Empty loops, in the outer and in an inner dimension. */
static void empty(int nothing) {
    int ran = 0;

#pragma omp parallel
    {
#pragma omp for ordered(2) schedule(dynamic)
        for (int i = 0; i < nothing; i++)
            for (int j = 0; j < 5; j++) {
#pragma omp ordered depend(sink : i - 1, j)
                count_up(&ran);
#pragma omp ordered depend(source)
            }
#pragma omp for ordered(2) schedule(static)
        for (int i = 0; i < 5; i++)
            for (int j = 0; j < nothing; j++) {
#pragma omp ordered depend(sink : i - 1, j)
                count_up(&ran);
#pragma omp ordered depend(source)
            }
    }
    CHECK_EQ(ran, 0);
}

int main(int argc, char **argv) {
    int rounds = (int)check_arg(argc, argv, 1, 2);

    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            cell(expected, i, j);
    for (int r = 0; r < rounds; r++) {
        wavefronts(1 + r % 5);
        chains(300, 1 + r % 3);
    }
    dimensions();
    empty(0);
    printf("rounds %d, corner %u\n", rounds, expected[N - 1][M - 1]);
    return check_done("doacross");
}
