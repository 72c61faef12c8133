// beyond libomp: an assertion of it fails at a loop after a cancelled one
// env: OMP_CANCELLATION=true
// Loops and sections, cancelled again and again: threads that leave one early and threads that run it to its end enter
// the same next ones.
#include "check.h"

enum { N = 400, ROUNDS = 60 };

static int hits[N], before;

static void clear(void) {
    for (int i = 0; i < N; i++)
        hits[i] = 0;
    before = 0;
}

/* No iteration has run twice; if no thread has cancelled the loop, all have run. */
static void check(int cancelled) {
    for (int i = 0; i < N; i++) {
        CHECK(hits[i] <= 1);
        CHECK(cancelled || hits[i] == 1);
    }
    clear();
}

#define COUNT(i) __atomic_fetch_add(&hits[i], 1, __ATOMIC_RELAXED)
#define CANCELLED_LOOP(schedule_clause, stop)                                                                \
    _Pragma(schedule_clause) for (int i = 0; i < N; i++) {                                                   \
        COUNT(i);                                                                                            \
        if (i == (stop)) {                                                                                   \
            _Pragma("omp cancel for")                                                                        \
        }                                                                                                    \
        _Pragma("omp cancellation point for")                                                                \
    }                                                                                                        \
    _Pragma("omp single") check((stop) < N);

int main(void) {
    for (int round = 0; round < ROUNDS; round++) {
        int stop = round % 3 == 0 ? N : (int)(scramble((unsigned)round) % N);
#pragma omp parallel
        {
            CANCELLED_LOOP("omp for schedule(dynamic)", stop)
            CANCELLED_LOOP("omp for schedule(monotonic : dynamic, 3)", stop)
            CANCELLED_LOOP("omp for schedule(static)", stop)
            CANCELLED_LOOP("omp for schedule(guided)", stop)
            CANCELLED_LOOP("omp for schedule(static, 5)", stop)
            CANCELLED_LOOP("omp for schedule(runtime)", stop)
#pragma omp for schedule(dynamic) nowait
            for (int i = 0; i < N / 2; i++)
                COUNT(i);
#pragma omp for schedule(guided)
            for (int i = N / 2; i < N; i++)
                COUNT(i);
#pragma omp single
            check(0);
#pragma omp sections
            {
#pragma omp section
                {
                    __atomic_store_n(&before, 1, __ATOMIC_RELAXED);
#pragma omp cancel sections
                }
#pragma omp section
                {
#pragma omp cancellation point sections
                }
            }
        }
        CHECK_EQ(before, 1);
        before = 0;
    }
    return check_done("loop_cancel");
}
