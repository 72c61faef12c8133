/* api_algo_typed.c: typed reductions and scans against plain loops. */
#include "algo.h"

#include <math.h>

#include "../unit/capture.h"

/* Floating-point data are small whole numbers: their sums are exact however they are bracketed. */
#define T int8_t
#define SUM int64_t
#define WRAP uint64_t
#define FROM(x) (int8_t)(x)
#define LEAST INT8_MIN
#define GREATEST INT8_MAX
#define NAME(verb) verb##_i8
#include "algo_typed.h"

#define T uint8_t
#define SUM uint64_t
#define WRAP uint64_t
#define FROM(x) (uint8_t)(x)
#define LEAST 0
#define GREATEST UINT8_MAX
#define NAME(verb) verb##_u8
#include "algo_typed.h"

#define T int16_t
#define SUM int64_t
#define WRAP uint64_t
#define FROM(x) (int16_t)(x)
#define LEAST INT16_MIN
#define GREATEST INT16_MAX
#define NAME(verb) verb##_i16
#include "algo_typed.h"

#define T uint16_t
#define SUM uint64_t
#define WRAP uint64_t
#define FROM(x) (uint16_t)(x)
#define LEAST 0
#define GREATEST UINT16_MAX
#define NAME(verb) verb##_u16
#include "algo_typed.h"

#define T int32_t
#define SUM int64_t
#define WRAP uint64_t
#define ACC uint32_t
#define FROM(x) (int32_t)(x)
#define LEAST INT32_MIN
#define GREATEST INT32_MAX
#define NAME(verb) verb##_i32
#include "algo_typed.h"

#define T uint32_t
#define SUM uint64_t
#define WRAP uint64_t
#define ACC uint32_t
#define FROM(x) (uint32_t)(x)
#define LEAST 0
#define GREATEST UINT32_MAX
#define NAME(verb) verb##_u32
#include "algo_typed.h"

#define T int64_t
#define SUM int64_t
#define WRAP uint64_t
#define ACC uint64_t
#define FROM(x) (int64_t)(x)
#define LEAST INT64_MIN
#define GREATEST INT64_MAX
#define NAME(verb) verb##_i64
#include "algo_typed.h"

#define T uint64_t
#define SUM uint64_t
#define WRAP uint64_t
#define ACC uint64_t
#define FROM(x) (uint64_t)(x)
#define LEAST 0
#define GREATEST UINT64_MAX
#define NAME(verb) verb##_u64
#include "algo_typed.h"

#define T float
#define SUM double
#define WRAP double
#define ACC float
#define FROM(x) ((float)((x) % 64) - 31)
#define LEAST (-INFINITY)
#define GREATEST INFINITY
#define NAME(verb) verb##_f32
#include "algo_typed.h"

#define T double
#define SUM double
#define WRAP double
#define ACC double
#define FROM(x) ((double)((x) % 4096) - 2047)
#define LEAST (-(double)INFINITY)
#define GREATEST ((double)INFINITY)
#define NAME(verb) verb##_f64
#include "algo_typed.h"

#define EVERYWHERE(type)                                                                                     \
    static void type##_is_as_by_a_loop(void **state) {                                                       \
        (void)state;                                                                                         \
        everywhere(test_##type);                                                                             \
    }
EVERYWHERE(i8)
EVERYWHERE(u8)
EVERYWHERE(i16)
EVERYWHERE(u16)
EVERYWHERE(i32)
EVERYWHERE(u32)
EVERYWHERE(i64)
EVERYWHERE(u64)
EVERYWHERE(f32)
EVERYWHERE(f64)

/* All reductions together print one line. */
static void missing_arrays_are_none(void **state) {
    struct capture capture;
    char line[256], more[256];
    (void)state;
    capture_begin(&capture);
    check_missing_arrays_i8(), check_missing_arrays_u8(), check_missing_arrays_i16();
    check_missing_arrays_u16(), check_missing_arrays_i32(), check_missing_arrays_u32();
    check_missing_arrays_i64(), check_missing_arrays_u64();
    check_missing_arrays_f32(), check_missing_arrays_f64();
    capture_next(&capture, line, sizeof line);
    capture_next(&capture, more, sizeof more);
    capture_end(&capture);
    assert_string_equal(line,
                        "blitz: a reduction of an array that is NULL or too long; using an empty array\n");
    assert_string_equal(more, "");
}

