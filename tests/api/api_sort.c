/* api_sort.c: sorts and merges against qsort, in all orders and sizes, and anywhere. */
#include <blitz/sort.h>

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../unit/capture.h"
#include "sort_elements.h"

static void check_sorts(size_t n, size_t size, enum order order) {
    char *input = guarded(n, size), *expected = guarded(n, size), *array = guarded(n, size);
    fill(input, n, size, order);
    memcpy(expected, input, n * size);
    sort_by(expected, n, size, by_key_and_index);

    memcpy(array, input, n * size);
    assert_int_equal(blitz_stable_sort(array, n, size, by_key, &size), 0);
    if (memcmp(array, expected, n * size) != 0)
        fail_msg("stable sort of %zu elements of %zu bytes, order %d", n, size, (int)order);

    memcpy(array, input, n * size);
    assert_int_equal(blitz_sort(array, n, size, by_key, &size), 0);
    for (size_t i = 0; i < n; i++)
        if (key_of(array + i * size, size) != key_of(expected + i * size, size))
            fail_msg("sort of %zu elements of %zu bytes, order %d: wrong at %zu", n, size, (int)order, i);
    sort_by(array, n, size, by_bytes);
    sort_by(expected, n, size, by_bytes);
    assert_memory_equal(array, expected, n * size);
    free_guarded(input, n, size), free_guarded(expected, n, size), free_guarded(array, n, size);
}

static const size_t sizes[] = {1, 2, 3, 4, 8, 12, 16, 24, 32, 40, 64, 65, 100, 1000};
enum { SIZES = sizeof sizes / sizeof *sizes };

static void every_short_array(void **state) {
    (void)state;
    for (size_t s = 0; s < SIZES; s++)
        for (int order = 0; order < ORDERS; order++)
            for (size_t n = 0; n <= 100; n++)
                check_sorts(n, sizes[s], (enum order)order);
}

/* Sanitizers make each sort many times longer: with them each size has a third of the orders. */
enum { ORDER_STEP = SANITIZED ? 3 : 1 };

static void longer_arrays(void **state) {
    (void)state;
    for (size_t s = 0; s < SIZES; s++)
        for (int order = (int)s % ORDER_STEP; order < ORDERS; order += ORDER_STEP)
            check_sorts(1000 + random_number() % (sizes[s] < 64 ? 40000 : 9000), sizes[s], (enum order)order);
}

static void large_arrays(void **state) {
    (void)state;
    for (int order = 0; order < ORDERS; order++)
        check_sorts(order == RANDOM ? LARGEST : 2 * LARGE, 8, (enum order)order);
    check_sorts(random_number() % LARGEST, 4, RANDOM);
    check_sorts(random_number() % LARGEST, 24, FEW);
    check_sorts(random_number() % LARGE, 72, TWO);
}

/* ---- types ---- */

struct pair {
    uint64_t key, value;
};
struct record {
    char text[90];
    int number;
};

static int record_less(const struct record *a, const struct record *b) {
    return a->number < b->number;
}
#define VALUE_LESS(a, b) (*(a) < *(b))
#define KEY_LESS(a, b) ((a)->key < (b)->key)
BLITZ_DEFINE_SORT(sort_ints, int, VALUE_LESS);
BLITZ_DEFINE_SORT(sort_doubles, double, VALUE_LESS);
BLITZ_DEFINE_SORT(sort_bytes, unsigned char, VALUE_LESS);
BLITZ_DEFINE_SORT(sort_pairs, struct pair, KEY_LESS);
BLITZ_DEFINE_SORT(sort_records, struct record, record_less);

static void check_pairs(size_t n, enum order order) {
    struct pair *array = malloc((n + 1) * sizeof *array), *copy = malloc((n + 1) * sizeof *array);
    assert_true(array && copy);
    for (size_t i = 0; i < n; i++)
        array[i] = copy[i] = (struct pair){key_at(order, i, n), i};
    assert_int_equal(sort_pairs_stable(array, n), 0);
    sort_pairs(copy, n);
    uint64_t values = 0;
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(copy[i].key, array[i].key);
        values += copy[i].value;
        if (i > 0 && (array[i - 1].key > array[i].key ||
                      (array[i - 1].key == array[i].key && array[i - 1].value >= array[i].value)))
            fail_msg("pair %zu of %zu, order %d", i, n, (int)order);
    }
    assert_int_equal(values, n * (n - 1) / 2);
    free(array), free(copy);
}

