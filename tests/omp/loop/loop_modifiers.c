// env: OMP_SCHEDULE=dynamic,3
// env: OMP_SCHEDULE=static,4
// env: OMP_SCHEDULE=guided
// monotonic and nonmonotonic with every schedule, for long and for unsigned long long.
#include "../check.h"

typedef unsigned long long ull;

enum { N = 80 };

static int hits[N], last[CHECK_MAX_THREADS], rounds;

static void note(int i) {
    count_up(&hits[i]);
}

/* For monotonic loops: later calls of a thread bring larger iterations. */
static void note_rising(int i) {
    int me = omp_get_thread_num();

    CHECK(i == 0 || last[me] < i);
    last[me] = i;
    note(i);
}

/* After each loop each thread clears its own mark. */
static void next_loop(void) {
    last[omp_get_thread_num()] = -1;
#pragma omp single
    {
        rounds++;
        for (int i = 0; i < N; i++)
            CHECK_EQ(hits[i], rounds);
    }
}

static void long_loops(long n, long chunk) {
#pragma omp for schedule(monotonic : dynamic, chunk)
    for (long i = 0; i < n; i++)
        note_rising((int)i);
    next_loop();
#pragma omp for schedule(monotonic : guided, chunk)
    for (long i = 0; i < n; i++)
        note_rising((int)i);
    next_loop();
#pragma omp for schedule(monotonic : runtime)
    for (long i = 0; i < n; i++)
        note_rising((int)i);
    next_loop();
#pragma omp for schedule(nonmonotonic : runtime)
    for (long i = n; i > 0; i--)
        note((int)i - 1);
    next_loop();
#pragma omp for schedule(nonmonotonic : dynamic, chunk)
    for (long i = 0; i < n; i++)
        note((int)i);
    next_loop();
}

static void ull_loops(ull n, ull chunk) {
#pragma omp for schedule(monotonic : dynamic, chunk)
    for (ull i = 0; i < n; i++)
        note_rising((int)i);
    next_loop();
#pragma omp for schedule(monotonic : guided, chunk)
    for (ull i = 0; i < n; i++)
        note_rising((int)i);
    next_loop();
#pragma omp for schedule(monotonic : runtime)
    for (ull i = 0; i < n; i++)
        note_rising((int)i);
    next_loop();
#pragma omp for schedule(nonmonotonic : runtime)
    for (ull i = n; i > 0; i--)
        note((int)i - 1);
    next_loop();
#pragma omp for schedule(nonmonotonic : guided, chunk)
    for (ull i = 0; i < n; i++)
        note((int)i);
    next_loop();
}

static void ordered_ull_loops(ull n, ull chunk) {
    static int in_order;

#pragma omp single
    in_order = 0;
#pragma omp for ordered schedule(static, chunk)
    for (ull i = 0; i < n; i++) {
        note_rising((int)i);
#pragma omp ordered
        CHECK_EQ(in_order++, i);
    }
    next_loop();
#pragma omp for ordered schedule(runtime)
    for (ull i = n; i > 0; i--) {
#pragma omp ordered
        {
            note((int)i - 1);
            CHECK_EQ(in_order++, 2 * n - i);
        }
    }
    next_loop();
}

int main(void) {
    for (int chunk = 1; chunk < 10; chunk += 4) {
#pragma omp parallel
        {
            last[omp_get_thread_num()] = -1;
            long_loops(N, chunk);
            ull_loops(N, (ull)chunk);
            ordered_ull_loops(N, (ull)chunk);
        }
    }
    printf("loops %d\n", rounds);
    return check_done("loop_modifiers");
}
