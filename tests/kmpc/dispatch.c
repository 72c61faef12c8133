// Loops whose threads request chunks: each kind, width and modifier, loops in flight one after the other, with and
// without the final call of newer compilers.
#include "calls.h"

enum { MOST_TRIPS = 4000, MOST_LOOPS = 12 };

struct loop {
    int kind;
    int64_t low, up, step, chunk;
};

struct result {
    struct loop loop;
    int runs[MOST_TRIPS], owner[MOST_TRIPS];
    int lasts, small_chunks;
};
static struct result results[MOST_LOOPS];

/* The kind without modifiers and order. */
static int base_kind(int kind) {
    kind &= ~(MONOTONIC | NONMONOTONIC);
    return kind >= ORDERED_STATIC_CHUNK ? kind - ORDERED_STATIC_CHUNK + STATIC_CHUNK : kind;
}

static int64_t trips(const struct loop *loop) {
    uint64_t distance =
        loop->step > 0 ? (uint64_t)loop->up - (uint64_t)loop->low : (uint64_t)loop->low - (uint64_t)loop->up;
    return (int64_t)(distance / (uint64_t)(loop->step > 0 ? loop->step : -loop->step)) + 1;
}

#define DEFINE_RUN(T, ST, n)                                                                                 \
    static void run_##n(struct result *result, int deinit) {                                                 \
        struct loop *loop = &result->loop;                                                                   \
        int ordered = (loop->kind & 0xff) >= ORDERED_STATIC_CHUNK;                                           \
        int64_t count = trips(loop), before = -1;                                                            \
        int32_t last = 0, got;                                                                               \
        T low, up;                                                                                           \
        ST step = 0;                                                                                         \
        __kmpc_dispatch_init_##n(&here, ME, loop->kind, (T)loop->low, (T)loop->up, (ST)loop->step,           \
                                 (ST)loop->chunk);                                                           \
        while ((got = __kmpc_dispatch_next_##n(&here, ME, &last, &low, &up, &step)) != 0) {                  \
            CHECK_EQ(got, 1);                                                                                \
            CHECK_EQ(step, loop->step);                                                                      \
            int64_t first = (int64_t)(T)(low - (T)loop->low) / loop->step;                                   \
            int64_t end = (int64_t)(T)(up - (T)loop->low) / loop->step;                                      \
            if (loop->step < 0) {                                                                            \
                first = (int64_t)((uint64_t)(T)((T)loop->low - low) / (uint64_t)-loop->step);                \
                end = (int64_t)((uint64_t)(T)((T)loop->low - up) / (uint64_t)-loop->step);                   \
            } else {                                                                                         \
                first = (int64_t)((uint64_t)(T)(low - (T)loop->low) / (uint64_t)loop->step);                 \
                end = (int64_t)((uint64_t)(T)(up - (T)loop->low) / (uint64_t)loop->step);                    \
            }                                                                                                \
            CHECK(first >= 0 && first <= end && end < count);                                                \
            if (first < 0 || end >= count)                                                                   \
                break;                                                                                       \
            if (loop->kind & MONOTONIC)                                                                      \
                CHECK(first > before);                                                                       \
            before = end;                                                                                    \
            CHECK_EQ(last != 0, end == count - 1);                                                           \
            if (last)                                                                                        \
                count_up(&result->lasts);                                                                    \
            if (end - first + 1 < loop->chunk && end != count - 1)                                           \
                count_up(&result->small_chunks);                                                             \
            for (int64_t i = first; i <= end; i++) {                                                         \
                count_up(&result->runs[i]);                                                                  \
                result->owner[i] = omp_get_thread_num();                                                     \
                if (ordered)                                                                                 \
                    __kmpc_dispatch_fini_##n(&here, ME);                                                     \
            }                                                                                                \
        }                                                                                                    \
        if (deinit)                                                                                          \
            __kmpc_dispatch_deinit(&here, ME);                                                               \
    }
LOOP_WIDTHS(DEFINE_RUN)

