// Loops without iterations, with one, and with fewer than threads, under every schedule.
#include "../check.h"

static int calls;

static void loops(long lo, long hi) {
#pragma omp parallel
    {
#pragma omp for schedule(static)
        for (long i = lo; i < hi; i++)
            count_up(&calls);
#pragma omp for schedule(static, 4) nowait
        for (long i = hi; i > lo; i--)
            count_up(&calls);
#pragma omp for schedule(dynamic) nowait
        for (long i = lo; i < hi; i++)
            count_up(&calls);
#pragma omp for schedule(dynamic, 8)
        for (long i = hi; i > lo; i--)
            count_up(&calls);
#pragma omp for schedule(guided, 2) nowait
        for (unsigned long long i = (unsigned long long)lo; i < (unsigned long long)hi; i++)
            count_up(&calls);
#pragma omp for schedule(runtime)
        for (long i = lo; i < hi; i++)
            count_up(&calls);
#pragma omp for schedule(dynamic) ordered
        for (long i = lo; i < hi; i++) {
#pragma omp ordered
            count_up(&calls);
        }
#pragma omp for schedule(static, 1) ordered
        for (long i = lo; i < hi; i++) {
#pragma omp ordered
            count_up(&calls);
        }
#pragma omp for collapse(2) schedule(dynamic)
        for (long i = 0; i < 3; i++)
            for (long k = lo; k < hi; k++)
                count_up(&calls);
#pragma omp for collapse(2) schedule(guided)
        for (long i = lo; i < hi; i++)
            for (long k = 0; k < 2; k++)
                count_up(&calls);
    }
}

static int expect(long lo, long hi) {
    int before = calls, each = hi > lo ? (int)(hi - lo) : 0;

    loops(lo, hi);
    CHECK_EQ(calls - before, each * (8 + 3 + 2));
    return calls - before;
}

int main(void) {
    int total = 0;

    for (int round = 0; round < 5; round++) {
        total += expect(5, 5);
        total += expect(9, 5);
        total += expect(100, 3);
        total += expect(5, 6);
        total += expect(4, 7);
    }
    /* Constant bounds: the schedule is set up with the region. */
#pragma omp parallel for schedule(dynamic)
    for (int i = 3; i < 3; i++)
        total++;
#pragma omp parallel for schedule(guided) ordered
    for (int i = 0; i < 1; i++)
        total++;
    printf("calls %d\n", total);
    return check_done("loop_empty");
}
