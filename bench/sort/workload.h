/* sort: arrays of numbers, and of keys with values, in several orders. Each measurement is the time per element:
 *   sort.TYPE.ORDER.SIZE     where elements that are alike may come out in any order
 *   stable.TYPE.ORDER.SIZE   where they must not
 * Random arrays have 1e3, 1e5 and 1e6 elements, others 1e5. Those of 1e3 are a hundred, sorted one after the other: a
 * processor learns all the branches of a short one that is sorted again and again. Of int64 there are also
 *   sort.int64.killer.SIZE      what makes quicksort quadratic when it takes the median of three (Musser, 1997)
 *   sort.int64.adversary.SIZE   what an adversary makes of this very sort, as it runs on one thread: elements are fixed as
 *                               late as possible, pivots low (McIlroy, "A killer adversary for quicksort", 1999)
 * Arguments: MS, and a number of elements, up to 2^28: then all have so many; or "large" for 1e7 and 1e8 random int64. */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <string.h>

#include "harness.h"

struct sort_pair {
    uint64_t key, value;
};

enum sort_type { SORT_INT32, SORT_INT64, SORT_DOUBLE, SORT_PAIR, SORT_TYPES };
enum { SORT_LEAST = 100000 }; /* elements that are sorted in one measurement */

enum sort_order {
    SORT_RANDOM,
    SORT_SORTED,
    SORT_REVERSED,
    SORT_EQUAL,
    SORT_FEW,
    SORT_ORDERS,
    SORT_KILLER = SORT_ORDERS, /* int64 only, and so is the next */
    SORT_ADVERSARY
};

struct sort_data {
    enum sort_type type;
    size_t n, bytes; /* of an array */
    size_t count;    /* of arrays */
    void *input, *arrays, *array;
    uint64_t (*sort)(void *data); /* sorts `array` */
    int failed;                   /* a sort ran out of memory */
};

static inline uint64_t sort_number(enum sort_order order, size_t i, size_t n) {
    switch (order) {
    case SORT_RANDOM:
        return harness_mix(i) >> 33;
    case SORT_SORTED:
        return i;
    case SORT_REVERSED:
        return n - i;
    case SORT_FEW:
        return harness_mix(i) >> 60;
    case SORT_KILLER:
        return i >= n / 2 ? 2 * (i + 1 - n / 2) : i % 2 ? n / 2 + i : i + 1;
    default:
        return 7;
    }
}

static inline void sort_set(struct sort_data *data, size_t i, uint64_t number) {
    switch (data->type) {
    case SORT_INT32:
        ((int32_t *)data->input)[i] = (int32_t)number;
        break;
    case SORT_INT64:
        ((int64_t *)data->input)[i] = (int64_t)number;
        break;
    case SORT_DOUBLE:
        ((double *)data->input)[i] = (double)number;
        break;
    default:
        ((struct sort_pair *)data->input)[i].key = number;
        ((struct sort_pair *)data->input)[i].value = i;
    }
}

static inline uint64_t sort_key(const struct sort_data *data, size_t i) {
    switch (data->type) {
    case SORT_INT32:
        return (uint64_t)((const int32_t *)data->array)[i];
    case SORT_INT64:
        return (uint64_t)((const int64_t *)data->array)[i];
    case SORT_DOUBLE:
        return (uint64_t)((const double *)data->array)[i];
    default:
        return ((const struct sort_pair *)data->array)[i].key;
    }
}

static inline uint64_t sort_value(const struct sort_data *data, size_t i) {
    return data->type == SORT_PAIR ? ((const struct sort_pair *)data->array)[i].value : 0;
}

static inline void sort_prepare(void *arg) {
    struct sort_data *data = (struct sort_data *)arg;
    memcpy(data->arrays, data->input, data->bytes * data->count);
}

static inline uint64_t sort_arrays(void *arg) {
    struct sort_data *data = (struct sort_data *)arg;
    for (size_t i = 0; i < data->count; i++) {
        data->array = (char *)data->arrays + i * data->bytes;
        data->sort(data);
    }
    return 0;
}

/* A sum that is right only for the input's elements in order; 0 if they are not. */
static inline uint64_t sort_proof(struct sort_data *data, int ordered, int stable) {
    uint64_t sum = 1, last = 0, last_value = 0;
    data->array = data->arrays;
    for (size_t i = 0; i < data->n * data->count; i++) {
        uint64_t key = sort_key(data, i), value = sort_value(data, i);
        if (ordered && i % data->n > 0 && (key < last || (stable && key == last && value < last_value)))
            return 0;
        last = key, last_value = value;
        sum += harness_mix(key ^ value << 32);
    }
    return sum;
}

static inline uint64_t sort_result(void *arg) {
    struct sort_data *data = (struct sort_data *)arg;
    return data->failed ? 0 : sort_proof(data, 1, 0);
}
static inline uint64_t sort_result_stable(void *arg) {
    struct sort_data *data = (struct sort_data *)arg;
    return data->failed ? 0 : sort_proof(data, 1, 1);
}

/* ---- the adversary ---- */

/* Sorts numbers 0 to n - 1 by sort_adverse, on one thread. */
typedef void sort_adverse_fn(int64_t *array, size_t n);

/* values: of each number, `gas` as long as it is not fixed. */
static struct { int64_t *values, gas, fixed, candidate; } sort_adversary;

static inline int sort_adverse(int64_t x, int64_t y) {
    int64_t *values = sort_adversary.values;
    if (values[x] == sort_adversary.gas && values[y] == sort_adversary.gas)
        values[x == sort_adversary.candidate ? x : y] = sort_adversary.fixed++;
    if (values[x] == sort_adversary.gas)
        sort_adversary.candidate = x;
    else if (values[y] == sort_adversary.gas)
        sort_adversary.candidate = y;
    return (values[x] > values[y]) - (values[x] < values[y]);
}

