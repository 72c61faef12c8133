/* workload.h of `mergesort` and `cilksort`: numbers from a hash; below the cut-off a sort by insertion and merging. */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <string.h>

#include "harness.h"

enum { SORT_CUTOFF = 1024, SORT_INSERTION = 24 };

struct sort_data {
    size_t n;
    uint32_t *input, *array, *spare;
};

static inline void sort_fill(struct sort_data *data, size_t n) {
    data->n = n;
    data->input = (uint32_t *)harness_memory(n * 4);
    data->array = (uint32_t *)harness_memory(n * 4);
    data->spare = (uint32_t *)harness_memory(n * 4);
    for (size_t i = 0; i < n; i++)
        data->input[i] = (uint32_t)harness_mix(i);
}

static inline void sort_prepare(void *arg) {
    struct sort_data *data = (struct sort_data *)arg;
    memcpy(data->array, data->input, data->n * sizeof *data->array);
}

/* Merges a[0 .. n) and b[0 .. m). */
static inline void sort_merge(const uint32_t *a, size_t n, const uint32_t *b, size_t m, uint32_t *out) {
    while (n > 0 && m > 0) {
        uint32_t x = *a, y = *b;
        size_t first = x <= y;
        *out++ = first ? x : y;
        a += first, n -= first;
        b += 1 - first, m -= 1 - first;
    }
    memcpy(out, n > 0 ? a : b, (n + m) * sizeof *out);
}

/* The rest, when both halves are sorted. */
static inline void sort_merge_halves(uint32_t *array, uint32_t *spare, size_t n) {
    size_t half = n / 2;
    memcpy(spare, array, n * sizeof *array);
    sort_merge(spare, half, spare + half, n - half, array);
}

static inline void sort_serial(uint32_t *array, uint32_t *spare, size_t n) {
    if (n <= SORT_INSERTION) {
        for (size_t i = 1; i < n; i++) {
            uint32_t x = array[i];
            size_t j = i;
            for (; j > 0 && array[j - 1] > x; j--)
                array[j] = array[j - 1];
            array[j] = x;
        }
        return;
    }
    size_t half = n / 2;
    sort_serial(array, spare, half);
    sort_serial(array + half, spare + half, n - half);
    sort_merge_halves(array, spare, n);
}

/* A sum that is right only for the input's numbers in order; 0 if they are not in order. */
static inline uint64_t sort_proof(const uint32_t *array, size_t n, int ordered) {
    uint64_t sum = 1;
    for (size_t i = 0; i < n; i++) {
        if (ordered && i > 0 && array[i - 1] > array[i])
            return 0;
        sum += harness_mix(array[i]);
    }
    return sum;
}

static inline uint64_t sort_result(void *arg) {
    const struct sort_data *data = (const struct sort_data *)arg;
    return sort_proof(data->array, data->n, 1);
}

/* Prints NAME, the time per number. Arguments: MS, numbers. */
static inline int sort_main(int argc, char **argv, const char *name, uint64_t (*sort_all)(void *data)) {
    struct sort_data data;
    harness_begin(argc, argv);
    sort_fill(&data, (size_t)harness_number(argc, argv, 2, 1 << 18, 1 << 28));
    const struct harness_kernel kernel = {sort_prepare, sort_all, sort_result};
    harness_measure_kernel(name, &kernel, &data, sort_proof(data.input, data.n, 0), (double)data.n);
    free(data.input), free(data.array), free(data.spare);
    return harness_end();
}

#endif
