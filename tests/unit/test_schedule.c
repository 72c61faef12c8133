/* test_schedule.c: schedule.h compared with plain loops, which count in 128 bits and so never overflow. */
#include "omp/icv/schedule.h"

#include "../asserts.h"

typedef __int128 wide;

#define SPOTS(array) (sizeof(array) / sizeof *(array))

/* Whether `count` is the number of iterations of: for (i = start; i before end; i += step). */
static bool is_trip_count(wide start, wide end, wide step, uint64_t count) {
    bool up = step > 0;
    wide last = start + ((wide)count - 1) * step, after = start + (wide)count * step;
    if (step == 0)
        return count == 0;
    return (count == 0 || (up ? last < end : last > end)) && (up ? after >= end : after <= end);
}

static void check_signed(int64_t start, int64_t end, int64_t step) {
    struct bomp_loop loop;
    bomp_loop_signed(&loop, start, end, step);
    assert_true(is_trip_count(start, end, step, loop.count));
    assert_true(loop.base == (uint64_t)start && loop.end == (uint64_t)end);
    for (uint64_t i = 0; i < loop.count && i < 40; i++)
        assert_true((wide)(int64_t)(loop.base + i * loop.step) == start + (wide)i * step);
    if (loop.count > 0)
        assert_true((wide)(int64_t)(loop.base + (loop.count - 1) * loop.step) ==
                    start + (wide)(loop.count - 1) * step);
}

/* A downward step is a negative number in two's complement. */
static void check_unsigned(bool up, uint64_t start, uint64_t end, uint64_t step) {
    struct bomp_loop loop;
    wide real_step = up ? (wide)step : -(wide)-step;
    bomp_loop_unsigned(&loop, up, start, end, step);
    assert_true(is_trip_count(start, end, real_step, loop.count));
    assert_true(loop.base == start && loop.end == end);
    for (uint64_t i = 0; i < loop.count && i < 40; i++)
        assert_true((wide)(loop.base + i * loop.step) == start + (wide)i * real_step);
    if (loop.count > 0)
        assert_true((wide)(loop.base + (loop.count - 1) * loop.step) ==
                    start + (wide)(loop.count - 1) * real_step);
}

static void small_loops_have_all_iterations(void **state) {
    (void)state;
    for (int start = -9; start <= 9; start++)
        for (int end = -9; end <= 9; end++)
            for (int step = -7; step <= 7; step++)
                check_signed(start, end, step);
    for (unsigned start = 0; start <= 15; start++)
        for (unsigned end = 0; end <= 15; end++)
            for (unsigned step = 0; step <= 7; step++) {
                check_unsigned(true, start, end, step);
                check_unsigned(false, start, end, -(uint64_t)step);
            }
}

static void loops_reach_the_ends_of_their_type(void **state) {
    (void)state;
    static const int64_t ends[] = {INT64_MIN, INT64_MIN + 1, INT64_MIN / 2, -3,       -1, 0, 1,
                                   2,         INT64_MAX / 2, INT64_MAX - 1, INT64_MAX};
    for (size_t a = 0; a < SPOTS(ends); a++)
        for (size_t b = 0; b < SPOTS(ends); b++)
            for (size_t c = 0; c < SPOTS(ends); c++) {
                check_signed(ends[a], ends[b], ends[c]);
                check_unsigned(true, (uint64_t)ends[a], (uint64_t)ends[b], (uint64_t)ends[c]);
                check_unsigned(false, (uint64_t)ends[a], (uint64_t)ends[b], (uint64_t)ends[c]);
            }
    struct bomp_loop loop;
    bomp_loop_signed(&loop, INT64_MIN, INT64_MAX, 1);
    assert_true(loop.count == UINT64_MAX);
    bomp_loop_unsigned(&loop, false, UINT64_MAX, 0, (uint64_t)-1);
    assert_true(loop.count == UINT64_MAX);
}

/* GCC passes a step that has lost its sign for downward loops over small unsigned variables. libgomp runs nothing. */
static void a_lost_sign_makes_no_iterations(void **state) {
    (void)state;
    struct bomp_loop loop;
    bomp_loop_signed(&loop, 100, 0, 4294967293);
    assert_true(loop.count == 0);
}

static const uint64_t counts[] = {0,         1, 2, 3, 7, 8, 9, 40, UINT32_MAX, UINT64_MAX / 2, UINT64_MAX - 1,
                                  UINT64_MAX};

static void chunks_cover_the_loop(void **state) {
    (void)state;
    static const uint64_t sizes[] = {1, 2, 3, 8, 41, UINT32_MAX, UINT64_MAX / 2, UINT64_MAX - 1, UINT64_MAX};
    for (size_t c = 0; c < SPOTS(counts); c++)
        for (size_t s = 0; s < SPOTS(sizes); s++) {
            uint64_t count = counts[c], size = sizes[s], n = bomp_schedule_chunks(count, size);
            assert_true((wide)n * size >= count);
            assert_true(n == 0 ? count == 0 : (wide)(n - 1) * size < count);
            for (uint64_t i = 0; i < n && i < 50; i++) {
                struct bomp_part part = bomp_schedule_chunk(count, size, i);
                assert_true(part.first == i * size);
                assert_true(part.last - part.first == (i + 1 < n ? size : count - part.first));
            }
            if (n > 0) {
                struct bomp_part part = bomp_schedule_chunk(count, size, n - 1);
                assert_true(part.first == (n - 1) * size && part.last == count);
            }
        }
}

