// beyond libomp: its chunks differ
// The chunks of guided loops: each is an even share, rounded up, of the remaining iterations, or the chunk size if that
// is more, whichever thread gets it. Each thread gets its chunks in order. The program calls the entry points itself,
// since a loop body cannot see where chunks begin and end. Steps divide the distance: where they do not, libgomp rounds
// the remaining iterations down.
#include "../check.h"

#include <limits.h>
#include <stdbool.h>

typedef unsigned long long ull;

bool GOMP_loop_guided_start(long, long, long, long, long *, long *);
bool GOMP_loop_guided_next(long *, long *);
bool GOMP_loop_nonmonotonic_guided_start(long, long, long, long, long *, long *);
bool GOMP_loop_nonmonotonic_guided_next(long *, long *);
bool GOMP_loop_ordered_guided_start(long, long, long, long, long *, long *);
bool GOMP_loop_ordered_guided_next(long *, long *);
bool GOMP_loop_runtime_start(long, long, long, long *, long *);
bool GOMP_loop_runtime_next(long *, long *);
bool GOMP_loop_nonmonotonic_runtime_start(long, long, long, long *, long *);
bool GOMP_loop_nonmonotonic_runtime_next(long *, long *);
bool GOMP_loop_maybe_nonmonotonic_runtime_start(long, long, long, long *, long *);
bool GOMP_loop_maybe_nonmonotonic_runtime_next(long *, long *);
bool GOMP_loop_ull_guided_start(bool, ull, ull, ull, ull, ull *, ull *);
bool GOMP_loop_ull_guided_next(ull *, ull *);
bool GOMP_loop_ull_nonmonotonic_guided_start(bool, ull, ull, ull, ull, ull *, ull *);
bool GOMP_loop_ull_nonmonotonic_guided_next(ull *, ull *);
bool GOMP_loop_ull_runtime_start(bool, ull, ull, ull, ull *, ull *);
bool GOMP_loop_ull_runtime_next(ull *, ull *);
void GOMP_loop_end(void);

enum { MOST = 20000 };

struct loop {
    ull start, end, step; /* a long, converted to one */
    bool up;
    ull count, chunk;
};

static struct chunk { ull first, last; /* iterations, counted from 0: [first, last) */ } chunks[MOST];
static int made;

static ull distance(const struct loop *loop, ull value) {
    return loop->up ? value - loop->start : loop->start - value;
}

static ull pace(const struct loop *loop) {
    return loop->up ? loop->step : -loop->step;
}

// Records a chunk, as values; before: the end of the thread's last one.
static void note(const struct loop *loop, ull first, ull last, ull *before) {
    int index = __atomic_fetch_add(&made, 1, __ATOMIC_RELAXED);
    struct chunk chunk = {distance(loop, first) / pace(loop),
                          last == loop->end ? loop->count : distance(loop, last) / pace(loop)};

    CHECK(index < MOST && chunk.first < chunk.last && chunk.first >= *before);
    *before = chunk.last;
    if (index < MOST)
        chunks[index] = chunk;
}

#define WAY_LONG(name, start_call, next)                                                                     \
    static void name(const struct loop *loop) {                                                              \
        long first, last, start = (long)loop->start, end = (long)loop->end, step = (long)loop->step;         \
        long chunk = (long)loop->chunk;                                                                      \
        ull before = 0;                                                                                      \
        (void)chunk;                                                                                         \
        for (bool got = start_call; got; got = next(&first, &last))                                          \
            note(loop, (ull)first, (ull)last, &before);                                                      \
        GOMP_loop_end();                                                                                     \
    }

WAY_LONG(guided, GOMP_loop_guided_start(start, end, step, chunk, &first, &last), GOMP_loop_guided_next)
WAY_LONG(nonmonotonic, GOMP_loop_nonmonotonic_guided_start(start, end, step, chunk, &first, &last),
         GOMP_loop_nonmonotonic_guided_next)
WAY_LONG(ordered, GOMP_loop_ordered_guided_start(start, end, step, chunk, &first, &last),
         GOMP_loop_ordered_guided_next)
WAY_LONG(runtime, GOMP_loop_runtime_start(start, end, step, &first, &last), GOMP_loop_runtime_next)
WAY_LONG(free_runtime, GOMP_loop_nonmonotonic_runtime_start(start, end, step, &first, &last),
         GOMP_loop_nonmonotonic_runtime_next)
