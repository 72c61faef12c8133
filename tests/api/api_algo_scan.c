/* api_algo_scan.c: scans and filters against plain loops. */
#include "algo.h"

/* ---- x -> a x + b modulo 2^32, one after the other: associative, and the order matters ---- */

struct affine {
    uint32_t a, b;
};

static const struct affine same = {1, 0};

static void then(void *left, const void *right, void *ctx) {
    struct affine *l = left;
    const struct affine *r = right;
    (void)ctx;
    l->b = l->b * r->a + r->b;
    l->a = l->a * r->a;
}

static const blitz_monoid affine = {sizeof(struct affine), &same, then};

static void check_affine(const struct affine *in, struct affine *out, struct affine *place, size_t count) {
    struct affine sum = same;
    memcpy(place, in, count * sizeof *in);
    assert_int_equal(blitz_inclusive_scan(in, out, count, &affine, NULL), 0);
    assert_int_equal(blitz_inclusive_scan(place, place, count, &affine, NULL), 0);
    for (size_t i = 0; i < count; i++) {
        then(&sum, &in[i], NULL);
        assert_memory_equal(&out[i], &sum, sizeof sum);
    }
    assert_memory_equal(place, out, count * sizeof *out);
    memcpy(place, in, count * sizeof *in);
    assert_int_equal(blitz_exclusive_scan(in, out, count, &affine, NULL), 0);
    assert_int_equal(blitz_exclusive_scan(place, place, count, &affine, NULL), 0);
    sum = same;
    for (size_t i = 0; i < count; i++) {
        assert_memory_equal(&out[i], &sum, sizeof sum);
        then(&sum, &in[i], NULL);
    }
    assert_memory_equal(place, out, count * sizeof *out);
}

static void scan_affine(void) {
    struct affine *in = memory(MOST * sizeof *in), *out = memory(MOST * sizeof *out),
                  *place = memory(MOST * sizeof *place);
    uint64_t seed = 4;
    for (size_t i = 0; i < MOST; i++)
        in[i] = (struct affine){(uint32_t)random_next(&seed) | 1, (uint32_t)random_next(&seed)};
    for (size_t s = 0; s < SIZES; s += NEXT_SIZE)
        check_affine(in, out, place, sizes[s]);
    free(in), free(out), free(place);
}

static void operands_keep_their_order(void **state) {
    (void)state;
    everywhere(scan_affine);
}

/* ---- values of other sizes: matrices of 2 x 2 and of 4 x 4 numbers, and single bytes ---- */

static void times(void *left, const void *right, void *ctx) {
    size_t n = *(size_t *)ctx;
    uint64_t product[16] = {0}, *l = left;
    const uint64_t *r = right;
    for (size_t i = 0; i < n * n; i++)
        for (size_t k = 0; k < n; k++)
            product[i] += l[i / n * n + k] * r[k * n + i % n];
    memcpy(left, product, n * n * sizeof *product);
}

static void scan_matrices(size_t n) {
    enum { COUNT = 20011 };
    size_t cells = n * n, size = cells * sizeof(uint64_t);
    uint64_t *in = memory(COUNT * size), *out = memory(COUNT * size), one[16] = {0}, sum[16], seed = n;
    const blitz_monoid op = {size, one, times};
    for (size_t i = 0; i < COUNT * cells; i++)
        in[i] = random_next(&seed);
    for (size_t i = 0; i < n; i++)
        one[i * n + i] = 1;
    memcpy(sum, one, size);
    assert_int_equal(blitz_exclusive_scan(in, out, COUNT, &op, &n), 0);
    for (size_t i = 0; i < COUNT; i++) {
        assert_memory_equal(out + i * cells, sum, size);
        times(sum, in + i * cells, &n);
    }
    free(in), free(out);
}

static void scan_small_matrices(void) {
    scan_matrices(2);
}

static void scan_large_matrices(void) {
    scan_matrices(4);
}

static void add_bytes(void *left, const void *right, void *ctx) {
    (void)ctx;
    *(uint8_t *)left = (uint8_t)(*(uint8_t *)left + *(const uint8_t *)right);
}

static void scan_bytes(void) {
    static const uint8_t zero;
    const blitz_monoid op = {1, &zero, add_bytes};
    uint8_t *bytes = memory(MOST);
    memset(bytes, 3, MOST);
    assert_int_equal(blitz_inclusive_scan(bytes, bytes, MOST, &op, NULL), 0);
    for (size_t i = 0; i < MOST; i++)
        assert_int_equal(bytes[i], (uint8_t)(3 * (i + 1)));
    free(bytes);
}

static void values_may_have_any_size(void **state) {
    (void)state;
    everywhere(scan_small_matrices);
    everywhere(scan_large_matrices);
    everywhere(scan_bytes);
}

/* ---- ranges ---- */

