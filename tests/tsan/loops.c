/* Worksharing loops: handing out iterations orders nothing; ordered and doacross do, and so does the end. */
#include <omp.h>

#include "cases.h"

#define N 100

/* Iteration i touches places i and, in a race, i + 1, for whatever schedule. */
#define LOOP(name, schedule)                                                                                 \
    static void name(void) {                                                                                 \
        int x[N + 1] = {0}, meeting = 0, two = omp_get_max_threads() > 1 ? 2 : 1;                            \
        _Pragma("omp parallel") {                                                                            \
            _Pragma(schedule) for (int i = 0; i < N; i++) {                                                  \
                if (i == 0 || i == N - 1)                                                                    \
                    meet(&meeting, two);                                                                     \
                x[racy ? 0 : i]++;                                                                           \
            }                                                                                                \
            EXPECT(x[omp_get_thread_num()] == 1);                                                            \
        }                                                                                                    \
    }

LOOP(loop_static, "omp for schedule(static)")
LOOP(loop_chunked, "omp for schedule(static, 50)")
LOOP(loop_dynamic, "omp for schedule(monotonic : dynamic, 50)")
LOOP(loop_guided, "omp for schedule(guided, 10)")
LOOP(loop_runtime, "omp for schedule(runtime)")

static void stolen(void) {
    int x[N] = {0}, meeting = 0;
#pragma omp parallel
    {
#pragma omp for schedule(nonmonotonic : dynamic) nowait
        for (int i = 0; i < N; i++)
            x[i]++;
#pragma omp for schedule(nonmonotonic : dynamic)
        for (int i = 0; i < omp_get_num_threads(); i++) {
            meet(&meeting, omp_get_num_threads());
            if (racy)
                x[0]++;
        }
        EXPECT(x[omp_get_thread_num()] == 1);
    }
}

static void nowait(void) {
    int x[N] = {0}, meeting = 0;
#pragma omp parallel
    {
#pragma omp for schedule(static) nowait
        for (int i = 0; i < N; i++)
            x[i] = i;
        meet(&meeting, omp_get_num_threads());
        /* The same iterations: the same thread. */
#pragma omp for schedule(static)
        for (int i = 0; i < N; i++)
            EXPECT(x[racy ? N - 1 - i : i] == i);
    }
}

static void ordered(void) {
    int last = -1, x = 0, meeting = 0, two = omp_get_max_threads() > 1 ? 2 : 1;
#pragma omp parallel for ordered schedule(dynamic)
    for (int i = 0; i < N; i++) {
        if (i < 2)
            meet(&meeting, two);
        if (racy)
            x++;
#pragma omp ordered
        {
            EXPECT(last == i - 1);
            last = i;
        }
    }
    EXPECT(last == N - 1 && x == 0);
}

/* Code after an iteration's ordered region is not ordered. */
static void ordered_after(void) {
    int x = 0, last = 0, meeting = 0, two = omp_get_max_threads() > 1 ? 2 : 1;
#pragma omp parallel for ordered schedule(static, 1)
    for (int i = 0; i < 2; i++) {
#pragma omp ordered
        last = i;
        meet(&meeting, two);
        if (racy)
            x++;
    }
    EXPECT(last == 1 && x == 0);
}

static void doacross(void) {
    int x[N + 1] = {0};
#pragma omp parallel for ordered(1) schedule(static, 1)
    for (int i = 1; i < N; i++) {
        if (!racy) {
#pragma omp ordered depend(sink : i - 1)
        } else {
#pragma omp ordered depend(sink : i - 2)
        }
        x[i] = x[i - 1] + 1;
#pragma omp ordered depend(source)
    }
    EXPECT(x[N - 1] == N - 1);
}

static void doacross_square(void) {
    static int x[20][20];
    int meeting = 0, two = omp_get_max_threads() > 1 ? 2 : 1;
    memset(x, 0, sizeof x);
#pragma omp parallel for ordered(2) schedule(dynamic)
    for (int i = 1; i < 20; i++)
        for (int j = 1; j < 20; j++) {
#pragma omp ordered depend(sink : i - 1, j)
            x[i][j] = x[i - 1][j] + 1;
#pragma omp ordered depend(source)
            if (j == 1 && i <= 2)
                meet(&meeting, two);
            if (racy)
                x[0][0]++;
        }
    EXPECT(x[19][19] == 19);
}

static void lastprivate(void) {
    int last = 0, meeting = 0;
#pragma omp parallel
    {
#pragma omp for lastprivate(last)
        for (int i = 0; i < N; i++)
            last = i;
        EXPECT(last == N - 1);
        meet(&meeting, omp_get_num_threads());
        if (racy)
            last++;
    }
}

static void conditional(void) {
    int last = 0, meeting = 0;
#pragma omp parallel
    {
        for (int round = 0; round < 3; round++) {
#pragma omp for lastprivate(conditional : last) schedule(dynamic)
            for (int i = 0; i < N; i++)
                if (i % 7 == 0)
                    last = i;
#ifndef __clang__ /* it miscompiles it */
            EXPECT(last == 98);
#endif
#pragma omp barrier
        }
        meet(&meeting, omp_get_num_threads());
        if (racy)
            last++;
    }
}

static void scan(void) {
    int x[N], sum = 0;
    for (int round = 0; round < 3; round++) {
        sum = 0;
#pragma omp parallel for reduction(inscan, + : sum)
        for (int i = 0; i < N; i++) {
            sum += i;
#pragma omp scan inclusive(sum)
            x[racy ? 0 : i] = sum;
        }
    }
    EXPECT(x[N - 1] == sum && sum == N * (N - 1) / 2);
}

static void cancelled(void) {
    int x = 0, meeting = 0;
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < N; i++) {
#pragma omp cancel for if (i % 2)
#pragma omp cancellation point for
        }
#pragma omp single
        x = 1;
        EXPECT(x == 1);
        meet(&meeting, omp_get_num_threads());
        if (racy)
            x++;
    }
}

static void cancelled_region(void) {
    int x[64] = {0}, meeting = 0;
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        x[racy ? 0 : me]++;
        meet(&meeting, omp_get_num_threads());
#pragma omp cancel parallel if (me == 0)
#pragma omp barrier
    }
    EXPECT(x[0] == 1);
}

static const struct tsan_case cases[] = {
    CASE(loop_static),   CASE(loop_chunked), CASE(loop_dynamic),    CASE(loop_guided),
    CASE(loop_runtime),  CASE(stolen),       CASE(nowait),          CASE(ordered),
    CASE(ordered_after), CASE(doacross),     CASE(doacross_square), CASE(lastprivate),
    CASE(conditional),   CASE(scan),         CASE(cancelled),       CASE(cancelled_region),
};

int main(int argc, char **argv) {
    return RUN_CASES(cases, argc, argv);
}
