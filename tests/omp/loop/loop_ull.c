// Loops over unsigned long long, up to ULLONG_MAX and down to 0, with steps and chunks that overflow easily.
#include "../check.h"

#include <limits.h>

typedef unsigned long long ull;

static ull sum, xor;
static int calls;

static void note(ull i) {
    __atomic_fetch_add(&sum, i, __ATOMIC_RELAXED);
    __atomic_fetch_xor(&xor, i * 0x9e3779b97f4a7c15ull, __ATOMIC_RELAXED);
    count_up(&calls);
}

static void up(ull lo, ull hi, ull step, ull chunk) {
#pragma omp parallel
    {
#pragma omp for schedule(dynamic, chunk)
        for (ull i = lo; i < hi; i += step)
            note(i);
#pragma omp for schedule(guided, chunk) nowait
        for (ull i = lo; i < hi; i += step)
            note(i);
#pragma omp for schedule(static, 7)
        for (ull i = lo; i < hi; i += step)
            note(i);
#pragma omp for schedule(runtime)
        for (ull i = lo; i < hi; i += step)
            note(i);
#pragma omp for ordered schedule(dynamic, chunk)
        for (ull i = lo; i < hi; i += step) {
#pragma omp ordered
            note(i);
        }
    }
}

static void down(ull lo, ull hi, ull step, ull chunk) {
#pragma omp parallel
    {
#pragma omp for schedule(dynamic, chunk)
        for (ull i = lo; i > hi; i -= step)
            note(i);
#pragma omp for schedule(guided, chunk) nowait
        for (ull i = lo; i > hi; i -= step)
            note(i);
#pragma omp for schedule(static, 7)
        for (ull i = lo; i > hi; i -= step)
            note(i);
#pragma omp for schedule(runtime)
        for (ull i = lo; i > hi; i -= step)
            note(i);
#pragma omp for ordered schedule(guided, chunk)
        for (ull i = lo; i > hi; i -= step) {
#pragma omp ordered
            note(i);
        }
    }
}

static void check_range(ull lo, ull hi, ull step, ull chunk) {
    ull expected = 0, expected_xor = 0;
    int count = 0, upwards = lo <= hi;

    /* Chunks larger than the type are left out: libgomp multiplies them by the step, and overflows. */
    if (chunk > ULLONG_MAX / step)
        chunk = ULLONG_MAX / step;
    sum = xor = 0;
    calls = 0;
    if (upwards)
        up(lo, hi, step, chunk);
    else
        down(lo, hi, step, chunk);
    for (ull i = lo; upwards ? i < hi : i > hi; i = upwards ? i + step : i - step) {
        expected += i;
        expected_xor ^= i * 0x9e3779b97f4a7c15ull;
        count++;
    }
    CHECK_EQ(calls, 5 * count);
    CHECK(sum == 5 * expected);
    CHECK(xor == expected_xor);
    printf("%d iterations, sum %llx\n", count, expected);
}

int main(void) {
    static const omp_sched_t kinds[] = {omp_sched_static, omp_sched_dynamic, omp_sched_guided};
    static const ull chunks[] = {1, 7, 1ull << 31, 1ull << 62, ULLONG_MAX};
    const ull quarter = 1ull << 60;

    for (int k = 0; k < 3; k++) {
        omp_set_schedule(kinds[k], k);
        for (int c = 0; c < 5; c++) {
            check_range(0, 100, 3, chunks[c]);
            check_range(ULLONG_MAX - 100, ULLONG_MAX, 1, chunks[c]);
            check_range(ULLONG_MAX - 101, ULLONG_MAX - 1, 10, chunks[c]);
            check_range(LLONG_MAX - 20ull, LLONG_MAX + 30ull, 1, chunks[c]);
            check_range(0, 15 * quarter, quarter, chunks[c]);
            check_range(ULLONG_MAX, ULLONG_MAX - 50, 1, chunks[c]);
            check_range(ULLONG_MAX, quarter - 1, quarter, chunks[c]);
            check_range(77, 0, 1, chunks[c]);
            check_range(99, 9, 10, chunks[c]);
        }
    }
    return check_done("loop_ull");
}