struct ranges {
    size_t lo, hi;
    unsigned char *scanned; /* times, by index */
    size_t summed;
    size_t error_at; /* in scan if even, else in map */
};

static uint64_t triangle(size_t lo, size_t hi) { /* the sum of lo to hi - 1 */
    return hi % 2 == 0 ? hi / 2 * (uint64_t)(hi - 1) - lo * (uint64_t)(lo - 1) / 2
                       : (hi - 1) / 2 * (uint64_t)hi - lo * (uint64_t)(lo - 1) / 2;
}

static int sum_range(size_t lo, size_t hi, void *value, void *ctx) {
    struct ranges *ranges = ctx;
    assert_true(lo >= ranges->lo && lo < hi && hi <= ranges->hi);
    __atomic_fetch_add(&ranges->summed, hi - lo, __ATOMIC_RELAXED);
    *(uint64_t *)value += triangle(lo, hi);
    return ranges->error_at % 2 == 1 && lo <= ranges->error_at && ranges->error_at < hi ? -5 : 0;
}

static int scan_range(size_t lo, size_t hi, void *value, void *ctx) {
    struct ranges *ranges = ctx;
    assert_true(lo >= ranges->lo && lo < hi && hi <= ranges->hi);
    assert_int_equal(*(uint64_t *)value, triangle(ranges->lo, lo));
    for (size_t i = lo; i < hi; i++)
        ranges->scanned[i - ranges->lo]++;
    *(uint64_t *)value += triangle(lo, hi);
    return ranges->error_at % 2 == 0 && lo <= ranges->error_at && ranges->error_at < hi ? 7 : 0;
}

static void add_sums(void *left, const void *right, void *ctx) {
    (void)ctx;
    *(uint64_t *)left += *(const uint64_t *)right;
}

static const uint64_t zero;
static const blitz_reduce_op range_op = {sizeof zero, &zero, sum_range, add_sums};

static void scan_ranges(void) {
    static const size_t grains[] = {0, 1, 100, 1000000};
    unsigned char *scanned = memory(40000);
    for (size_t s = 0; s < SIZES && sizes[s] < 40000; s++)
        for (int g = 0; g < 4; g++) {
            struct ranges ranges = {1000, 1000 + sizes[s], scanned, 0, SIZE_MAX};
            uint64_t total = 0;
            memset(scanned, 0, 40000);
            assert_int_equal(blitz_scan(1000, ranges.hi, grains[g], &range_op, scan_range, &ranges, &total),
                             0);
            assert_true(total == triangle(1000, ranges.hi) && ranges.summed <= sizes[s]);
            for (size_t i = 0; i < sizes[s]; i++)
                assert_int_equal(scanned[i], 1);
        }
    free(scanned);
}

static void each_part_is_scanned_once_with_the_right_sum(void **state) {
    (void)state;
    everywhere(scan_ranges);
}

static void scan_with_errors(void) {
    unsigned char *scanned = memory(30000);
    for (size_t at = 0; at < 30000; at += 999) { /* even and odd in turns */
        struct ranges ranges = {0, 30000, scanned, 0, at};
        uint64_t total = 12;
        memset(scanned, 0, 30000);
        int error = blitz_scan(0, 30000, 0, &range_op, scan_range, &ranges, &total);
        assert_true(at % 2 == 0 ? error == 7 : error == -5 || error == 0); /* a map may not be needed */
        assert_true(total == (error ? 12 : triangle(0, 30000)));
        for (size_t i = 0; i < 30000; i++)
            assert_true(scanned[i] <= 1);
    }
    free(scanned);
}

static void the_first_error_ends_a_scan(void **state) {
    (void)state;
    everywhere(scan_with_errors);
}

/* ---- filters ---- */

struct item {
    uint32_t key, place;
    uint32_t more[3]; /* an odd size: 20 bytes */
};

static int is_low(const void *elem, void *ctx) {
    uint32_t key;
    memcpy(&key, elem, sizeof key);
    return key < *(uint32_t *)ctx;
}

static int is_same(const void *left, const void *right, void *ctx) {
    (void)ctx;
    return memcmp(left, right, sizeof(uint32_t)) == 0;
}

/* Against plain loops; `size` of an element is that of the item, or less. */
static void check_filters(const char *in, char *out, char *expected, size_t count, size_t size,
                          uint32_t limit) {
    size_t kept = 0, end = 0;
    for (size_t i = 0; i < count; i++)
        if (is_low(in + i * size, &limit))
            memcpy(expected + size * kept++, in + i * size, size);
    assert_int_equal(blitz_compact(in, count, size, is_low, &limit, out, &end), 0);
    assert_int_equal(end, kept);
    assert_memory_equal(out, expected, kept * size);
    end = kept;
    for (size_t i = 0; i < count; i++)
        if (!is_low(in + i * size, &limit))
            memcpy(expected + size * end++, in + i * size, size);
    assert_int_equal(blitz_partition(in, count, size, is_low, &limit, out, &end), 0);
    assert_int_equal(end, kept);
    assert_memory_equal(out, expected, count * size);
    kept = 0;
    for (size_t i = 0; i < count; i++)
        if (i == 0 || !is_same(in + (i - 1) * size, in + i * size, NULL))
            memcpy(expected + size * kept++, in + i * size, size);
    assert_int_equal(blitz_unique(in, count, size, is_same, NULL, out, &end), 0);
    assert_int_equal(end, kept);
    assert_memory_equal(out, expected, kept * size);
}

