/* sort_elements.h: common parts of the tests of sorts: elements of any size in many orders, memory with guards. */
#ifndef SORT_ELEMENTS_H
#define SORT_ELEMENTS_H

#include <stdlib.h>
#include <string.h>

#include "../asserts.h"
#include "../sanitized.h"

/* Smaller than the largest size where sanitizers are slow. */
enum { LARGEST = SANITIZED ? 200000 : 1000000, LARGE = LARGEST / 10 };

static _Thread_local uint64_t random_state = 1;

static inline uint64_t random_number(void) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    uint64_t x = random_state ^ random_state >> 29;
    return x * 0x9e3779b97f4a7c15u >> 20;
}

/* ---- elements: a key of up to four bytes, and the index where there is room ---- */

enum order { RANDOM, SORTED, REVERSED, EQUAL, FEW, TWO, ORGAN_PIPE, SORTED_BUT_LAST, SAWTOOTH, ORDERS };

static inline uint32_t key_at(enum order order, size_t i, size_t n) {
    switch (order) {
    case RANDOM:
        return (uint32_t)random_number();
    case SORTED:
        return (uint32_t)i;
    case REVERSED:
        return (uint32_t)(n - i);
    case FEW:
        return (uint32_t)random_number() % 10;
    case TWO:
        return (uint32_t)random_number() % 2;
    case ORGAN_PIPE:
        return (uint32_t)(i < n / 2 ? i : n - i);
    case SORTED_BUT_LAST:
        return (uint32_t)(i < n - n / 10 ? i : random_number());
    case SAWTOOTH:
        return (uint32_t)(i % (n / 7 + 1));
    default:
        return 3;
    }
}

static inline uint32_t key_of(const void *element, size_t size) {
    uint32_t key = 0;
    memcpy(&key, element, size < 4 ? size : 4);
    return key;
}

static inline uint32_t index_of(const void *element, size_t size) {
    uint32_t index = 0;
    if (size >= 8)
        memcpy(&index, (const char *)element + 4, 4);
    return index;
}

static inline void fill(char *array, size_t n, size_t size, enum order order) {
    for (size_t i = 0; i < n; i++) {
        uint32_t key = key_at(order, i, n), index = (uint32_t)i;
        memset(array + i * size, (int)(key * 7 + index), size);
        memcpy(array + i * size, &key, size < 4 ? size : 4);
        if (size >= 8)
            memcpy(array + i * size + 4, &index, 4);
    }
}

static inline int by_key(const void *a, const void *b, void *ctx) {
    size_t size = *(const size_t *)ctx;
    uint32_t x = key_of(a, size), y = key_of(b, size);
    return (x > y) - (x < y);
}

static _Thread_local size_t qsort_size;

static inline int by_key_and_index(const void *a, const void *b) {
    uint32_t x = key_of(a, qsort_size), y = key_of(b, qsort_size);
    if (x == y)
        x = index_of(a, qsort_size), y = index_of(b, qsort_size);
    return (x > y) - (x < y);
}

static inline int by_bytes(const void *a, const void *b) {
    return memcmp(a, b, qsort_size);
}

static inline void sort_by(char *array, size_t n, size_t size, int (*compare)(const void *, const void *)) {
    qsort_size = size;
    qsort(array, n, size, compare);
}

/* Memory for n elements and a guard, which must stay as it is. */
enum { GUARD = 64 };

static inline char *guarded(size_t n, size_t size) {
    char *memory = malloc(n * size + 2 * GUARD);
    assert_non_null(memory);
    memset(memory, 0x5a, n * size + 2 * GUARD);
    return memory + GUARD;
}

static inline void free_guarded(char *array, size_t n, size_t size) {
    for (size_t i = 1; i <= GUARD; i++) {
        assert_int_equal(array[-(ptrdiff_t)i], 0x5a);
        assert_int_equal(array[n * size + i - 1], 0x5a);
    }
    free(array - GUARD);
}

#endif
