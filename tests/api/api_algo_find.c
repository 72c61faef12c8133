/* api_algo_find.c: searches: their results, and how many elements they read. */
#include "algo.h"

#include "../unit/capture.h"

static int is_set(const void *elem, void *ctx) {
    (void)ctx;
    return *(const char *)elem != 0;
}

/* All searches of `flags`, whose first and last match are known; count: none. */
static void check(const char *flags, size_t count, size_t first, size_t last) {
    size_t any = blitz_find_any(flags, count, 1, is_set, NULL);
    assert_int_equal(blitz_find_first(flags, count, 1, is_set, NULL), first);
    assert_int_equal(blitz_find_last(flags, count, 1, is_set, NULL), last);
    if (first == count)
        assert_int_equal(any, count);
    else
        assert_true(any < count && flags[any]);
    assert_int_equal(blitz_any(flags, count, 1, is_set, NULL), first < count);
}

/* One match at each kind of place, then many behind it. */
static void find_where_it_is(void) {
    char *flags = memory(MOST);
    uint64_t seed = 2;
    memset(flags, 0, MOST);
    for (size_t s = 0; s < SIZES; s += NEXT_SIZE) {
        size_t count = sizes[s],
               places[] = {0, 1, count / 3, count / 2, count - 1, random_next(&seed), random_next(&seed)};
        check(flags, count, count, count);
        for (size_t p = 0; count > 0 && p < sizeof places / sizeof *places; p++) {
            size_t first = places[p] % count, second = first + random_next(&seed) % (count - first);
            flags[first] = 1;
            check(flags, count, first, first);
            flags[second] = 1;
            check(flags, count, first, second);
            for (int i = 0; i < 10; i++)
                flags[first + random_next(&seed) % (second - first + 1)] = 1;
            check(flags, count, first, second);
            memset(flags + first, 0, second - first + 1);
        }
    }
    free(flags);
}

static void searches_find_the_right_one(void **state) {
    (void)state;
    everywhere(find_where_it_is);
}

static int is_odd(const void *elem, void *ctx) {
    (void)ctx;
    return *(const uint64_t *)elem & 1;
}

static void count_and_judge(void) {
    uint64_t *values = memory(MOST * sizeof *values), seed = 3;
    for (size_t i = 0; i < MOST; i++)
        values[i] = random_next(&seed);
    for (size_t s = 0; s < SIZES; s += NEXT_SIZE) {
        size_t count = sizes[s], odd = 0;
        for (size_t i = 0; i < count; i++)
            odd += values[i] & 1;
        assert_int_equal(blitz_count_if(values, count, sizeof *values, is_odd, NULL), odd);
        assert_int_equal(blitz_all(values, count, sizeof *values, is_odd, NULL), odd == count);
    }
    for (size_t i = 0; i < MOST; i++)
        values[i] |= 1;
    assert_int_equal(blitz_all(values, MOST, sizeof *values, is_odd, NULL), 1);
    values[MOST - 1] = 0;
    assert_int_equal(blitz_all(values, MOST, sizeof *values, is_odd, NULL), 0);
    assert_int_equal(blitz_all(values, MOST - 1, sizeof *values, is_odd, NULL), 1);
    free(values);
}

static void matches_are_counted(void **state) {
    (void)state;
    everywhere(count_and_judge);
}

/* ---- ranges ---- */

struct hunt {
    size_t from, match; /* match: the only one */
    size_t grain;       /* of a search from the front; 0: of another */
    size_t calls, most; /* calls, and the largest range of them */
};

