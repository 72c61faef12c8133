/* Parallel sorts, from the parts that blitz/sort.h compiles for each type of elements.
 *
 * A sort is a quicksort that forks the larger part of each range: its worker takes it back unless a thief came. */
#ifndef BZ_SORT_H
#define BZ_SORT_H

#include "algo/element.h"
#include "blitz/sort.h"

/* A sort under way. Constant while it runs. */
struct bz_sort {
    const blitz_sorter *s;
    char *base;  /* of the whole array */
    char *spare; /* of a stable sort: memory of the same size; else NULL */
};

static inline char *bz_sort_spare(const struct bz_sort *sort, const char *base) {
    return sort->spare + (base - sort->base);
}

/* Bad pivots that a sort of n elements may meet: log2(n). */
static inline unsigned bz_sort_limit(size_t n) {
    return 63 - (unsigned)__builtin_clzll((unsigned long long)n | 1);
}

/* In O(n log n) without memory. */
void bz_sort_heap(const blitz_sorter *s, char *first, size_t n);

/* A sorter of elements of `size` bytes, which refers to `by`. Above BLITZ_SORT_BYTES_ it can only compare and merge. */
struct bz_compare {
    blitz_compare_fn *compare;
    void *ctx;
};
blitz_sorter bz_sorter_by(size_t size, const struct bz_compare *by);

/* For sorts and merges without an error value: true if the array is NULL, with one warning per process. */
bool bz_sort_is_missing(const void *base, size_t count);

#endif
