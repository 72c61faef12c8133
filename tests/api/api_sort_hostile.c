/* api_sort_hostile.c: sorts whose comparison is made to slow them down, or contradicts itself. */
#include <blitz/sort.h>

#include <math.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sort_elements.h"

/* McIlroy, "A killer adversary for quicksort", 1999: elements are fixed as late as possible, pivots low. It works on one
 * worker's order of comparisons. */
struct adversary {
    uint32_t *values, gas, fixed, candidate;
    uint64_t comparisons;
};

static int adverse(const void *a, const void *b, void *ctx) {
    struct adversary *adversary = ctx;
    uint32_t x, y;
    memcpy(&x, a, 4), memcpy(&y, b, 4);
    adversary->comparisons++;
    uint32_t *values = adversary->values;
    if (values[x] == adversary->gas && values[y] == adversary->gas)
        values[x == adversary->candidate ? x : y] = adversary->fixed++;
    if (values[x] == adversary->gas)
        adversary->candidate = x;
    else if (values[y] == adversary->gas)
        adversary->candidate = y;
    return (values[x] > values[y]) - (values[x] < values[y]);
}

struct hostile_run {
    uint32_t n;
    int stable;
};

/* greatest_first: a search for order before the sort finds none, and fixes few elements. */
static void check_adversary(uint32_t n, int stable, int greatest_first) {
    uint32_t *values = malloc(n * sizeof *values), *array = malloc(n * sizeof *array), bits = 0;
    assert_true(values && array);
    for (uint32_t i = 0; i < n; i++)
        values[i] = n, array[i] = i;
    if (greatest_first)
        values[0] = n + 1;
    while (n >> bits)
        bits++;
    struct adversary adversary = {values, n, 0, 0, 0};
    assert_int_equal((stable ? blitz_stable_sort : blitz_sort)(array, n, 4, adverse, &adversary), 0);
    if (adversary.comparisons > 6 * (uint64_t)n * bits)
        fail_msg("%u elements took %llu comparisons", n, (unsigned long long)adversary.comparisons);
    for (uint32_t i = 1; i < n; i++)
        assert_true(values[array[i - 1]] <= values[array[i]]);
    /* The resulting input is a killer for any run of the same algorithm. */
    adversary.comparisons = 0;
    for (uint32_t i = 0; i < n; i++)
        array[i] = i;
    assert_int_equal((stable ? blitz_stable_sort : blitz_sort)(array, n, 4, adverse, &adversary), 0);
    assert_true(adversary.comparisons <= 6 * (uint64_t)n * bits);
    free(values), free(array);
}

static void run_adversary(void *arg) {
    const struct hostile_run *run = arg;
    for (int greatest_first = 0; greatest_first < 2; greatest_first++)
        check_adversary(run->n, run->stable, greatest_first);
}

static void never_quadratic(void **state) {
    static const uint32_t counts[] = {100, 1000, 4096, 20000, 100000};
    blitz_config config = {.workers = 1};
    blitz_pool *pool;
    (void)state;
    assert_int_equal(blitz_pool_create(&config, &pool), 0);
    for (int stable = 0; stable < 2; stable++)
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            struct hostile_run run = {counts[i], stable};
            assert_int_equal(blitz_call(pool, run_adversary, &run), 0);
        }
    assert_int_equal(blitz_pool_destroy(pool), 0);
}

/* The guaranteed sort without memory to merge in; in a child process. */
static void check_without_memory(void *arg) {
    enum { N = 1000000 };
    static uint32_t values[N], array[N];
    struct rlimit limit;
    (void)arg;
    for (uint32_t i = 0; i < N; i++)
        values[i] = N, array[i] = i;
    values[0] = N + 1;
    struct adversary adversary = {values, N, 0, 0, 0};
    if (getrlimit(RLIMIT_AS, &limit))
        _exit(1);
    limit.rlim_cur = 1 << 20;
    if (setrlimit(RLIMIT_AS, &limit) || blitz_sort(array, N, 4, adverse, &adversary) != 0)
        _exit(2);
    if (adversary.comparisons > 6 * (uint64_t)N * 20)
        _exit(3);
    for (uint32_t i = 1; i < N; i++)
        if (values[array[i - 1]] > values[array[i]])
            _exit(4);
    _exit(0);
}