static void pairs_in_all_orders(void **state) {
    (void)state;
    for (int order = 0; order < ORDERS; order++) {
        for (size_t n = 1; n <= 100; n++)
            check_pairs(n, (enum order)order);
        check_pairs(LARGE, (enum order)order);
    }
}

static void numbers_and_records(void **state) {
    enum { N = 20000 };
    static int ints[N];
    static double doubles[N];
    static unsigned char bytes[N];
    static struct record records[N];
    (void)state;
    for (int i = 0; i < N; i++) {
        ints[i] = (int)random_number();
        doubles[i] = (double)random_number() / 3 - 1e13;
        bytes[i] = (unsigned char)random_number();
        records[i].number = (int)(random_number() % 1000);
        snprintf(records[i].text, sizeof records[i].text, "%d", i);
    }
    sort_ints(ints, N);
    sort_doubles(doubles, N);
    sort_bytes(bytes, N);
    assert_int_equal(sort_records_stable(records, N), 0);
    for (int i = 1; i < N; i++) {
        assert_true(ints[i - 1] <= ints[i] && doubles[i - 1] <= doubles[i] && bytes[i - 1] <= bytes[i]);
        assert_true(records[i - 1].number <= records[i].number);
        assert_true(records[i - 1].number < records[i].number ||
                    atoi(records[i - 1].text) < atoi(records[i].text));
    }
    sort_records(records, N);
    for (int i = 1; i < N; i++)
        assert_true(records[i - 1].number <= records[i].number);
}

/* ---- merges ---- */

static void check_merge(size_t a_n, size_t b_n, size_t size, enum order order) {
    char *a = guarded(a_n + b_n, size), *out = guarded(a_n + b_n, size), *expected = guarded(a_n + b_n, size);
    fill(a, a_n + b_n, size, order);
    memcpy(expected, a, (a_n + b_n) * size);
    sort_by(expected, a_n + b_n, size, by_key_and_index);
    sort_by(a, a_n, size, by_key_and_index);
    sort_by(a + a_n * size, b_n, size, by_key_and_index);
    assert_int_equal(blitz_merge(a, a_n, a + a_n * size, b_n, out, size, by_key, &size), 0);
    if (memcmp(out, expected, (a_n + b_n) * size) != 0)
        fail_msg("merge of %zu and %zu elements of %zu bytes, order %d", a_n, b_n, size, (int)order);
    free_guarded(a, a_n + b_n, size), free_guarded(out, a_n + b_n, size),
        free_guarded(expected, a_n + b_n, size);
}

static void merges(void **state) {
    (void)state;
    for (int order = 0; order < ORDERS; order++) {
        for (size_t a = 0; a < 20; a++)
            for (size_t b = 0; b < 20; b++)
                check_merge(a, b, 8, (enum order)order);
        check_merge(30000, 50000, 16, (enum order)order);
        check_merge(3, 50000, 8, (enum order)order);
        check_merge(20000, 200, 100, (enum order)order);
    }
    int low[] = {1, 3, 5}, high[] = {2, 3, 9, 10}, out[7];
    static const int expected[] = {1, 2, 3, 3, 5, 9, 10};
    sort_ints_merge(low, 3, high, 4, out);
    assert_memory_equal(out, expected, sizeof expected);
}

/* ---- keys and values ---- */

