/* api_algo_map.c: maps, fills, gathers, scatters and histograms against plain loops. */
#include "algo.h"

static int square(const void *in, void *out, void *ctx) {
    uint64_t x = *(const uint32_t *)in, y = x * x + *(uint64_t *)ctx;
    memcpy(out, &y, sizeof y);
    return 0;
}

static int negate_until(const void *in, void *out, void *ctx) {
    int32_t x = *(const int32_t *)in;
    *(int32_t *)out = -x;
    return x == *(int32_t *)ctx ? x : 0;
}

static void map(void) {
    uint32_t *in = memory(MOST * sizeof *in);
    uint64_t *out = memory(MOST * sizeof *out), seed = 6, plus = 11;
    for (size_t i = 0; i < MOST; i++)
        in[i] = (uint32_t)random_next(&seed);
    for (size_t s = 0; s < SIZES; s += NEXT_SIZE) {
        assert_int_equal(blitz_map(in, sizeof *in, out, sizeof *out, sizes[s], square, &plus), 0);
        for (size_t i = 0; i < sizes[s]; i++)
            assert_int_equal(out[i], (uint64_t)in[i] * in[i] + 11);
    }
    int32_t *numbers = (int32_t *)in, stop = 777;
    for (int32_t i = 0; i < MOST; i++)
        numbers[i] = i;
    assert_int_equal(blitz_map(numbers, 4, numbers, 4, MOST, negate_until, &stop), 777);
    assert_int_equal(numbers[777], -777);
    free(in), free(out);
}

static void maps_are_as_loops(void **state) {
    (void)state;
    everywhere(map);
    assert_int_equal(blitz_map(state, 1, state, 1, 1, NULL, NULL), EINVAL);
    assert_int_equal(blitz_map(NULL, 1, state, 1, 1, square, NULL), EINVAL);
    assert_int_equal(blitz_map(state, 0, state, 1, 1, square, NULL), EINVAL);
    assert_int_equal(blitz_map(state, 1, state, 8, SIZE_MAX / 4, square, NULL), EINVAL);
}

static int multiply(const void *a, const void *b, void *out, void *ctx) {
    uint64_t product = (uint64_t) * (const uint32_t *)a * *(const uint16_t *)b;
    if (product == *(uint64_t *)ctx)
        return 5;
    memcpy(out, &product, sizeof product);
    return 0;
}

static int subtract(const void *a, const void *b, void *out, void *ctx) {
    (void)ctx;
    *(int32_t *)out = *(const int32_t *)a - *(const int32_t *)b;
    return 0;
}

static void transform(void) {
    uint32_t *a = memory(MOST * sizeof *a);
    uint16_t *b = memory(MOST * sizeof *b);
    uint64_t *out = memory(MOST * sizeof *out), seed = 8, never = UINT64_MAX, zero = 0;
    for (size_t i = 0; i < MOST; i++) {
        a[i] = 1 + (uint32_t)random_next(&seed) % 1000000;
        b[i] = (uint16_t)(1 + i % 60000);
    }
    for (size_t s = 0; s < SIZES; s += NEXT_SIZE) {
        assert_int_equal(blitz_transform(a, 4, b, 2, out, 8, sizes[s], multiply, &never), 0);
        for (size_t i = 0; i < sizes[s]; i++)
            assert_int_equal(out[i], (uint64_t)a[i] * b[i]);
    }
    b[700] = 0;
    assert_int_equal(blitz_transform(a, 4, b, 2, out, 8, MOST, multiply, &zero), 5);
    int32_t *numbers = (int32_t *)a; /* onto the second one */
    for (int32_t i = 0; i < MOST; i++)
        numbers[i] = 3 * i, ((int32_t *)out)[i] = i;
    assert_int_equal(blitz_transform(numbers, 4, out, 4, out, 4, MOST, subtract, NULL), 0);
    for (int32_t i = 0; i < MOST; i++)
        assert_int_equal(((int32_t *)out)[i], 2 * i);
    free(a), free(b), free(out);
}

static void transforms_are_as_loops(void **state) {
    (void)state;
    everywhere(transform);
    assert_int_equal(blitz_transform(state, 4, state, 4, state, 4, 1, NULL, NULL), EINVAL);
    assert_int_equal(blitz_transform(NULL, 4, state, 4, state, 4, 1, subtract, NULL), EINVAL);
    assert_int_equal(blitz_transform(state, 4, NULL, 4, state, 4, 1, subtract, NULL), EINVAL);
    assert_int_equal(blitz_transform(state, 4, state, 0, state, 4, 1, subtract, NULL), EINVAL);
    assert_int_equal(blitz_transform(state, 4, state, 4, NULL, 4, 1, subtract, NULL), EINVAL);
    assert_int_equal(blitz_transform(state, 4, state, 4, state, 4, SIZE_MAX, subtract, NULL), EINVAL);
    assert_int_equal(blitz_transform(NULL, 4, NULL, 4, NULL, 4, 0, subtract, NULL), 0);
}

static void fill(void) {
    static const size_t item_sizes[] = {1, 3, 4, 8, 24, 5000, 40000};
    unsigned char *to = memory(MOST + 1), value[40000];
    for (size_t i = 0; i < sizeof value; i++)
        value[i] = (unsigned char)(i * 7 + i / 256);
    for (int z = 0; z < 7; z++)
        for (size_t s = 0; s < SIZES; s += NEXT_SIZE) {
            size_t size = item_sizes[z], count = sizes[s] / size;
            memset(to, 0xee, count * size + 1);
            assert_int_equal(blitz_fill(to, count, size, value), 0);
            for (size_t i = 0; i < count; i++)
                if (memcmp(to + i * size, value, size) != 0)
                    fail_msg("element %zu of %zu of size %zu", i, count, size);
            assert_int_equal(to[count * size], 0xee);
        }
    free(to);
}

