// beyond libomp: in some runs the last value of a dynamic loop is lost
// Combined parallel loops with constant bounds: the compiler hands region and schedule over in one call.
#include "../check.h"

#include <string.h>

enum { N = 256 };

static int hits[N];

static int check_hits(int step) {
    int count = 0;

    for (int i = 0; i < N; i++) {
        CHECK_EQ(hits[i], i % step == 0);
        count += hits[i];
    }
    memset(hits, 0, sizeof hits);
    return count;
}

int main(void) {
    int count = 0, first_last = 0;

#pragma omp parallel for schedule(static)
    for (int i = 0; i < N; i++)
        count_up(&hits[i]);
    count += check_hits(1);
#pragma omp parallel for schedule(static, 5)
    for (int i = 0; i < N; i++)
        count_up(&hits[i]);
    count += check_hits(1);
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < N; i++)
        count_up(&hits[i]);
    count += check_hits(1);
#pragma omp parallel for schedule(dynamic, 7)
    for (int i = 0; i < N; i += 3)
        count_up(&hits[i]);
    count += check_hits(3);
#pragma omp parallel for schedule(monotonic : dynamic, 4)
    for (int i = N - 1; i >= 0; i--)
        count_up(&hits[i]);
    count += check_hits(1);
#pragma omp parallel for schedule(guided)
    for (int i = 0; i < N; i++)
        count_up(&hits[i]);
    count += check_hits(1);
#pragma omp parallel for schedule(monotonic : guided, 9) num_threads(3)
    for (long i = 0; i < N; i++)
        count_up(&hits[i]);
    count += check_hits(1);
#pragma omp parallel for schedule(guided, 2) if (count < 0)
    for (int i = 0; i < N; i += 2)
        count_up(&hits[i]);
    count += check_hits(2);
#pragma omp parallel for schedule(runtime) num_threads(8)
    for (int i = 0; i < N; i++)
        count_up(&hits[i]);
    count += check_hits(1);
#pragma omp parallel for schedule(monotonic : runtime)
    for (int i = 0; i < N; i++)
        count_up(&hits[i]);
    count += check_hits(1);
#pragma omp parallel for schedule(nonmonotonic : runtime)
    for (int i = 0; i < N; i++)
        count_up(&hits[i]);
    count += check_hits(1);
#pragma omp parallel for schedule(auto)
    for (int i = 0; i < N; i++)
        count_up(&hits[i]);
    count += check_hits(1);
#pragma omp parallel for schedule(dynamic, 3)
    for (unsigned long long i = 0; i < N; i++)
        count_up(&hits[i]);
    count += check_hits(1);
#pragma omp parallel for collapse(2) schedule(dynamic, 3) lastprivate(first_last) reduction(+ : count)
    for (int i = 0; i < 16; i++)
        for (int k = 0; k < 16; k++) {
            count_up(&hits[i * 16 + k]);
            first_last = i * 16 + k;
            count++;
        }
    CHECK_EQ(first_last, 255);
    check_hits(1);

    /* Many in sequence: each region has its own schedule. */
    for (int r = 0; r < 60; r++) {
#pragma omp parallel for schedule(dynamic, 2) reduction(+ : count)
        for (int i = 0; i < 30; i++)
            count++;
#pragma omp parallel for schedule(guided) reduction(+ : count)
        for (int i = 0; i < 30; i++)
            count++;
    }
    CHECK_EQ(count, 12 * N + 86 + 128 + 60 * 60);
    printf("count %d\n", count);
    return check_done("loop_combined");
}