static void all_loops(int32_t *gtid, int32_t *btid, void (*run)(struct result *, int), int64_t first,
                      int64_t end, int64_t flags) {
    int nowait = flags & 1, deinit = (flags & 2) != 0;
    (void)btid;
    for (int64_t i = first; i < end; i++) {
        run(&results[i], deinit);
        if (!nowait)
            __kmpc_barrier(&here, *gtid);
    }
}

static void check_result(const struct result *result, int threads) {
    const struct loop *loop = &result->loop;
    int64_t count = trips(loop);
    int kind = base_kind(loop->kind);
    for (int64_t i = 0; i < count; i++)
        CHECK_EQ(result->runs[i], 1);
    CHECK_EQ(result->lasts, 1);
    if (kind == DYNAMIC || kind == GUIDED || kind == STATIC_CHUNK)
        CHECK_EQ(result->small_chunks, 0);
    if (kind == STATIC_CHUNK)
        for (int64_t i = 0; i < count; i++)
            CHECK_EQ(result->owner[i], i / (loop->chunk < 1 ? 1 : loop->chunk) % threads);
    if (kind == STATIC) {
        int64_t each = count / threads, more = count % threads;
        for (int64_t i = 0, t = 0, end = each + (more > 0); i < count; i++) {
            while (i >= end) {
                t++;
                end += each + (t < more);
            }
            CHECK_EQ(result->owner[i], t);
        }
    }
}

static void set_loops(int kind, int is_signed, int is_long) {
    const struct loop shapes[MOST_LOOPS] = {
        {kind, 0, 99, 1, 1},
        {kind, 0, 99, 1, 7},
        {kind, 0, 0, 1, 1},
        {kind, 5, 1000, 3, 4},
        {kind, 1000, 5, -3, 4},
        {kind, 9, 0, -1, 2},
        {kind, 0, 2, 1, 100},
        {kind, 0, 3999, 1, 3},
        {kind, is_signed ? -50 : 0x7fffff00, is_signed ? 49 : 0x80000040u, 1, 5},
        {kind, is_signed ? 49 : 0x80000040u, is_signed ? -50 : 0x7fffff00, -1, 5},
        {kind, is_long ? -300 : 10, is_long ? -100 : 100, 2, 3}, /* unsigned: near the largest value */
        {kind, is_long && is_signed ? INT64_MIN + 8 : 0,
         is_long && is_signed ? INT64_MIN + (int64_t)1000 * 1000 : 20, is_long && is_signed ? 1000 : 1, 2},
    };
    for (int i = 0; i < MOST_LOOPS; i++)
        results[i] = (struct result){.loop = shapes[i]};
}

static void check_kind(int kind, void (*run)(struct result *, int), int is_signed, int is_long) {
    for (int threads = 1; threads <= 4; threads += threads)
        for (int flags = 0; flags < 4; flags++) {
            set_loops(kind, is_signed, is_long);
            REGION(threads, all_loops, 4, run, (int64_t)0, (int64_t)MOST_LOOPS, (int64_t)flags);
            for (int i = 0; i < MOST_LOOPS; i++)
                check_result(&results[i], threads);
        }
}

/* No iterations: the first request ends the loop. */
static void empty(int32_t *gtid, int32_t *btid) {
    (void)btid;
    int32_t last = 7, low32 = 0, up32 = 0, step32 = 0;
    uint64_t low = 0, up = 0;
    int64_t step = 0;
    for (int i = 0; i < 20; i++) {
        __kmpc_dispatch_init_4(&here, *gtid, DYNAMIC, 1, 0, 1, 1);
        CHECK_EQ(__kmpc_dispatch_next_4(&here, *gtid, &last, &low32, &up32, &step32), 0);
        __kmpc_dispatch_init_8u(&here, *gtid, GUIDED, 5, 3, 1, 1);
        CHECK_EQ(__kmpc_dispatch_next_8u(&here, *gtid, &last, &low, &up, &step), 0);
        __kmpc_dispatch_init_4(&here, *gtid, STATIC, 0, 5, -1, 1);
        CHECK_EQ(__kmpc_dispatch_next_4(&here, *gtid, &last, &low32, &up32, &step32), 0);
    }
}

