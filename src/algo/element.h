/* Shared by algorithms over arrays: elements, copies, bad arguments, and the input of typed ones. */
#ifndef BZ_ALGO_ELEMENT_H
#define BZ_ALGO_ELEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/compiler.h"
#include "base/config.h"
#include "blitz.h"

/* Of the current pool, at least 1. */
static inline unsigned bz_algo_workers(void) {
    unsigned workers = blitz_pool_workers(blitz_pool_current());
    return workers ? workers : 1;
}

static inline size_t bz_algo_grain(size_t size) {
    return size < BZ_ALGO_BYTES ? BZ_ALGO_BYTES / size : 1;
}

static inline const char *bz_elem(const void *base, size_t index, size_t size) {
    return (const char *)base + index * size;
}
static inline char *bz_elem_out(void *base, size_t index, size_t size) {
    return (char *)base + index * size;
}

/* For reductions that count. */
static inline void bz_add_counts(void *left, const void *right, void *ctx) {
    (void)ctx;
    *(size_t *)left += *(const size_t *)right;
}

/* Common sizes without a call. */
BZ_INLINE void bz_elem_copy(void *to, const void *from, size_t size) {
    if (size == 8)
        memcpy(to, from, 8);
    else if (size == 4)
        memcpy(to, from, 4);
    else if (size == 16)
        memcpy(to, from, 16);
    else
        memcpy(to, from, size);
}

/* Swaps two pieces of memory that do not overlap. */
void bz_swap_bytes(char *a, char *b, size_t bytes);

/* The input of typed reductions and scans: one array or two; and the usual number of lanes (lanes.h). */
#define ALGO_LANES 16
struct typed {
    const void *a, *b;
};

/* The name of a template for one type. */
#define SUFFIXED(word, suffix) SUFFIXED_(word, suffix)
#define SUFFIXED_(word, suffix) word##suffix

/* More elements than there can be. */
static inline bool bz_count_is_bad(size_t count, size_t size) {
    return count > SIZE_MAX / 2 / size;
}

/* An array that cannot exist. An empty one may be NULL. */
static inline bool bz_array_is_bad(const void *base, size_t count, size_t size) {
    return size == 0 || (!base && count > 0) || bz_count_is_bad(count, size);
}

#endif