WAY_LONG(maybe_runtime, GOMP_loop_maybe_nonmonotonic_runtime_start(start, end, step, &first, &last),
         GOMP_loop_maybe_nonmonotonic_runtime_next)

#define WAY_ULL(name, start_call, next)                                                                      \
    static void name(const struct loop *loop) {                                                              \
        ull first, last, start = loop->start, end = loop->end, step = loop->step, before = 0;                \
        for (bool got = start_call; got; got = next(&first, &last))                                          \
            note(loop, first, last, &before);                                                                \
        GOMP_loop_end();                                                                                     \
    }

WAY_ULL(ull_guided, GOMP_loop_ull_guided_start(loop->up, start, end, step, loop->chunk, &first, &last),
        GOMP_loop_ull_guided_next)
WAY_ULL(ull_nonmonotonic,
        GOMP_loop_ull_nonmonotonic_guided_start(loop->up, start, end, step, loop->chunk, &first, &last),
        GOMP_loop_ull_nonmonotonic_guided_next)
WAY_ULL(ull_runtime, GOMP_loop_ull_runtime_start(loop->up, start, end, step, &first, &last),
        GOMP_loop_ull_runtime_next)

static int by_first(const void *a, const void *b) {
    ull x = ((const struct chunk *)a)->first, y = ((const struct chunk *)b)->first;

    return x < y ? -1 : x > y;
}

static void check_sizes(const struct loop *loop, int threads) {
    ull next = 0;

    CHECK(made <= MOST);
    qsort(chunks, (size_t)made, sizeof *chunks, by_first);
    for (int i = 0; i < made; i++) {
        ull left = loop->count - next, n = (left - 1) / (ull)threads + 1;

        n = n > loop->chunk ? n : loop->chunk;
        CHECK(chunks[i].first == next);
        CHECK_EQ(chunks[i].last - chunks[i].first, n < left ? n : left);
        next = chunks[i].last;
    }
    CHECK(next == loop->count);
}

static void run(void (*way)(const struct loop *), struct loop loop) {
    int threads = 0;

    loop.count = distance(&loop, loop.end) / pace(&loop) + (distance(&loop, loop.end) % pace(&loop) != 0);
    omp_set_schedule(omp_sched_guided, (int)loop.chunk);
    made = 0;
#pragma omp parallel
    {
#pragma omp single
        threads = omp_get_num_threads();
        way(&loop);
    }
    check_sizes(&loop, threads);
}

static void check_long(long start, long end, long step, long chunk) {
    static void (*const ways[])(const struct loop *) = {guided,  nonmonotonic, ordered,
                                                        runtime, free_runtime, maybe_runtime};

    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        run(ways[i], (struct loop){(ull)start, (ull)end, (ull)step, step > 0, 0, (ull)chunk});
    for (int i = 0; i < made; i++)
        printf("%s%llu", i > 0 ? " " : "", chunks[i].last - chunks[i].first);
    printf("\n");
}

static void check_ull(bool up, ull start, ull end, ull step, ull chunk) {
    static void (*const ways[])(const struct loop *) = {ull_guided, ull_nonmonotonic, ull_runtime};

    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        run(ways[i], (struct loop){start, end, step, up, 0, chunk});
    printf("%d\n", made);
}

int main(int argc, char **argv) {
    long rounds = check_arg(argc, argv, 1, 3);

    for (long r = 0; r < rounds; r++) {
        for (int chunk = 1; chunk <= 50; chunk = 2 * chunk + 5) {
            check_long(0, 1000, 1, chunk);
            check_long(0, 1, 1, chunk);
            check_long(-17, 10000, 7, chunk);
            check_long(500, -1303, -3, chunk);
            check_ull(true, 0, 1000, 1, (ull)chunk);
            check_ull(false, ULLONG_MAX, ULLONG_MAX - 998, -2ull, (ull)chunk);
        }
        check_long(0, 10000, 1, 3000);
        check_ull(true, 0, 1ull << 62, 1, 1);
        check_ull(true, 5, 1ull << 61, 1, 1);
        check_ull(false, ULLONG_MAX, ULLONG_MAX - (1ull << 61), -1ull, 7);
    }
    return check_done("loop_guided");
}
