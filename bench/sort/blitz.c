/* Sorts by BLITZ_DEFINE_SORT, and by a function as qsort_r has it. */
#include "workload.h"

#include <blitz/sort.h>

#define IS_LESS(a, b) (*(a) < *(b))
#define KEY_IS_LESS(a, b) ((a)->key < (b)->key)
BLITZ_DEFINE_SORT(sort_int32, int32_t, IS_LESS);
BLITZ_DEFINE_SORT(sort_int64, int64_t, IS_LESS);
BLITZ_DEFINE_SORT(sort_double, double, IS_LESS);
BLITZ_DEFINE_SORT(sort_pair, struct sort_pair, KEY_IS_LESS);

static int by_int32(const void *a, const void *b, void *ctx) {
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    (void)ctx;
    return (x > y) - (x < y);
}
static int by_int64(const void *a, const void *b, void *ctx) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    (void)ctx;
    return (x > y) - (x < y);
}
static int by_double(const void *a, const void *b, void *ctx) {
    double x = *(const double *)a, y = *(const double *)b;
    (void)ctx;
    return (x > y) - (x < y);
}
static int by_key(const void *a, const void *b, void *ctx) {
    uint64_t x = ((const struct sort_pair *)a)->key, y = ((const struct sort_pair *)b)->key;
    (void)ctx;
    return (x > y) - (x < y);
}

/* The same under the adversary, on a pool of one worker. */
#define IS_ADVERSE(a, b) (sort_adverse(*(a), *(b)) < 0)
BLITZ_DEFINE_SORT(sort_by_adversary, int64_t, IS_ADVERSE);

static int by_adversary(const void *a, const void *b, void *ctx) {
    (void)ctx;
    return sort_adverse(*(const int64_t *)a, *(const int64_t *)b);
}

struct numbers {
    int64_t *array;
    size_t n;
};
static void sort_numbers(void *arg) {
    struct numbers *numbers = arg;
    sort_by_adversary(numbers->array, numbers->n);
}
static void sort_numbers_by_function(void *arg) {
    struct numbers *numbers = arg;
    blitz_sort(numbers->array, numbers->n, sizeof *numbers->array, by_adversary, NULL);
}

static void on_one_worker(blitz_fn *fn, int64_t *array, size_t n) {
    struct numbers numbers = {array, n};
    const blitz_config config = {.workers = 1};
    blitz_pool *pool;
    if (blitz_pool_create(&config, &pool) || blitz_call(pool, fn, &numbers) || blitz_pool_destroy(pool)) {
        fprintf(stderr, "no pool of one worker\n");
        exit(2);
    }
}
static void adverse(int64_t *array, size_t n) {
    on_one_worker(sort_numbers, array, n);
}
static void adverse_function(int64_t *array, size_t n) {
    on_one_worker(sort_numbers_by_function, array, n);
}

static uint64_t typed(void *arg) {
    struct sort_data *data = arg;
    switch (data->type) {
    case SORT_INT32:
        sort_int32(data->array, data->n);
        break;
    case SORT_INT64:
        sort_int64(data->array, data->n);
        break;
    case SORT_DOUBLE:
        sort_double(data->array, data->n);
        break;
    default:
        sort_pair(data->array, data->n);
    }
    return 0;
}

static uint64_t typed_stable(void *arg) {
    struct sort_data *data = arg;
    switch (data->type) {
    case SORT_INT32:
        data->failed |= sort_int32_stable(data->array, data->n);
        break;
    case SORT_INT64:
        data->failed |= sort_int64_stable(data->array, data->n);
        break;
    case SORT_DOUBLE:
        data->failed |= sort_double_stable(data->array, data->n);
        break;
    default:
        data->failed |= sort_pair_stable(data->array, data->n);
    }
    return 0;
}

static blitz_compare_fn *const compares[] = {by_int32, by_int64, by_double, by_key};

static uint64_t function(void *arg) {
    struct sort_data *data = arg;
    data->failed |= blitz_sort(data->array, data->n, data->bytes / data->n, compares[data->type], NULL);
    return 0;
}

static uint64_t function_stable(void *arg) {
    struct sort_data *data = arg;
    data->failed |=
        blitz_stable_sort(data->array, data->n, data->bytes / data->n, compares[data->type], NULL);
    return 0;
}

int main(int argc, char **argv) {
    static const struct sort_way ways[] = {{"type", 0, 0, typed, adverse},
                                           {"type", 1, 0, typed_stable, NULL},
                                           {"function", 0, 1, function, adverse_function},
                                           {"function", 1, 1, function_stable, NULL}};
    return sort_main(argc, argv, ways, 4);
}
