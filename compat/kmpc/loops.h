/* Between the arguments of loops, which come in four types, and the numbers of their iterations. A loop's bounds are
 * inclusive, and as numbers of 64 bits those of signed types have their sign. */
#ifndef KMPC_LOOPS_H
#define KMPC_LOOPS_H

#include "kmpc.h"

/* Width, type of the bounds, that of steps and chunks, the least and the greatest value. */
/* clang-format off */
#define KMPC_WIDTHS(X) \
    X(4, int32_t, int32_t, INT32_MIN, INT32_MAX) \
    X(4u, uint32_t, int32_t, 0, UINT32_MAX) \
    X(8, int64_t, int64_t, INT64_MIN, INT64_MAX) \
    X(8u, uint64_t, int64_t, 0, UINT64_MAX)
/* clang-format on */

/* A loop, or a part of it. */
struct kmpc_range {
    uint64_t lower, upper;
    int64_t step;
};

/* Its type. */
struct kmpc_type {
    bool is_signed;
    uint64_t least, most;
};
#define KMPC_TYPE(least, most)                                                                               \
    (struct kmpc_type) {                                                                                     \
        least < 0, (uint64_t)least, (uint64_t)most                                                           \
    }

/* Whether it has iterations; *last: the number of the last one. A step of 0 makes none. */
static inline bool kmpc_trips(struct kmpc_type type, const struct kmpc_range *range, uint64_t *last) {
    const uint64_t sign = type.is_signed ? UINT64_C(1) << 63 : 0;
    bool up = range->step > 0;
    uint64_t from = up ? range->lower : range->upper, to = up ? range->upper : range->lower;
    uint64_t each = up ? (uint64_t)range->step : -(uint64_t)range->step;
    if (each == 0 || (from ^ sign) > (to ^ sign))
        return false;
    *last = each == 1 ? to - from : (to - from) / each;
    return true;
}

static inline uint64_t kmpc_value(const struct kmpc_range *range, uint64_t number) {
    return range->lower + number * (uint64_t)range->step;
}

/* The part from number `first` to `last`. */
static inline void kmpc_cut(struct kmpc_range *range, uint64_t first, uint64_t last) {
    range->upper = kmpc_value(range, last);
    range->lower = kmpc_value(range, first);
}

/* No iteration: the lower bound is behind the upper one, which stays where it is if there is room behind it. */
static inline void kmpc_empty(struct kmpc_type type, struct kmpc_range *range) {
    uint64_t one = range->step > 0 ? 1 : UINT64_MAX;
    if (range->upper != (range->step > 0 ? type.most : type.least)) {
        range->lower = range->upper + one;
    } else {
        range->lower = range->upper;
        range->upper -= one;
    }
}

/* A schedule without its flags. */
static inline int32_t kmpc_kind(int32_t schedule) {
    int32_t kind = schedule & ~KMPC_SCHEDULE_FLAGS;
    bool unmerged =
        kind >= KMPC_UNMERGED + KMPC_STATIC_CHUNKED && kind <= KMPC_UNMERGED + KMPC_ORDERED_TRAPEZOIDAL;
    return unmerged ? kind - KMPC_UNMERGED : kind;
}

#endif