static void fills_reach_everything_and_no_more(void **state) {
    (void)state;
    everywhere(fill);
    assert_int_equal(blitz_fill(NULL, 1, 1, state), EINVAL);
    assert_int_equal(blitz_fill(state, 1, 0, state), EINVAL);
    assert_int_equal(blitz_fill(state, SIZE_MAX, 8, state), EINVAL);
    assert_int_equal(blitz_fill(state, 0, 1, NULL), EINVAL);
}

/* A permutation there and back; then with an index too many. */
static void move(size_t count, size_t size, size_t *index, const char *in, char *there, char *back) {
    memset(there, 0, count * size);
    memset(back, 0, count * size);
    assert_int_equal(blitz_scatter(in, index, count, size, there, count), 0);
    assert_int_equal(blitz_gather(there, count, size, index, count, back), 0);
    assert_memory_equal(back, in, count * size);
    for (size_t i = 0; i < count; i += 1 + count / 100)
        assert_memory_equal(there + index[i] * size, in + i * size, size);
    if (count > 0) {
        assert_int_equal(blitz_scatter(in, index, count, size, there, count - 1), ERANGE);
        assert_int_equal(blitz_gather(in, count - 1, size, index, count, back), ERANGE);
    }
}

static void move_all(void) {
    static const size_t item_sizes[] = {1, 4, 8, 16, 20};
    char *in = memory(20 * MOST), *there = memory(20 * MOST), *back = memory(20 * MOST);
    size_t *index = memory(MOST * sizeof *index);
    uint64_t seed = 8;
    for (size_t i = 0; i < 20 * MOST; i++)
        in[i] = (char)random_next(&seed);
    for (size_t s = 0; s < SIZES; s += NEXT_SIZE) {
        for (size_t i = 0; i < sizes[s]; i++) {
            size_t j = random_next(&seed) % (i + 1);
            index[i] = index[j];
            index[j] = i;
        }
        move(sizes[s], item_sizes[s % 5], index, in, there, back);
    }
    free(in), free(there), free(back), free(index);
}

static void elements_go_where_they_should(void **state) {
    size_t index = 0;
    (void)state;
    everywhere(move_all);
    assert_int_equal(blitz_gather(state, 1, 1, NULL, 1, state), EINVAL);
    assert_int_equal(blitz_scatter(state, NULL, 1, 1, state, 1), EINVAL);
    assert_int_equal(blitz_gather(state, 1, 1, &index, SIZE_MAX / 4, state), EINVAL);
    assert_int_equal(blitz_gather(state, SIZE_MAX, 8, &index, 1, state), EINVAL);
    assert_int_equal(blitz_scatter(state, &index, SIZE_MAX / 8, 64, state, 1), EINVAL);
    assert_int_equal(blitz_scatter(state, &index, 1, 8, state, SIZE_MAX), EINVAL);
    assert_int_equal(blitz_gather(NULL, 0, SIZE_MAX / 4 + 1, NULL, 0, NULL),
                     0); /* no elements, of any size */
}

static void histogram(void) {
    static const size_t bins[] = {1, 2, 256, 5000, 100000};
    uint32_t *keys = memory(MOST * sizeof *keys);
    uint64_t *counts = memory(100000 * sizeof *counts), *expected = memory(100000 * sizeof *counts), seed = 9;
    for (int b = 0; b < 5; b++) {
        for (size_t i = 0; i < MOST; i++)
            keys[i] = (uint32_t)(random_next(&seed) % bins[b]);
        for (size_t s = 0; s < SIZES; s += NEXT_SIZE) {
            memset(expected, 0, bins[b] * sizeof *expected);
            for (size_t i = 0; i < sizes[s]; i++)
                expected[keys[i]]++;
            memset(counts, 0x55, bins[b] * sizeof *counts);
            assert_int_equal(blitz_histogram_u32(keys, sizes[s], bins[b], counts), 0);
            assert_memory_equal(counts, expected, bins[b] * sizeof *counts);
        }
    }
    keys[MOST / 3] = 100000;
    assert_int_equal(blitz_histogram_u32(keys, MOST, 100000, counts), ERANGE);
    assert_memory_equal(counts, expected, 100000 * sizeof *counts);
    free(keys), free(counts), free(expected);
}

static void histograms_count_all(void **state) {
    uint64_t counts[1] = {7};
    uint32_t key = 0;
    (void)state;
    everywhere(histogram);
    assert_int_equal(blitz_histogram_u32(&key, SIZE_MAX, 1, counts), EINVAL);
    assert_int_equal(blitz_histogram(0, 1, 1, counts, NULL, NULL), EINVAL);
    assert_int_equal(blitz_histogram_u32(NULL, 1, 1, counts), EINVAL);
    assert_int_equal(blitz_histogram_u32(NULL, 0, 0, counts), EINVAL);
    assert_int_equal(blitz_histogram_u32(NULL, 0, SIZE_MAX, counts), ENOMEM);
    assert_int_equal(counts[0], 7);
    assert_int_equal(blitz_histogram_u32(NULL, 0, 1, counts), 0);
    assert_int_equal(counts[0], 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps_are_as_loops),
        cmocka_unit_test(transforms_are_as_loops),
        cmocka_unit_test(fills_reach_everything_and_no_more),
        cmocka_unit_test(elements_go_where_they_should),
        cmocka_unit_test(histograms_count_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
