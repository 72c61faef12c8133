// Loops over long long and int at the ends of their ranges, in both directions.
#include "../check.h"

#include <limits.h>

typedef long long ll;

static unsigned long long sum;
static int calls;

static void note(ll i) {
    __atomic_fetch_add(&sum, (unsigned long long)i, __ATOMIC_RELAXED);
    count_up(&calls);
}

static void up(ll lo, ll hi, ll step, ll chunk) {
#pragma omp parallel
    {
#pragma omp for schedule(dynamic, chunk)
        for (ll i = lo; i < hi; i += step)
            note(i);
#pragma omp for schedule(guided, chunk) nowait
        for (ll i = lo; i < hi; i += step)
            note(i);
#pragma omp for schedule(runtime)
        for (ll i = lo; i < hi; i += step)
            note(i);
#pragma omp for ordered schedule(static, chunk)
        for (ll i = lo; i < hi; i += step) {
#pragma omp ordered
            note(i);
        }
    }
}

static void down(ll lo, ll hi, ll step, ll chunk) {
#pragma omp parallel
    {
#pragma omp for schedule(dynamic, chunk)
        for (ll i = lo; i > hi; i += step)
            note(i);
#pragma omp for schedule(guided, chunk) nowait
        for (ll i = lo; i > hi; i += step)
            note(i);
#pragma omp for schedule(runtime)
        for (ll i = lo; i > hi; i += step)
            note(i);
#pragma omp for ordered schedule(static, chunk)
        for (ll i = lo; i > hi; i += step) {
#pragma omp ordered
            note(i);
        }
    }
}

static void check_range(ll lo, ll hi, ll step, ll chunk) {
    unsigned long long expected = 0;
    int count = 0;

    /* Chunks larger than the type are left out: libgomp multiplies them by the step, and overflows. */
    if (chunk > LLONG_MAX / llabs(step))
        chunk = LLONG_MAX / llabs(step);
    sum = 0;
    calls = 0;
    if (step > 0)
        up(lo, hi, step, chunk);
    else
        down(lo, hi, step, chunk);
    for (ll i = lo; step > 0 ? i < hi : i > hi; i += step) {
        expected += (unsigned long long)i;
        count++;
    }
    CHECK_EQ(calls, 4 * count);
    CHECK(sum == 4 * expected);
    printf("%d iterations, sum %llx\n", count, expected);
}

static void int_limits(void) {
    int count = 0;

#pragma omp parallel for schedule(dynamic, 4) reduction(+ : count)
    for (int i = INT_MAX - 50; i < INT_MAX; i++)
        count++;
#pragma omp parallel for schedule(guided) reduction(+ : count)
    for (int i = INT_MIN + 50; i > INT_MIN; i--)
        count++;
#pragma omp parallel for schedule(dynamic, 1000000000) reduction(+ : count)
    for (int i = INT_MIN; i < INT_MAX - 200000000; i += 200000000)
        count++;
#pragma omp parallel for schedule(dynamic) reduction(+ : count)
    for (unsigned i = UINT_MAX - 30; i < UINT_MAX; i++)
        count++;
    CHECK_EQ(count, 50 + 50 + 21 + 30);
}

int main(void) {
    static const omp_sched_t kinds[] = {omp_sched_static, omp_sched_dynamic, omp_sched_guided};
    static const ll chunks[] = {1, 6, 1ll << 40, LLONG_MAX};
    const ll part = 1ll << 59;

    for (int k = 0; k < 3; k++) {
        omp_set_schedule(kinds[k], k);
        for (int c = 0; c < 4; c++) {
            check_range(LLONG_MIN, LLONG_MIN + 60, 1, chunks[c]);
            check_range(LLONG_MAX - 60, LLONG_MAX, 1, chunks[c]);
            check_range(LLONG_MAX - 101, LLONG_MAX - 1, 10, chunks[c]);
            check_range(LLONG_MIN + 60, LLONG_MIN, -1, chunks[c]);
            check_range(LLONG_MAX, LLONG_MAX - 33, -1, chunks[c]);
            check_range(LLONG_MIN + 201, LLONG_MIN + 1, -20, chunks[c]);
            check_range(-7 * part, 7 * part, part, chunks[c]);
            check_range(7 * part, -7 * part, -part, chunks[c]);
        }
    }
    int_limits();
    return check_done("loop_limits");
}