static void least_and_greatest_skip_nans(void **state) {
    double values[100];
    float all[40];
    (void)state;
    for (int i = 0; i < 100; i++)
        values[i] = i % 3 == 0 ? (double)NAN : i;
    for (int i = 0; i < 40; i++)
        all[i] = NAN;
    for (size_t count = 2; count <= 100; count++) {
        size_t last = (count - 1) % 3 == 0 ? count - 2 : count - 1;
        assert_true(blitz_min_f64(values, count) == 1);
        assert_true(blitz_max_f64(values, count) == (double)last);
    }
    assert_true(blitz_min_f32(all, 40) == INFINITY);
    assert_true(blitz_max_f32(all, 40) == -INFINITY);
    assert_int_equal(blitz_count_f32(all, 40, NAN), 0);
    assert_true(isnan(blitz_sum_f32(all, 40)));
}

static void small_types_do_not_overflow(void **state) {
    enum { COUNT = 100000 };
    int32_t *values = memory(COUNT * sizeof *values);
    (void)state;
    for (size_t i = 0; i < COUNT; i++)
        values[i] = INT32_MIN;
    assert_int_equal(blitz_sum_i32(values, COUNT), (int64_t)COUNT * INT32_MIN);
    assert_int_equal(blitz_dot_i32(values, values, 1), INT64_C(1) << 62);
    free(values);
}

/* More elements than 32 bits have room for, in one piece. */
static void add_the_ends(void *arg) {
    enum { COUNT = 5000011 };
    static const int64_t ends[] = {INT8_MIN, UINT8_MAX, INT16_MIN, UINT16_MAX};
    void *memory_of_all = memory(COUNT * sizeof(uint16_t));
    int8_t *i8 = memory_of_all;
    uint8_t *u8 = memory_of_all;
    int16_t *i16 = memory_of_all;
    uint16_t *u16 = memory_of_all;
    (void)arg;
    memset(i8, INT8_MIN, COUNT);
    assert_int_equal(blitz_sum_i8(i8, COUNT), COUNT * ends[0]);
    assert_int_equal(blitz_dot_i8(i8, i8, COUNT), COUNT * ends[0] * ends[0]);
    assert_int_equal(blitz_count_i8(i8, COUNT, INT8_MIN), COUNT);
    memset(u8, UINT8_MAX, COUNT);
    assert_int_equal(blitz_sum_u8(u8, COUNT), COUNT * ends[1]);
    assert_int_equal(blitz_dot_u8(u8, u8, COUNT), COUNT * ends[1] * ends[1]);
    assert_int_equal(blitz_count_u8(u8, COUNT, UINT8_MAX), COUNT);
    for (size_t i = 0; i < COUNT; i++)
        i16[i] = INT16_MIN;
    assert_int_equal(blitz_sum_i16(i16, COUNT), COUNT * ends[2]);
    assert_int_equal(blitz_dot_i16(i16, i16, COUNT), COUNT * ends[2] * ends[2]);
    assert_int_equal(blitz_count_i16(i16, COUNT, INT16_MIN), COUNT);
    memset(u16, 0xff, COUNT * sizeof *u16);
    assert_int_equal(blitz_sum_u16(u16, COUNT), COUNT * ends[3]);
    assert_int_equal(blitz_dot_u16(u16, u16, COUNT), COUNT * ends[3] * ends[3]);
    assert_int_equal(blitz_count_u16(u16, COUNT, UINT16_MAX), COUNT);
    free(memory_of_all);
}

static void long_arrays_of_small_types_do_not_overflow(void **state) {
    blitz_pool *pool;
    const blitz_config config = {.flags = BLITZ_POOL_SERIAL};
    (void)state;
    assert_int_equal(blitz_pool_create(&config, &pool), 0);
    assert_int_equal(blitz_call(pool, add_the_ends, NULL), 0);
    assert_int_equal(blitz_pool_destroy(pool), 0);
    add_the_ends(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(i8_is_as_by_a_loop),
        cmocka_unit_test(u8_is_as_by_a_loop),
        cmocka_unit_test(i16_is_as_by_a_loop),
        cmocka_unit_test(u16_is_as_by_a_loop),
        cmocka_unit_test(i32_is_as_by_a_loop),
        cmocka_unit_test(u32_is_as_by_a_loop),
        cmocka_unit_test(i64_is_as_by_a_loop),
        cmocka_unit_test(u64_is_as_by_a_loop),
        cmocka_unit_test(f32_is_as_by_a_loop),
        cmocka_unit_test(f64_is_as_by_a_loop),
        cmocka_unit_test(missing_arrays_are_none),
        cmocka_unit_test(least_and_greatest_skip_nans),
        cmocka_unit_test(small_types_do_not_overflow),
        cmocka_unit_test(long_arrays_of_small_types_do_not_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