/* Outside of regions, and for callers that pass NULL for the last flag or the step. */
static void alone(void) {
    int32_t low, up, step, sum = 0, chunks = 0;
    __kmpc_dispatch_init_4(&here, ME, DYNAMIC, 0, 99, 1, 3);
    while (__kmpc_dispatch_next_4(&here, ME, NULL, &low, &up, &step)) {
        for (int i = low; i <= up; i++)
            sum += i;
        chunks++;
    }
    CHECK_EQ(sum, 4950);
    CHECK(chunks >= 1);
}

/* schedule(runtime) follows the program's setting, or the environment's. */
static void at_run_time(void) {
    static const struct {
        omp_sched_t kind;
        int chunk, base;
    } set[] = {{omp_sched_static, 0, STATIC},
               {omp_sched_static, 3, STATIC_CHUNK},
               {omp_sched_dynamic, 4, DYNAMIC},
               {omp_sched_guided, 2, GUIDED}};
    for (size_t s = 0; s < sizeof set / sizeof *set; s++) {
        omp_set_schedule(set[s].kind, set[s].chunk);
        for (int ordered = 0; ordered < 2; ordered++) {
            int kind = ordered ? ORDERED_RUNTIME : RUNTIME | NONMONOTONIC;
            set_loops(kind, 1, 0);
            REGION(3, all_loops, 4, run_4, (int64_t)0, (int64_t)MOST_LOOPS, (int64_t)1);
            for (int i = 0; i < MOST_LOOPS; i++) {
                results[i].loop.kind = set[s].base;
                results[i].loop.chunk = set[s].chunk;
                results[i].small_chunks = 0;
                check_result(&results[i], 3);
            }
        }
    }
}

/* More loops in flight than a runtime has room for: thread 0 lags behind. */
static void many(int32_t *gtid, int32_t *btid, int *sum) {
    for (int l = 0; l < 200; l++) {
        int32_t last, low, up, step;
        if (*btid == 0 && l % 50 == 0)
            busy_work(1, 100000);
        __kmpc_dispatch_init_4(&here, *gtid, DYNAMIC | NONMONOTONIC, 0, 9, 1, 1);
        while (__kmpc_dispatch_next_4(&here, *gtid, &last, &low, &up, &step))
            __atomic_fetch_add(sum, up - low + 1, __ATOMIC_RELAXED);
        if (l % 3 == 0)
            __kmpc_dispatch_deinit(&here, *gtid);
    }
}

int main(void) {
    static const int kinds[] = {STATIC_CHUNK,
                                STATIC,
                                DYNAMIC,
                                GUIDED,
                                AUTO,
                                DYNAMIC | MONOTONIC,
                                DYNAMIC | NONMONOTONIC,
                                GUIDED | MONOTONIC,
                                GUIDED | NONMONOTONIC,
                                AUTO | NONMONOTONIC,
                                ORDERED_STATIC_CHUNK,
                                ORDERED_STATIC,
                                ORDERED_DYNAMIC,
                                ORDERED_GUIDED,
                                ORDERED_AUTO,
                                ORDERED_DYNAMIC | NONMONOTONIC};
    omp_set_dynamic(0);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        check_kind(kinds[k], run_4, 1, 0);
        check_kind(kinds[k], run_4u, 0, 0);
        check_kind(kinds[k], run_8, 1, 1);
        check_kind(kinds[k], run_8u, 0, 1);
    }
    for (int threads = 1; threads <= 3; threads++)
        REGION(threads, empty, 0);
    alone();
    at_run_time();
    int sum = 0;
    REGION(4, many, 1, &sum);
    CHECK_EQ(sum, 2000);
    return check_done("dispatch");
}
