// A monotonic schedule gives every thread its iterations in increasing order; so does every ordered loop.
#include "../check.h"

enum { N = 400 };

static void reset(int *last) {
    for (int t = 0; t < CHECK_MAX_THREADS; t++)
        last[t] = -1;
}

static void note(int *last, int i) {
    int me = omp_get_thread_num();

    CHECK(last[me] < i);
    last[me] = i;
}

int main(int argc, char **argv) {
    int rounds = (int)check_arg(argc, argv, 1, 20);
    int chunk = 3, calls = 0;
    int last[CHECK_MAX_THREADS];

    omp_set_schedule((omp_sched_t)((unsigned)omp_sched_dynamic | omp_sched_monotonic), 2);
    for (int r = 0; r < rounds; r++) {
        reset(last);
#pragma omp parallel for schedule(monotonic : dynamic, chunk) reduction(+ : calls)
        for (int i = 0; i < N; i++) {
            note(last, i);
            calls++;
        }
        reset(last);
#pragma omp parallel for schedule(monotonic : guided) reduction(+ : calls)
        for (int i = 0; i < N; i++) {
            note(last, i);
            calls++;
        }
        reset(last);
#pragma omp parallel for schedule(monotonic : runtime) reduction(+ : calls)
        for (int i = 0; i < N; i++) {
            note(last, i);
            calls++;
        }
        reset(last);
#pragma omp parallel for schedule(static, 5) reduction(+ : calls)
        for (int i = 0; i < N; i++) {
            note(last, i);
            calls++;
        }
        reset(last);
#pragma omp parallel for ordered schedule(dynamic, chunk) reduction(+ : calls)
        for (int i = 0; i < N; i++) {
            note(last, i);
            calls++;
        }
        reset(last);
#pragma omp parallel for schedule(nonmonotonic : dynamic, chunk) reduction(+ : calls)
        for (int i = 0; i < N; i++)
            calls++;
    }
    CHECK_EQ(calls, 6 * N * rounds);
    printf("calls %d\n", calls);
    return check_done("loop_monotonic");
}
