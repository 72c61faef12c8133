/* Sorting in parallel: what is common to all types of elements. blitz/sort.h has the parts that are compiled for each
 * type; here they are put together.
 *
 * A sort is a quicksort whose larger parts are forked: each is a job that its worker takes back unless a thief came. As
 * long as workers have nothing to do, large ranges are split by all of them (sort_split.c), so that the first levels
 * scale, too. */
#ifndef BZ_SORT_H
#define BZ_SORT_H

#include <stdlib.h>

#include "base/compiler.h"
#include "blitz/sort.h"
#include "sched/worker.h"

/* A sort under way. Constant while it runs. */
struct bz_sort {
    const blitz_sorter *s;
    char *base;  /* of the whole array */
    char *spare; /* of a stable sort: as much memory again; else NULL */
};

/* Moves the elements that are less than the pivot (or_equal: not greater) to the front, by all workers; returns how many.
 * The pivot is none of the range's. Stable if the sort is. */
size_t bz_sort_split_wide(const struct bz_sort *sort, char *base, size_t n, const char *pivot, int or_equal);

/* The spare memory that belongs to a part of the array. */
static inline char *bz_sort_spare(const struct bz_sort *sort, const char *base) {
    return sort->spare + (base - sort->base);
}

/* Bad pivots that a sort of n elements may meet: log2(n). */
static inline unsigned bz_sort_limit(size_t n) {
    return 63 - (unsigned)__builtin_clzll((unsigned long long)n | 1);
}

/* Sorts elements of any size in O(n log n) without memory. */
void bz_sort_heap(const blitz_sorter *s, char *first, size_t n);

/* How to sort elements of `size` bytes by a function. The sorter refers to `by`. Of one for more than BLITZ_SORT_BYTES_ only
 * the comparison and the merge may be used. */
struct bz_compare {
    blitz_compare_fn *compare;
    void *ctx;
};
blitz_sorter bz_sorter_by(size_t size, const struct bz_compare *by);

/* Whether `count` elements of `size` bytes may exist. */
static inline bool bz_is_array(const void *base, size_t count, size_t size) {
    return size > 0 && count <= SIZE_MAX / 2 / size && (base || count == 0);
}

/* For sorts and merges that cannot fail: whether there is no array, and then a warning, once. */
bool bz_sort_is_missing(const void *base, size_t count);

#endif
