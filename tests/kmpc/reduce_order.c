// env: BLITZ_DETERMINISTIC=1
// env: BLITZ_DETERMINISTIC=true OMP_WAIT_POLICY=passive
// beyond libomp: it has no such setting
// With BLITZ_DETERMINISTIC a reduction merges the parts of its threads in the order of their numbers: floating-point
// sums have the same bits each time, and a combiner may depend on the order. schedule(auto) is static then.
#include "calls.h"

#include <math.h>
#include <unistd.h>

enum { MOST = 16, COUNT = 1000, ROUNDS = 100 };

static double values[COUNT];

/* Sums as each thread does for its iterations of a static loop, and then over the threads. */
static double expected(double start, int threads) {
    for (int thread = 0, first = 0; thread < threads; thread++) {
        int share = COUNT / threads + (thread < COUNT % threads);
        double part = 0;
        for (int i = first; i < first + share; i++)
            part += values[i];
        start += part;
        first += share;
    }
    return start;
}

/* Makes threads arrive in any order. */
static void delay(int round) {
    unsigned n = scramble((unsigned)(round * MOST + omp_get_thread_num())) % 4;
    if (n == 3 && round % 16 == 0)
        usleep(300);
    busy_work(n, (int)n * 300);
}

static void sums(void) {
    int threads = 0;
#pragma omp parallel
#pragma omp single
    threads = omp_get_num_threads();
    double want = expected(0.1, threads), want_twice = expected(want, threads);
    for (int round = 0; round < ROUNDS; round++) {
        double sum = 0.1;
#pragma omp parallel for schedule(static) reduction(+ : sum)
        for (int i = 0; i < COUNT; i++) {
            sum += values[i];
            if (i % (COUNT / threads) == 0)
                delay(round);
        }
        CHECK(sum == want);
        sum = 0.1;
        double other = 0.1;
#pragma omp parallel
        {
#pragma omp for schedule(static) reduction(+ : sum) nowait
            for (int i = 0; i < COUNT; i++)
                sum += values[i];
            delay(round);
#pragma omp for schedule(auto) reduction(+ : other) nowait
            for (int i = 0; i < COUNT; i++)
                other += values[i];
#pragma omp barrier
            CHECK(sum == want && other == want);
#pragma omp barrier
            delay(round);
#pragma omp for schedule(static) reduction(+ : sum)
            for (int i = 0; i < COUNT; i++)
                sum += values[i];
            CHECK(sum == want_twice);
        }
    }
}

/* ---- a combiner that depends on the order ---- */

struct names {
    int count, of[MOST];
};

static void append(struct names *to, const struct names *from) {
    for (int i = 0; i < from->count; i++)
        to->of[to->count++] = from->of[i];
}
#pragma omp declare reduction(append                                                                         \
                              : struct names                                                                 \
                              : append(&omp_out, &omp_in)) initializer(omp_priv = (struct names){0})

static void check_names(const struct names *names, int threads) {
    CHECK_EQ(names->count, threads);
    for (int i = 0; i < names->count; i++)
        CHECK_EQ(names->of[i], i);
}

static void orders(void) {
    for (int round = 0; round < ROUNDS; round++) {
        struct names names = {0};
        int threads = 0;
#pragma omp parallel reduction(append : names) reduction(max : threads)
        {
            delay(round);
            names.of[names.count++] = omp_get_thread_num();
            threads = omp_get_num_threads();
        }
        check_names(&names, threads);
    }
}

/* ---- in nested regions, and in a team of one ---- */

static void nested(void) {
    omp_set_max_active_levels(2);
    for (int round = 0; round < ROUNDS / 4; round++) {
        struct names names = {0};
#pragma omp parallel num_threads(2) reduction(append : names)
        {
            for (int size = 1; size <= 3; size++) {
                struct names inner = {0};
#pragma omp parallel num_threads(size) reduction(append : inner)
                {
                    delay(round);
                    inner.of[inner.count++] = omp_get_thread_num();
                }
                check_names(&inner, size);
            }
            names.of[names.count++] = omp_get_thread_num();
        }
        check_names(&names, 2);
    }
    omp_set_max_active_levels(1);
}

int main(void) {
    for (int i = 0; i < COUNT; i++)
        values[i] =
            ldexp((double)scramble((unsigned)i) + 0.5, (int)(scramble((unsigned)i + COUNT) % 60) - 70);
    sums();
    orders();
    nested();
    return check_done("reduce_order");
}
