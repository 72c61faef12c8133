// not clang 14: it lacks some of them
// clang flags: -fopenmp-version=60
// Loops that the compiler transforms before it distributes them: tile and unroll; reverse and interchange from clang 20
// on; stripe and fuse from clang 22 on.
#include "../check.h"

#include <string.h>

#if defined __clang__ ? __clang_major__ < 19 : __GNUC__ < 15
#    error "for gcc 15 and clang 19"
#endif

enum { A = 50, B = 70 };

static int hits[A][B];

static void check_hits(int per_cell) {
    for (int a = 0; a < A; a++)
        for (int b = 0; b < B; b++)
            CHECK_EQ(hits[a][b], per_cell);
    memset(hits, 0, sizeof hits);
}

static void tiled(void) {
    long sum = 0;

#pragma omp parallel
    {
#pragma omp for reduction(+ : sum)
#pragma omp tile sizes(8, 16)
        for (int a = 0; a < A; a++)
            for (int b = 0; b < B; b++) {
                count_up(&hits[a][b]);
                sum += a * B + b;
            }
#pragma omp for collapse(2) schedule(dynamic)
#pragma omp tile sizes(7, 9)
        for (int a = A - 1; a >= 0; a--)
            for (int b = 0; b < B; b++)
                count_up(&hits[a][b]);
    }
    check_hits(2);
    CHECK_EQ(sum, A * B * (A * B - 1L) / 2);
}

static void unrolled(void) {
#pragma omp parallel
    for (int a = 0; a < A; a++) {
#pragma omp for nowait
#pragma omp unroll partial(4)
        for (int b = 0; b < B; b++)
            count_up(&hits[a][b]);
#pragma omp for schedule(guided) nowait
#pragma omp unroll partial(3)
        for (int b = 0; b < B; b++)
            count_up(&hits[a][b]);
    }
#pragma omp parallel
#pragma omp single
    for (int a = 0; a < A; a++) {
#pragma omp taskloop nogroup grainsize(2)
#pragma omp unroll partial(4)
        for (int b = 0; b < B; b++)
            count_up(&hits[a][b]);
    }
    check_hits(3);
}

#if defined __clang__ && __clang_major__ >= 20
static void turned(void) {
#    pragma omp parallel
    {
#    pragma omp for schedule(static, 5)
#    pragma omp reverse
        for (int a = 0; a < A; a++)
            for (int b = 0; b < B; b++)
                count_up(&hits[a][b]);
#    pragma omp for collapse(2) schedule(dynamic)
#    pragma omp interchange
        for (int a = 0; a < A; a++)
            for (int b = 0; b < B; b++)
                count_up(&hits[a][b]);
    }
    check_hits(2);
}
#else
static void turned(void) {
}
#endif

#if defined __clang__ && __clang_major__ >= 22
static void striped_and_fused(void) {
#    pragma omp parallel
    {
#    pragma omp for
#    pragma omp stripe sizes(4, 5)
        for (int a = 0; a < A; a++)
            for (int b = 0; b < B; b++)
                count_up(&hits[a][b]);
#    pragma omp for schedule(dynamic)
#    pragma omp fuse
        {
            for (int a = 0; a < A; a++)
                for (int b = 0; b < B / 2; b++)
                    count_up(&hits[a][b]);
            for (int b = B / 2; b < B; b++)
                for (int a = 0; a < A; a++)
                    count_up(&hits[a][b]);
        }
    }
    check_hits(2);
}
#else
static void striped_and_fused(void) {
}
#endif

int main(void) {
    tiled();
    unrolled();
    turned();
    striped_and_fused();
    return check_done("loop_transformed");
}
