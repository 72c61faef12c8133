// beyond libgomp: a chunk times the step may overflow; ordered loops in a row with nowait get mixed up
// Loops that the specification allows and that libgomp 12 gets wrong: iterations lost, run twice, or no end.
#include "../check.h"

#include <limits.h>

typedef long long ll;
typedef unsigned long long ull;

enum { ROUNDS = 50 };

/* Fourteen iterations with giant strides, in chunks up to the maximum of the type. */
static int overflowing_chunks(ll chunk) {
    const ll stride = 1ll << 59;
    const ull unsigned_stride = 1ull << 60;
    int count = 0;

#pragma omp parallel
    {
#pragma omp for schedule(dynamic, chunk) reduction(+ : count)
        for (ll i = -7 * stride; i < 7 * stride; i += stride)
            count++;
#pragma omp for schedule(guided, chunk) reduction(+ : count)
        for (ll i = 7 * stride; i > -7 * stride; i -= stride)
            count++;
#pragma omp for schedule(dynamic, (ull)chunk) reduction(+ : count)
        for (ull i = 0; i < 14 * unsigned_stride; i += unsigned_stride)
            count++;
#pragma omp for schedule(dynamic, (ull)chunk) reduction(+ : count)
        for (ull i = ULLONG_MAX; i > 2 * unsigned_stride - 1; i -= unsigned_stride)
            count++;
    }
    return count;
}

/* Each loop has its own order, although threads may be in different loops at a time. */
static void ordered_rows(void) {
    int next[3] = {0, 0, 0};

    for (int r = 0; r < ROUNDS; r++) {
#pragma omp parallel
        {
#pragma omp for ordered schedule(dynamic) nowait
            for (int i = 0; i < 10; i++) {
#pragma omp ordered
                CHECK_EQ(next[0]++, r * 10 + i);
            }
#pragma omp for ordered schedule(static, 3) nowait
            for (int i = 0; i < 10; i++) {
#pragma omp ordered
                CHECK_EQ(next[1]++, r * 10 + i);
            }
#pragma omp for ordered schedule(guided) nowait
            for (int i = 0; i < 10; i++) {
#pragma omp ordered
                CHECK_EQ(next[2]++, r * 10 + i);
            }
        }
    }
    for (int i = 0; i < 3; i++)
        CHECK_EQ(next[i], ROUNDS * 10);
}

int main(void) {
    static const ll chunks[] = {1, 16, 1ll << 40, 1ll << 61, LLONG_MAX};

    for (int c = 0; c < 5; c++)
        CHECK_EQ(overflowing_chunks(chunks[c]), 4 * 14);
    ordered_rows();
    printf("rounds %d\n", ROUNDS);
    return check_done("beyond_libgomp");
}
