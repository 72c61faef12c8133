/* mergesort: numbers from a hash; below the cut-off a serial sort by insertion and merging. */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <string.h>

#include "harness.h"

enum { SORT_CUTOFF = 4096, SORT_INSERTION = 24 };

struct sort_data {
    size_t n;
    uint32_t *input, *array, *spare;
};

static inline void sort_fill(struct sort_data *data, size_t n) {
    *data = (struct sort_data){n, malloc(n * 4), malloc(n * 4), malloc(n * 4)};
    if (!data->input || !data->array || !data->spare) {
        fprintf(stderr, "mergesort: no memory for %zu numbers\n", n);
        exit(2);
    }
    for (size_t i = 0; i < n; i++)
        data->input[i] = (uint32_t)harness_mix(i);
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
    memcpy(spare, array, n * sizeof *array);
    sort_merge(spare, half, spare + half, n - half, array);
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

#endif