static size_t hunt_seek(size_t lo, size_t hi, void *ctx) {
    struct hunt *hunt = ctx;
    assert_true(lo < hi && lo >= hunt->from);
    assert_true(hunt->grain == 0 || (lo - hunt->from) % hunt->grain == 0);
    __atomic_fetch_add(&hunt->calls, hi - lo, __ATOMIC_RELAXED);
    size_t most = __atomic_load_n(&hunt->most, __ATOMIC_RELAXED);
    while (hi - lo > most &&
           !__atomic_compare_exchange_n(&hunt->most, &most, hi - lo, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        continue;
    return lo <= hunt->match && hunt->match < hi ? hunt->match : hi;
}

static void seek_ranges(void) {
    static const size_t starts[] = {0, 5, SIZE_MAX - 20000};
    static const size_t grains[] = {0, 1, 7, 3000};
    for (int s = 0; s < 3; s++)
        for (int g = 0; g < 4; g++)
            for (size_t at = 0; at <= 20000; at += 1 + at / 2) {
                size_t lo = starts[s], hi = lo + 20000;
                struct hunt last = {lo, lo + at, 0, 0, 0}, first = last, any;
                first.grain = grains[g];
                any = first;
                assert_int_equal(blitz_seek_first(lo, hi, grains[g], hunt_seek, &first), lo + at);
                assert_int_equal(blitz_seek_last(lo, hi, grains[g], hunt_seek, &last), lo + at);
                assert_int_equal(blitz_seek_any(lo, hi, grains[g], hunt_seek, &any), lo + at);
                assert_true(first.most <= 16384);
                if (at == 20000) /* no match: each index is read once */
                    assert_true(first.calls == 20000 && last.calls == 20000 && any.calls == 20000);
            }
}

static void ranges_are_searched(void **state) {
    struct hunt none = {0, 0, 0, 0, 0};
    (void)state;
    everywhere(seek_ranges);
    assert_int_equal(blitz_seek_first(9, 9, 0, hunt_seek, &none), 9);
    assert_int_equal(blitz_seek_last(9, 3, 0, hunt_seek, &none), 3);
    assert_int_equal(none.calls, 0);
}

/* How many of the first 2^64 - 1 indices a search for a match at `at` reads: from the front, or from the back. */
static size_t calls_for(size_t at, int front) {
    struct hunt hunt = {0, front ? at : SIZE_MAX - 1 - at, 0, 0, 0};
    size_t found = front ? blitz_seek_first(0, SIZE_MAX, 0, hunt_seek, &hunt)
                         : blitz_seek_last(0, SIZE_MAX, 0, hunt_seek, &hunt);
    assert_int_equal(found, hunt.match);
    return hunt.calls;
}

/* From its end on, and little beyond the match: each other worker has a block, and may take another one before it
 * learns of the match. More blocks are read only while the worker with the match has no CPU: not many times in a
 * row. */
static void seek_no_farther(void) {
    enum { WORKERS = 4, TRIES = 100 };
    for (size_t at = 0; at < 100000000; at = at * 3 + 1)
        for (int front = 0; front <= 1; front++) {
            size_t most = 2 * (at + 1) + 2 * WORKERS * 65536;
            int tries = 1;
            while (calls_for(at, front) > most)
                assert_true(tries++ < TRIES);
        }
}

static void searches_stop_early(void **state) {
    blitz_pool *pool;
    const blitz_config config = {.workers = 4};
    algo_test *test = seek_no_farther;
    (void)state;
    assert_int_equal(blitz_pool_create(&config, &pool), 0);
    assert_int_equal(blitz_call(pool, algo_call, &test), 0);
    assert_int_equal(blitz_pool_destroy(pool), 0);
}

static size_t lie(size_t lo, size_t hi, void *ctx) {
    (void)hi;
    return lo + *(size_t *)ctx; /* beyond the range, or before it */
}

static void a_match_outside_of_the_range_is_none(void **state) {
    size_t far = 1000000, before = (size_t)-1;
    (void)state;
    assert_int_equal(blitz_seek_first(10, 1000, 0, lie, &far), 1000);
    assert_int_equal(blitz_seek_last(10, 1000, 0, lie, &far), 1000);
    assert_int_equal(blitz_seek_first(10, 1000, 0, lie, &before), 1000);
    assert_int_equal(blitz_seek_last(10, 1000, 0, lie, &before), 1000);
}

/* All bad searches together print one line of each kind. */
static void bad_searches_find_nothing(void **state) {
    struct capture capture;
    char line[256], more[256];
    (void)state;
    capture_begin(&capture);
    assert_int_equal(blitz_find_first("abc", 3, 1, NULL, NULL), 3);
    assert_int_equal(blitz_find_last(NULL, 3, 1, is_set, NULL), 3);
    assert_int_equal(blitz_find_any("abc", 3, 0, is_set, NULL), 3);
    assert_int_equal(blitz_any("abc", 3, 1, NULL, NULL), 0);
    assert_int_equal(blitz_count_if("abc", 3, 1, NULL, NULL), 0);
    assert_int_equal(blitz_count_if("abc", SIZE_MAX, 8, is_set, NULL), 0);
    assert_int_equal(blitz_find_first("abc", SIZE_MAX / 2 + 1, 1, is_set, NULL), SIZE_MAX / 2 + 1);
    assert_int_equal(blitz_all("abc", SIZE_MAX, 8, is_set, NULL), 1);
    capture_next(&capture, line, sizeof line);
    assert_string_equal(
        line,
        "blitz: a search with a NULL predicate, or an array that is NULL or too long; nothing is found\n");
    assert_int_equal(blitz_seek_first(2, 7, 0, NULL, NULL), 7);
    assert_int_equal(blitz_seek_any(2, 7, 0, NULL, NULL), 7);
    capture_next(&capture, line, sizeof line);
    assert_string_equal(line, "blitz: blitz_seek: the function is NULL; nothing is found\n");
    capture_next(&capture, more, sizeof more);
    capture_end(&capture);
    assert_string_equal(more, "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(searches_find_the_right_one),
        cmocka_unit_test(matches_are_counted),
        cmocka_unit_test(ranges_are_searched),
        cmocka_unit_test(searches_stop_early),
        cmocka_unit_test(a_match_outside_of_the_range_is_none),
        cmocka_unit_test(bad_searches_find_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
