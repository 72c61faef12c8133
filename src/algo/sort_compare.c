/* blitz_sort and blitz_stable_sort: the sorts by a function, with code for each common size of elements and for all
 * others. */
#include <errno.h>

#include "algo/sort.h"

BLITZ_SORT_INLINE_ int by_function(const void *a, const void *b, const void *ctx) {
    const struct bz_compare *by = ctx;
    return by->compare(a, b, by->ctx) < 0;
}

/* Aligned for any type of its size. */
#define ELEMENT(bytes, alignment)                                                                            \
    struct element##bytes {                                                                                  \
        _Alignas(alignment) char bytes_[bytes];                                                              \
    };
#define FUNCTIONS(bytes, alignment)                                                                          \
    ELEMENT(bytes, alignment)                                                                                \
    BLITZ_SORT_INLINE_ int by##bytes##_less_(const void *a, const void *b, const void *ctx) {                \
        return by_function(a, b, ctx);                                                                       \
    }                                                                                                        \
    BLITZ_SORTER_FUNCTIONS_(by##bytes, struct element##bytes, bytes)

FUNCTIONS(1, 1)
FUNCTIONS(2, 2)
FUNCTIONS(4, 4)
FUNCTIONS(8, 8)
FUNCTIONS(12, 4)
FUNCTIONS(16, 16)
FUNCTIONS(24, 8)
FUNCTIONS(32, 32)

/* Any size up to that of an element64. */
ELEMENT(64, 64)
BLITZ_SORT_INLINE_ int any_less_(const void *a, const void *b, const void *ctx) {
    return by_function(a, b, ctx);
}
BLITZ_SORTER_FUNCTIONS_(any, struct element64, s->size)
_Static_assert(sizeof(struct element64) == BLITZ_SORT_BYTES_, "room for any element");

blitz_sorter bz_sorter_by(size_t size, const struct bz_compare *by) {
#define CASE(bytes)                                                                                          \
    case bytes:                                                                                              \
        return (blitz_sorter)BLITZ_SORTER_(by##bytes, bytes, by)
    switch (size) {
        CASE(1);
        CASE(2);
        CASE(4);
        CASE(8);
        CASE(12);
        CASE(16);
        CASE(24);
        CASE(32);
    default:
        return (blitz_sorter)BLITZ_SORTER_(any, size, by);
    }
#undef CASE
}

static int sort(void *base, size_t count, size_t size, blitz_compare_fn *compare, void *ctx, bool stable) {
    if (!compare || bz_array_is_bad(base, count, size))
        return EINVAL;
    struct bz_compare by = {compare, ctx};
    blitz_sorter s = bz_sorter_by(size, &by);
    if (size > BLITZ_SORT_BYTES_)
        return blitz_sorter_big(&s, base, count, stable);
    if (stable)
        return blitz_sorter_stable(&s, base, count);
    blitz_sorter_run(&s, base, count);
    return 0;
}

int blitz_sort(void *base, size_t count, size_t size, blitz_compare_fn *compare, void *ctx) {
    return sort(base, count, size, compare, ctx, false);
}

int blitz_stable_sort(void *base, size_t count, size_t size, blitz_compare_fn *compare, void *ctx) {
    return sort(base, count, size, compare, ctx, true);
}