static void shares_are_even(void **state) {
    (void)state;
    for (size_t c = 0; c < SPOTS(counts); c++)
        for (unsigned size = 1; size <= 9; size++) {
            uint64_t next = 0;
            for (unsigned num = 0; num < size; num++) {
                struct bomp_part part = bomp_schedule_share(counts[c], num, size);
                assert_true(part.first == next);
                assert_true(part.last - part.first == counts[c] / size + (num < counts[c] % size));
                next = part.last;
            }
            assert_true(next == counts[c]);
        }
}

static void guided_chunks_shrink(void **state) {
    (void)state;
    static const uint64_t least[] = {1, 2, 7, 1000, UINT64_MAX};
    for (size_t c = 0; c < SPOTS(counts); c++)
        for (size_t l = 0; l < SPOTS(least); l++)
            for (unsigned size = 2; size <= 9; size++) {
                uint64_t left = counts[c], before = UINT64_MAX;
                for (unsigned steps = 0; left > 0; steps++) {
                    uint64_t n = bomp_schedule_guided(left, least[l], size);
                    uint64_t share = left / size + (left % size != 0);
                    assert_true(n >= 1 && n <= left && n <= before);
                    assert_true(n == (share > least[l] ? share : least[l]) || n == left);
                    assert_true(steps < 2000);
                    left -= n;
                    before = n;
                }
            }
}

static void the_last_chunk_ends_with_the_loop(void **state) {
    (void)state;
    struct bomp_loop loop;
    bomp_loop_signed(&loop, INT64_MAX - 7, INT64_MAX,
                     5); /* two iterations; the value after them does not fit */
    assert_int_equal(loop.count, 2);
    struct bomp_span span = bomp_schedule_span(&loop, (struct bomp_part){0, 1});
    assert_true(span.first == INT64_MAX - 7 && span.end == INT64_MAX - 2);
    span = bomp_schedule_span(&loop, (struct bomp_part){1, 2});
    assert_true(span.first == INT64_MAX - 2 && span.end == INT64_MAX);
}

static void schedules_resolve(void **state) {
    (void)state;
    const uint32_t mono = BOMP_LOOP_MONOTONIC, ord = BOMP_LOOP_ORDERED, balanced = BOMP_LOOP_BALANCED;
    static const struct {
        uint32_t said;
        uint64_t chunk;
        uint32_t icv;
        int32_t icv_chunk;
        uint32_t schedule;
        uint64_t becomes;
    } rows[] = {
        {BOMP_LOOP_STATIC, 0, BOMP_LOOP_DYNAMIC, 9, BOMP_LOOP_STATIC, 0},
        {BOMP_LOOP_STATIC, 4, BOMP_LOOP_DYNAMIC, 9, BOMP_LOOP_STATIC, 4},
        {BOMP_LOOP_DYNAMIC | mono, 0, BOMP_LOOP_STATIC, 9, BOMP_LOOP_DYNAMIC | mono, 1},
        {BOMP_LOOP_GUIDED, UINT64_MAX, BOMP_LOOP_STATIC, 9, BOMP_LOOP_GUIDED, UINT64_MAX},
        {BOMP_LOOP_AUTO, 5, BOMP_LOOP_DYNAMIC, 9, BOMP_LOOP_STATIC, 0},
        {BOMP_LOOP_AUTO | balanced, 5, BOMP_LOOP_DYNAMIC, 9, BOMP_LOOP_AUTO | balanced, 1},
        {BOMP_LOOP_AUTO | balanced | ord, 0, BOMP_LOOP_DYNAMIC, 9, BOMP_LOOP_STATIC | balanced | ord, 0},
        {BOMP_LOOP_AUTO | balanced | mono, 0, BOMP_LOOP_DYNAMIC, 9, BOMP_LOOP_STATIC | balanced | mono, 0},
        {BOMP_LOOP_RUNTIME | balanced, 5, BOMP_LOOP_AUTO, 9, BOMP_LOOP_AUTO | balanced, 1},
        {BOMP_LOOP_RUNTIME | balanced, 5, BOMP_LOOP_DYNAMIC, 9, BOMP_LOOP_DYNAMIC | balanced, 9},
        {BOMP_LOOP_RUNTIME, 5, BOMP_LOOP_DYNAMIC, 9, BOMP_LOOP_DYNAMIC, 9},
        {BOMP_LOOP_RUNTIME | mono, 0, BOMP_LOOP_GUIDED, 0, BOMP_LOOP_GUIDED | mono, 1},
        {BOMP_LOOP_RUNTIME, 5, BOMP_LOOP_STATIC | mono, 0, BOMP_LOOP_STATIC | mono, 0},
        {BOMP_LOOP_RUNTIME | ord, 5, BOMP_LOOP_AUTO, 7, BOMP_LOOP_STATIC | ord, 0},
    };
    for (size_t i = 0; i < SPOTS(rows); i++) {
        struct bomp_loop loop = {.schedule = rows[i].said, .chunk = rows[i].chunk};
        struct bomp_icv icv = {.sched = rows[i].icv, .chunk = rows[i].icv_chunk};
        bomp_schedule_resolve(&loop, &icv);
        assert_int_equal(loop.schedule, rows[i].schedule);
        assert_true(loop.chunk == rows[i].becomes);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_loops_have_all_iterations),
        cmocka_unit_test(loops_reach_the_ends_of_their_type),
        cmocka_unit_test(a_lost_sign_makes_no_iterations),
        cmocka_unit_test(chunks_cover_the_loop),
        cmocka_unit_test(shares_are_even),
        cmocka_unit_test(guided_chunks_shrink),
        cmocka_unit_test(the_last_chunk_ends_with_the_loop),
        cmocka_unit_test(schedules_resolve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