static void check_by_key(size_t n, size_t key_size, size_t value_size, enum order order) {
    char *keys = guarded(n, key_size), *values = guarded(n, value_size), *sorted = guarded(n, key_size);
    fill(sorted, n, key_size, order);
    memcpy(keys, sorted, n * key_size);
    for (size_t i = 0; i < n; i++) {
        memset(values + i * value_size, (int)i, value_size);
        memcpy(values + i * value_size, &i, value_size < 4 ? value_size : 4);
    }
    assert_int_equal(blitz_sort_by_key(keys, key_size, values, value_size, n, by_key, &key_size), 0);
    for (size_t i = 0; i < n; i++) { /* each key has moved with its value, which holds the old position */
        uint32_t at = key_of(values + i * value_size, value_size), before;
        assert_memory_equal(keys + i * key_size, sorted + at * key_size, key_size);
        assert_int_equal(values[(i + 1) * value_size - 1],
                         value_size < 5 ? (char)(at >> 8 * (value_size - 1)) : (char)at);
        before = i > 0 ? key_of(values + (i - 1) * value_size, value_size) : 0;
        if (i > 0) {
            uint32_t x = key_of(keys + (i - 1) * key_size, key_size),
                     y = key_of(keys + i * key_size, key_size);
            assert_true(x < y || (x == y && before < at));
        }
    }
    free_guarded(keys, n, key_size), free_guarded(values, n, value_size), free_guarded(sorted, n, key_size);
}

static void keys_and_values(void **state) {
    static const size_t key_sizes[] = {1, 4, 8, 12, 100}, value_sizes[] = {4, 8, 20, 200};
    (void)state;
    for (size_t k = 0; k < 5; k++)
        for (size_t v = 0; v < 4; v++)
            for (int order = 0; order < ORDERS; order++) {
                check_by_key(order, key_sizes[k], value_sizes[v], (enum order)order);
                check_by_key(9 * (size_t)order + 20, key_sizes[k], value_sizes[v], (enum order)order);
                check_by_key(7000, key_sizes[k], value_sizes[v], (enum order)order);
            }
}

/* As large as a vector register, whose loads may require the alignment. */
struct wide {
    _Alignas(32) uint64_t key[4];
};

static int by_wide(const void *a, const void *b, void *ctx) {
    const struct wide *x = a, *y = b;
    *(bool *)ctx |= ((uintptr_t)a | (uintptr_t)b) % _Alignof(struct wide) != 0;
    return (x->key[0] > y->key[0]) - (x->key[0] < y->key[0]);
}

static void keys_stay_aligned(void **state) {
    enum { N = 3000 };
    struct wide *keys = aligned_alloc(32, N * sizeof *keys);
    static uint64_t values[N];
    bool crooked = false;
    (void)state;
    for (uint64_t i = 0; i < N; i++)
        keys[i] = (struct wide){{i * 7919 % N, i}};
    assert_int_equal(blitz_sort_by_key(keys, sizeof *keys, values, sizeof *values, N, by_wide, &crooked), 0);
    for (uint64_t i = 0; i < N; i++)
        assert_true(keys[i].key[0] == i && keys[i].key[1] * 7919 % N == i);
    assert_false(crooked);
    free(keys);
}

/* ---- anywhere ---- */

static void sort_in_task(void *arg) {
    check_pairs(5000 + *(const size_t *)arg, RANDOM);
    check_pairs(9000, FEW);
}

static void spawn_sorts(void *arg) {
    static const size_t numbers[] = {0, 1, 2, 3, 40000};
    blitz_scope scope;
    (void)arg;
    blitz_scope_begin(&scope);
    for (int i = 0; i < 5; i++)
        blitz_scope_spawn(&scope, sort_in_task, (void *)(uintptr_t)&numbers[i]);
    blitz_scope_wait(&scope);
}

static void *sort_in_pool(void *pool) {
    spawn_sorts(NULL);
    assert_int_equal(blitz_call(pool, spawn_sorts, NULL), 0);
    return NULL;
}

static void in_tasks_and_pools_and_threads(void **state) {
    enum { POOLS = 3 };
    blitz_pool *pools[POOLS];
    pthread_t threads[POOLS];
    (void)state;
    for (unsigned i = 0; i < POOLS; i++) {
        blitz_config config = {.workers = i + 2};
        assert_int_equal(blitz_pool_create(&config, &pools[i]), 0);
        assert_int_equal(pthread_create(&threads[i], NULL, sort_in_pool, pools[i]), 0);
    }
    spawn_sorts(NULL);
    for (int i = 0; i < POOLS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(blitz_pool_destroy(pools[i]), 0);
    }
}