static void filter(void) {
    static const size_t item_sizes[] = {4, 8, 16, sizeof(struct item)};
    char *in = memory(MOST * sizeof(struct item)), *out = memory(MOST * sizeof(struct item)),
         *expected = memory(MOST * sizeof(struct item));
    for (int z = 0; z < 4; z++) {
        uint64_t seed = 5;
        size_t size = item_sizes[z];
        for (uint32_t i = 0; i < MOST; i++) {
            struct item item = {(uint32_t)(random_next(&seed) % 4), i, {i, i, i}};
            memcpy(in + i * size, &item, size);
        }
        for (size_t s = 0; s < SIZES; s += NEXT_SIZE)
            check_filters(in, out, expected, sizes[s], size,
                          s % 6 == 0   ? 0
                          : s % 6 == 1 ? 4
                                       : (uint32_t)(s % 4));
    }
    free(in), free(out), free(expected);
}

static void filters_keep_the_order(void **state) {
    (void)state;
    everywhere(filter);
}

/* ---- bad arguments ---- */

static void what_is_missing_is_an_error(void **state) {
    static const struct big { char is[100]; } none;
    const blitz_monoid big = {sizeof none, &none, then};
    blitz_monoid bad = affine;
    blitz_reduce_op op = range_op;
    struct affine values[2] = {{1, 1}, {2, 2}};
    struct big bigs[2] = {none, none};
    size_t kept = 9;
    (void)state;
    assert_int_equal(blitz_inclusive_scan(values, values, 2, NULL, NULL), EINVAL);
    bad.size = 0;
    assert_int_equal(blitz_inclusive_scan(values, values, 2, &bad, NULL), EINVAL);
    bad = affine, bad.identity = NULL;
    assert_int_equal(blitz_exclusive_scan(values, values, 2, &bad, NULL), EINVAL);
    bad = affine, bad.combine = NULL;
    assert_int_equal(blitz_exclusive_scan(values, values, 2, &bad, NULL), EINVAL);
    assert_int_equal(blitz_inclusive_scan(NULL, values, 2, &affine, NULL), EINVAL);
    assert_int_equal(blitz_inclusive_scan(NULL, NULL, 0, &affine, NULL), 0);
    assert_int_equal(blitz_exclusive_scan(bigs, bigs, 2, &big, NULL), EINVAL);
    assert_int_equal(blitz_scan(0, 9, 0, NULL, scan_range, NULL, NULL), EINVAL);
    assert_int_equal(blitz_scan(0, 9, 0, &range_op, NULL, NULL, NULL), EINVAL);
    op.map = NULL;
    assert_int_equal(blitz_scan(0, 9, 0, &op, scan_range, NULL, NULL), EINVAL);
    op = range_op, op.size = SIZE_MAX / 2; /* no machine has that much memory */
    assert_int_equal(blitz_scan(0, 1000, 1, &op, scan_range, NULL, NULL), ENOMEM);
    assert_int_equal(blitz_compact(values, 2, 8, NULL, NULL, values, &kept), EINVAL);
    assert_int_equal(blitz_partition(values, 2, 0, is_low, NULL, values, &kept), EINVAL);
    assert_int_equal(blitz_unique(values, 2, 8, NULL, NULL, values, &kept), EINVAL);
    assert_int_equal(blitz_unique(values, 2, 8, is_same, NULL, NULL, &kept), EINVAL);
    assert_int_equal(blitz_inclusive_scan(values, values, SIZE_MAX, &affine, NULL), EINVAL);
    assert_int_equal(blitz_compact(values, SIZE_MAX, 8, is_low, NULL, values, &kept), EINVAL);
    assert_int_equal(blitz_partition(values, SIZE_MAX / 4, 8, is_low, NULL, values, &kept), EINVAL);
    assert_int_equal(blitz_unique(values, SIZE_MAX, 8, is_same, NULL, values, &kept), EINVAL);
    assert_int_equal(kept, 9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operands_keep_their_order),
        cmocka_unit_test(values_may_have_any_size),
        cmocka_unit_test(each_part_is_scanned_once_with_the_right_sum),
        cmocka_unit_test(the_first_error_ends_a_scan),
        cmocka_unit_test(filters_keep_the_order),
        cmocka_unit_test(what_is_missing_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