/* Makes the input by the adversary, during a sort. The first number is the greatest: otherwise a sort that first checks
 * for order would fix all in order. */
static inline void sort_fill_adverse(struct sort_data *data, sort_adverse_fn *sort) {
    int64_t *numbers = (int64_t *)data->arrays;
    sort_adversary.values = (int64_t *)data->input;
    sort_adversary.gas = (int64_t)data->n, sort_adversary.fixed = 0, sort_adversary.candidate = 0;
    for (size_t i = 0; i < data->n; i++)
        numbers[i] = (int64_t)i, sort_adversary.values[i] = sort_adversary.gas;
    sort_adversary.values[0] = sort_adversary.gas + 1;
    sort(numbers, data->n);
}

/* ---- measuring ---- */

/* A way to sort, with its name, "" where there is but one; work gets a sort_data. by_function: of large arrays it is not
 * measured. adverse: NULL if it has no adversary. */
struct sort_way {
    const char *name;
    int stable, by_function;
    uint64_t (*work)(void *data);
    sort_adverse_fn *adverse;
};

static inline void sort_fill(struct sort_data *data, enum sort_order order) {
    for (size_t i = 0; i < data->n * data->count; i++) {
        size_t at = order == SORT_RANDOM || order == SORT_FEW ? i : i % data->n;
        sort_set(data, i, sort_number(order, at, data->n));
    }
}

static inline void sort_measure(struct sort_data *data, enum sort_order order, size_t n, const char *size,
                                const struct sort_way *ways, int count) {
    static const char *const types[] = {"int32", "int64", "double", "pair"};
    static const char *const orders[] = {"random", "sorted", "reversed", "equal",
                                         "few",    "killer", "adversary"};
    static const size_t sizes[] = {4, 8, 8, sizeof(struct sort_pair)};
    data->n = n, data->bytes = n * sizes[data->type], data->count = n < 10000 ? SORT_LEAST / n : 1;
    if (order != SORT_ADVERSARY)
        sort_fill(data, order);
    sort_prepare(data);
    uint64_t expected = sort_proof(data, 0, 0);
    for (int i = 0; i < count; i++) {
        if (order >= SORT_ORDERS && ways[i].stable)
            continue;
        if (n > SORT_LEAST && ways[i].by_function && data->type != SORT_INT64)
            continue; /* they take long, and are all alike */
        if (order == SORT_ADVERSARY) {
            if (!ways[i].adverse)
                continue;
            sort_fill_adverse(data, ways[i].adverse);
            sort_prepare(data);
            expected = sort_proof(data, 0, 0);
        }
        const struct harness_kernel kernel = {sort_prepare, sort_arrays,
                                              ways[i].stable ? sort_result_stable : sort_result};
        char name[48];
        data->sort = ways[i].work;
        snprintf(name, sizeof name, "%s.%s.%s.%s%s%s", ways[i].stable ? "stable" : "sort", types[data->type],
                 orders[order], size, ways[i].name[0] ? ".by_" : "", ways[i].name);
        harness_measure_kernel(name, &kernel, data, expected, (double)(n * data->count));
    }
}

/* 1e7, in all ways that are not by a function, and 1e8, where elements that are alike may come out in any order. */
static inline int sort_main_large(const struct sort_way *ways, int count) {
    static const size_t sizes[] = {10000000, 100000000};
    static const char *const names[] = {"1e7", "1e8"};
    struct sort_data data = {SORT_INT64, 0, 0, 0, NULL, NULL, NULL, NULL, 0};
    data.input = harness_memory(sizes[1] * sizeof(int64_t));
    data.arrays = harness_memory(sizes[1] * sizeof(int64_t));
    for (int size = 0; size < 2; size++)
        for (int i = 0; i < count; i++)
            if (!ways[i].by_function && (size == 0 || !ways[i].stable))
                sort_measure(&data, SORT_RANDOM, sizes[size], names[size], &ways[i], 1);
    free(data.input), free(data.arrays);
    return harness_end();
}

static inline int sort_main(int argc, char **argv, const struct sort_way *ways, int count) {
    static const size_t sizes[] = {1000, 1000000, 100000};
    static const char *const names[] = {"1e3", "1e6", "1e5"};
    harness_begin(argc, argv);
    harness_budget /= 4; /* there are many */
    if (harness_large(argc, argv))
        return sort_main_large(ways, count);
    size_t only = argc > 2 ? (size_t)harness_number(argc, argv, 2, 0, 1 << 28) : 0,
           most = only > SORT_LEAST ? only : sizes[1];
    struct sort_data data = {SORT_INT32, 0, 0, 0, NULL, NULL, NULL, NULL, 0};
    data.input = harness_memory(most * sizeof(struct sort_pair));
    data.arrays = harness_memory(most * sizeof(struct sort_pair));
    for (int type = 0; type < SORT_TYPES; type++)
        for (int order = 0; order <= (type == SORT_INT64 ? SORT_ADVERSARY : SORT_FEW); order++) {
            data.type = (enum sort_type)type;
            if (only)
                sort_measure(&data, (enum sort_order)order, only, argv[2], ways, count);
            else
                for (int i = order == SORT_RANDOM ? 0 : 2; i < 3; i++)
                    sort_measure(&data, (enum sort_order)order, sizes[i], names[i], ways, count);
        }
    free(data.input), free(data.arrays);
    return harness_end();
}

#endif
