// beyond libomp: lastprivate variables of dynamic loops are sometimes wrong
// lastprivate: the value of the sequentially last iteration or section, whichever thread ran it.
#include "../check.h"

struct pair {
    long i;
    double half;
};

static void check_all(int n, int chunk) {
    int a = -1, b = -1, c = -1, d = -1, e = -1, f = 100, g = -1, i;
    struct pair pair = {-1, -1};
    int tail[3] = {0};

#pragma omp parallel
    {
#pragma omp for schedule(static) lastprivate(a)
        for (int k = 0; k < n; k++)
            a = k;
#pragma omp for schedule(static, chunk) lastprivate(b, tail)
        for (int k = 0; k < n; k++) {
            b = k;
            tail[0] = tail[1] = tail[2] = k;
        }
#pragma omp for schedule(dynamic, chunk) lastprivate(c, pair)
        for (int k = 0; k < n; k++) {
            c = k;
            pair.i = k;
            pair.half = k * 0.5;
        }
#pragma omp for schedule(guided, chunk) lastprivate(d)
        for (int k = n; k > 0; k--)
            d = k;
#pragma omp for schedule(runtime) lastprivate(e)
        for (unsigned long long k = 0; k < (unsigned long long)n; k++)
            e = (int)k;
#pragma omp for schedule(dynamic, chunk) firstprivate(f) lastprivate(f)
        for (int k = 0; k < n; k++)
            f = k == n - 1 ? k + 1000 : f;
#pragma omp for schedule(auto) lastprivate(g)
        for (int k = 0; k < n; k++)
            g = k;
    }
#pragma omp parallel for schedule(dynamic, chunk) lastprivate(i)
    for (i = 0; i < n; i++)
        ;
    CHECK_EQ(a, n - 1);
    CHECK_EQ(b, n - 1);
    CHECK_EQ(tail[0] + tail[1] + tail[2], 3 * (n - 1));
    CHECK_EQ(c, n - 1);
    CHECK_EQ(pair.i, n - 1);
    CHECK(pair.half == (n - 1) * 0.5);
    CHECK_EQ(d, 1);
    CHECK_EQ(e, n - 1);
    CHECK_EQ(f, n - 1 + 1000);
    CHECK_EQ(g, n - 1);
    CHECK_EQ(i, n);
}

static int sections(void) {
    int last = 0, kept = 5;

#pragma omp parallel sections lastprivate(last) firstprivate(kept)
    {
#pragma omp section
        last = kept;
#pragma omp section
        last = kept + 1;
#pragma omp section
        last = kept + 2;
    }
    return last;
}

int main(void) {
    static const int sizes[] = {1, 2, 3, 8, 9, 64, 1001};

    for (int s = 0; s < 7; s++)
        for (int chunk = 1; chunk < 40; chunk += 6)
            check_all(sizes[s], chunk);
    for (int r = 0; r < 50; r++)
        CHECK_EQ(sections(), 7);
    printf("sections %d\n", sections());
    return check_done("loop_lastprivate");
}