static void sort_large(void *arg) {
    (void)arg;
    check_sorts(2 * LARGE, 4, RANDOM);
    check_sorts(2 * LARGE, 8, FEW);
    check_merge(LARGE / 3, LARGE / 2, 8, RANDOM);
}

/* Many workers find no work at first: the first splits are shared. */
static void with_many_workers(void **state) {
    blitz_config config = {.workers = 16};
    blitz_pool *pool;
    (void)state;
    assert_int_equal(blitz_pool_create(&config, &pool), 0);
    for (int i = 0; i < 3; i++)
        assert_int_equal(blitz_call(pool, sort_large, NULL), 0);
    assert_int_equal(blitz_pool_destroy(pool), 0);
}

/* ---- misuse ---- */

static void bad_arguments(void **state) {
    int array[] = {2, 1}, out[4];
    const int one_side[] = {1, 2};
    size_t size = 4;
    (void)state;
    assert_int_equal(blitz_merge(NULL, 0, one_side, 2, out, 4, by_key, &size), 0);
    assert_memory_equal(out, one_side, sizeof one_side);
    assert_int_equal(blitz_merge(one_side, 2, NULL, 0, out, 4, by_key, &size), 0);
    assert_memory_equal(out, one_side, sizeof one_side);
    assert_int_equal(blitz_sort(array, 2, 4, NULL, NULL), EINVAL);
    assert_int_equal(blitz_sort(array, 2, 0, by_key, &size), EINVAL);
    assert_int_equal(blitz_sort(NULL, 2, 4, by_key, &size), EINVAL);
    assert_int_equal(blitz_sort(array, SIZE_MAX / 2, 4, by_key, &size), EINVAL);
    assert_int_equal(blitz_stable_sort(array, 2, 4, NULL, NULL), EINVAL);
    assert_int_equal(blitz_stable_sort(array, 2, 0, by_key, &size), EINVAL);
    assert_int_equal(blitz_stable_sort(NULL, 2, 4, by_key, &size), EINVAL);
    assert_int_equal(blitz_sort_by_key(array, 4, NULL, 4, 2, by_key, &size), EINVAL);
    assert_int_equal(blitz_sort_by_key(array, 4, out, 0, 2, by_key, &size), EINVAL);
    assert_int_equal(blitz_sort_by_key(array, 4, out, 4, 2, NULL, &size), EINVAL);
    assert_int_equal(blitz_merge(array, 2, NULL, 2, out, 4, by_key, &size), EINVAL);
    assert_int_equal(blitz_merge(array, 2, array, 2, NULL, 4, by_key, &size), EINVAL);
    assert_int_equal(blitz_merge(array, 2, array, 2, out, 4, NULL, &size), EINVAL);
    assert_int_equal(array[0], 2);
    assert_int_equal(sort_ints_stable(NULL, 1), EINVAL);
    assert_int_equal(sort_ints_stable(NULL, 5), EINVAL);
    assert_int_equal(sort_ints_stable(NULL, 0), 0);
    assert_int_equal(sort_records_stable(NULL, 5), EINVAL);
    assert_int_equal(blitz_sort(NULL, 0, 4, by_key, &size), 0);
    assert_int_equal(blitz_stable_sort(NULL, 0, 4, by_key, &size), 0);
    assert_int_equal(blitz_sort_by_key(NULL, 4, NULL, 4, 0, by_key, &size), 0);
    assert_int_equal(blitz_merge(NULL, 0, NULL, 0, NULL, 4, by_key, &size), 0);
}

/* Functions that cannot fail print one line together. */
static void missing_arrays_are_skipped(void **state) {
    int one = 1, out = 7;
    struct capture capture;
    char line[256], more[256];
    (void)state;
    capture_begin(&capture);
    sort_ints(NULL, 0), sort_records(NULL, 0);
    sort_ints(NULL, 5), sort_records(NULL, 5);
    sort_ints_merge(NULL, 1, &one, 1, &out);
    sort_ints_merge(&one, 1, NULL, 1, &out);
    sort_ints_merge(&one, 1, NULL, 0, NULL);
    capture_next(&capture, line, sizeof line);
    capture_next(&capture, more, sizeof more);
    capture_end(&capture);
    assert_string_equal(line, "blitz: a sort or merge of a NULL array; skipped\n");
    assert_string_equal(more, "");
    assert_int_equal(out, 7);
}

