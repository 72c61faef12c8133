// Loop entry points called by hand: the old combined ones, and those that no current compiler emits.
#include "../check.h"

#include <stdbool.h>

typedef unsigned long long ull;

void GOMP_parallel(void (*fn)(void *), void *data, unsigned num_threads, unsigned flags);
void GOMP_parallel_end(void);
void GOMP_parallel_loop_static_start(void (*fn)(void *), void *data, unsigned num_threads, long start,
                                     long end, long incr, long chunk);
void GOMP_parallel_loop_dynamic_start(void (*fn)(void *), void *data, unsigned num_threads, long start,
                                      long end, long incr, long chunk);
void GOMP_parallel_loop_guided_start(void (*fn)(void *), void *data, unsigned num_threads, long start,
                                     long end, long incr, long chunk);
void GOMP_parallel_loop_runtime_start(void (*fn)(void *), void *data, unsigned num_threads, long start,
                                      long end, long incr);
void GOMP_parallel_loop_static(void (*fn)(void *), void *data, unsigned num_threads, long start, long end,
                               long incr, long chunk, unsigned flags);
bool GOMP_loop_static_start(long start, long end, long incr, long chunk, long *istart, long *iend);
bool GOMP_loop_ull_static_start(bool up, ull start, ull end, ull incr, ull chunk, ull *istart, ull *iend);
bool GOMP_loop_static_next(long *istart, long *iend);
bool GOMP_loop_ull_static_next(ull *istart, ull *iend);
bool GOMP_loop_dynamic_next(long *istart, long *iend);
bool GOMP_loop_guided_next(long *istart, long *iend);
bool GOMP_loop_runtime_next(long *istart, long *iend);
void GOMP_loop_end(void);
void GOMP_loop_end_nowait(void);

enum { LO = -20, HI = 81, STEP = 3, COUNT = 34 };

typedef bool next_fn(long *, long *);

static int hits[COUNT], members;

static void count_range(long first, long end) {
    for (long i = first; i < end; i += STEP)
        count_up(&hits[(i - LO) / STEP]);
}

static void take_all(next_fn *next) {
    long first, end;

    while (next(&first, &end))
        count_range(first, end);
    GOMP_loop_end_nowait();
    count_up(&members);
}

static void static_body(void *data) {
    CHECK(data == &members);
    take_all(GOMP_loop_static_next);
}

static void dynamic_body(void *data) {
    CHECK(data == &members);
    take_all(GOMP_loop_dynamic_next);
}

static void guided_body(void *data) {
    CHECK(data == &members);
    take_all(GOMP_loop_guided_next);
}

static void runtime_body(void *data) {
    CHECK(data == &members);
    take_all(GOMP_loop_runtime_next);
}

/* Static loops through the runtime, as the compiler could but does not emit them. */
static void static_starts(void *data) {
    long first, end, chunk = *(long *)data;
    ull ufirst, uend;

    if (GOMP_loop_static_start(LO, HI, STEP, chunk, &first, &end))
        do
            count_range(first, end);
        while (GOMP_loop_static_next(&first, &end));
    GOMP_loop_end();
    if (GOMP_loop_ull_static_start(true, 0, COUNT, 1, (ull)chunk, &ufirst, &uend))
        do
            for (ull i = ufirst; i < uend; i++)
                count_up(&hits[i]);
        while (GOMP_loop_ull_static_next(&ufirst, &uend));
    GOMP_loop_end_nowait();
    count_up(&members);
}

static void check_hits(int each, int size) {
    for (int i = 0; i < COUNT; i++) {
        CHECK_EQ(hits[i], each);
        hits[i] = 0;
    }
    CHECK_EQ(members, size);
    members = 0;
}

int main(void) {
    int threads = omp_get_max_threads();

    omp_set_schedule(omp_sched_guided, 2);
    for (int round = 0; round < 10; round++) {
        for (long chunk = 0; chunk < 5; chunk++) {
            GOMP_parallel_loop_static_start(static_body, &members, 0, LO, HI, STEP, chunk);
            static_body(&members);
            GOMP_parallel_end();
            check_hits(1, threads);
            GOMP_parallel_loop_static(static_body, &members, 3, LO, HI, STEP, chunk, 0);
            check_hits(1, 3);
            GOMP_parallel_loop_dynamic_start(dynamic_body, &members, 3, LO, HI, STEP, chunk + 1);
            dynamic_body(&members);
            GOMP_parallel_end();
            check_hits(1, 3);
            GOMP_parallel_loop_guided_start(guided_body, &members, 0, LO, HI, STEP, chunk + 1);
            guided_body(&members);
            GOMP_parallel_end();
            check_hits(1, threads);
            GOMP_parallel(static_starts, &chunk, 0, 0);
            check_hits(2, threads);
        }
        GOMP_parallel_loop_runtime_start(runtime_body, &members, 1, LO, HI, STEP);
        runtime_body(&members);
        GOMP_parallel_end();
        check_hits(1, 1);
    }
    printf("threads %d\n", threads);
    return check_done("legacy_loops");
}