static void never_quadratic_without_memory(void **state) {
    blitz_config config = {.workers = 1};
    blitz_pool *pool;
    (void)state;
    if (SANITIZED) /* their own memory would be limited, too */
        skip();
    assert_int_equal(blitz_pool_create(&config, &pool), 0);
    pid_t child = fork();
    if (child == 0)
        _exit(blitz_call(pool, check_without_memory, NULL));
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(blitz_pool_destroy(pool), 0);
}

/* Comparisons that contradict themselves. */
static int by_chance(const void *a, const void *b, void *ctx) {
    uint32_t x = key_of(a, 4) * 2654435761u + key_of(b, 4) * 40503u;
    uint64_t calls = __atomic_fetch_add((uint64_t *)ctx, 1, __ATOMIC_RELAXED);
    return (int)((x ^ (uint32_t)(calls * 0x9e3779b97f4a7c15u >> 40)) >> 7 & 3) - 1;
}
static int always_before(const void *a, const void *b, void *ctx) {
    (void)a, (void)b;
    __atomic_fetch_add((uint64_t *)ctx, 1, __ATOMIC_RELAXED);
    return -1;
}
static int always_after(const void *a, const void *b, void *ctx) {
    (void)a, (void)b;
    __atomic_fetch_add((uint64_t *)ctx, 1, __ATOMIC_RELAXED);
    return 1;
}
static int in_a_circle(const void *a, const void *b, void *ctx) {
    uint32_t x = key_of(a, 4) % 3, y = key_of(b, 4) % 3;
    __atomic_fetch_add((uint64_t *)ctx, 1, __ATOMIC_RELAXED);
    return x == y ? 0 : (x + 1) % 3 == y ? -1 : 1;
}

static void check_contradiction(size_t n, size_t size, blitz_compare_fn *compare, int verb) {
    uint64_t calls = 0, bits = 0;
    char *array = guarded(n, size), *before = guarded(n, size), *out = guarded(n, size);
    fill(array, n, size, RANDOM);
    memcpy(before, array, n * size);
    if (verb == 2) {
        assert_int_equal(
            blitz_merge(before, n / 3, before + n / 3 * size, n - n / 3, out, size, compare, &calls), 0);
        memcpy(array, out, n * size);
    } else {
        assert_int_equal((verb ? blitz_stable_sort : blitz_sort)(array, n, size, compare, &calls), 0);
        memset(out, 0, n * size);
    }
    while (n >> bits)
        bits++;
    assert_true(calls <= 8 * (n + 1) * (bits + 1));
    sort_by(array, n, size, by_bytes);
    sort_by(before, n, size, by_bytes);
    assert_memory_equal(array, before, n * size);
    free_guarded(array, n, size), free_guarded(before, n, size), free_guarded(out, n, size);
}

static void contradictions_lose_nothing(void **state) {
    static blitz_compare_fn *const compares[] = {by_chance, always_before, always_after, in_a_circle};
    static const size_t element_sizes[] = {4, 16, 20, 100};
    (void)state;
    for (size_t c = 0; c < 4; c++)
        for (int verb = 0; verb < 3; verb++)
            for (size_t s = 0; s < 4; s++) {
                for (size_t n = 0; n < 70; n++)
                    check_contradiction(n, element_sizes[s], compares[c], verb);
                check_contradiction(5000, element_sizes[s], compares[c], verb);
                check_contradiction(LARGE / 4, element_sizes[s], compares[c], verb);
            }
}

#define VALUE_LESS(a, b) (*(a) < *(b))
BLITZ_DEFINE_SORT(sort_doubles, double, VALUE_LESS);

static void not_a_number(void **state) {
    enum { N = 50000 };
    static double array[N];
    (void)state;
    for (int stable = 0; stable < 2; stable++) {
        size_t nans = 0, after = 0;
        double sum = 0, sum_after = 0;
        for (int i = 0; i < N; i++) {
            array[i] = random_number() % 5 ? (double)(random_number() % 100000) : NAN;
            nans += isnan(array[i]) != 0;
            sum += isnan(array[i]) ? 0 : array[i];
        }
        if (stable)
            assert_int_equal(sort_doubles_stable(array, N), 0);
        else
            sort_doubles(array, N);
        for (int i = 0; i < N; i++) {
            after += isnan(array[i]) != 0;
            sum_after += isnan(array[i]) ? 0 : array[i];
        }
        assert_int_equal(after, nans);
        assert_true(sum == sum_after);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(never_quadratic_without_memory), /* first: others leave free memory behind */
        cmocka_unit_test(never_quadratic),
        cmocka_unit_test(contradictions_lose_nothing),
        cmocka_unit_test(not_a_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