/* 0 if the functions behave as documented without memory; in a child process. */
static int without_memory(void) {
    enum { N = 400000, SIZE = 100 };
    size_t size = SIZE;
    char *array = malloc((size_t)N * SIZE), *copy = malloc((size_t)N * SIZE);
    struct rlimit limit;
    if (!array || !copy)
        return 1;
    fill(array, N, SIZE, RANDOM);
    memcpy(copy, array, (size_t)N * SIZE);
    if (getrlimit(RLIMIT_AS, &limit))
        return 2;
    limit.rlim_cur = 1 << 20;
    if (setrlimit(RLIMIT_AS, &limit))
        return 3;
    if (blitz_stable_sort(array, N, SIZE, by_key, &size) != ENOMEM ||
        memcmp(array, copy, (size_t)N * SIZE) != 0)
        return 4;
    size = 20;
    if (blitz_stable_sort(array, 5 * N, 20, by_key, &size) != ENOMEM)
        return 5;
    if (blitz_sort_by_key(array, 20, copy, 20, 5 * N, by_key, &size) != ENOMEM)
        return 6;
    if (memcmp(array, copy, (size_t)N * SIZE) != 0)
        return 7;
    size = SIZE;
    if (blitz_sort(array, N, SIZE, by_key, &size) != 0)
        return 8;
    for (size_t i = 1; i < N; i++)
        if (by_key(array + (i - 1) * SIZE, array + i * SIZE, &size) > 0)
            return 9;
    return 0;
}

/* The same where there is memory for pointers to elements, but not for the elements. */
static int with_pointers_only(void) {
    enum { N = 400000, SIZE = 100, ROOM = 16 << 20 };
    size_t size = SIZE;
    char *array = malloc((size_t)N * SIZE);
    struct rlimit limit;
    unsigned long pages = 0;
    FILE *statm = fopen("/proc/self/statm", "r");
    if (!array || !statm || fscanf(statm, "%lu", &pages) != 1 || getrlimit(RLIMIT_AS, &limit))
        return 1;
    fclose(statm);
    limit.rlim_cur = pages * (rlim_t)sysconf(_SC_PAGESIZE) + ROOM;
    if (setrlimit(RLIMIT_AS, &limit))
        return 2;
    for (int stable = 0; stable < 2; stable++) {
        fill(array, N, SIZE, FEW);
        if ((stable ? blitz_stable_sort : blitz_sort)(array, N, SIZE, by_key, &size) != 0)
            return 3;
        for (size_t i = 1; i < N; i++) {
            const char *one = array + (i - 1) * SIZE, *next = one + SIZE;
            int order = by_key(one, next, &size);
            if (order > 0 || (stable && order == 0 && index_of(one, SIZE) > index_of(next, SIZE)))
                return 4;
        }
    }
    return 0;
}

static void check_in_child(int (*body)(void)) {
    if (SANITIZED) /* their own memory would be limited, too */
        skip();
    pid_t child = fork();
    if (child == 0)
        _exit(body());
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void no_memory_is_an_error_or_slow(void **state) {
    (void)state;
    check_in_child(without_memory);
    check_in_child(with_pointers_only);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_memory_is_an_error_or_slow), /* first: others leave free memory behind */
        cmocka_unit_test(every_short_array),
        cmocka_unit_test(longer_arrays),
        cmocka_unit_test(large_arrays),
        cmocka_unit_test(pairs_in_all_orders),
        cmocka_unit_test(numbers_and_records),
        cmocka_unit_test(merges),
        cmocka_unit_test(keys_and_values),
        cmocka_unit_test(keys_stay_aligned),
        cmocka_unit_test(in_tasks_and_pools_and_threads),
        cmocka_unit_test(with_many_workers),
        cmocka_unit_test(bad_arguments),
        cmocka_unit_test(missing_arrays_are_skipped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
