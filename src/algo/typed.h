/* The typed reductions for one type; included by typed.c with
 *   T                      the type; UNSIGNED, of the same size, counts in vectors of it
 *   SUM, WIDE              what sums are returned as, and what they are added up in
 *   TERM, FACTOR, PRODUCT  what 65536 elements can be added up in, what an element is multiplied in, and what the products
 *                          of 65536 elements can be added up in; or WIDE
 *   LEAST, GREATEST        its ends
 *   NAME, LOCAL            the public and the private names
 * All of which it undefines. */

/* ---- sums ---- */

#define MAP LOCAL(add)
#define OF(i) (TERM) a[i]
#define JOIN(x, y) ((x) + (y))
#define FIRST(x) (x)
#define LANE TERM
#define LANES ALGO_LANES
#define ROWS 65536
#define TOTAL WIDE
#include "algo/lanes.h"

#define MAP LOCAL(add_products)
#define OF(i) ((FACTOR)a[i] * (FACTOR)b[i])
#define JOIN(x, y) ((x) + (y))
#define FIRST(x) (x)
#define LANE PRODUCT
#define LANES ALGO_LANES
#define ROWS 65536
#define TOTAL WIDE
#include "algo/lanes.h"

static void LOCAL(add_sum)(void *left, const void *right, void *ctx) {
    (void)ctx;
    *(WIDE *)left += *(const WIDE *)right;
}

static const WIDE LOCAL(zero);

SUM NAME(sum)(const T *values, size_t count) {
    static const blitz_reduce_op op = {sizeof(WIDE), &LOCAL(zero), LOCAL(add), LOCAL(add_sum)};
    WIDE sum = 0;
    reduce(&op, &(struct typed){values, values}, count, sizeof(T), &sum);
    return (SUM)sum;
}

SUM NAME(dot)(const T *a, const T *b, size_t count) {
    static const blitz_reduce_op op = {sizeof(WIDE), &LOCAL(zero), LOCAL(add_products), LOCAL(add_sum)};
    WIDE sum = 0;
    reduce(&op, &(struct typed){a, b}, count, sizeof(T), &sum);
    return (SUM)sum;
}

/* ---- least and greatest ---- */

static T LOCAL(lesser)(T a, T b) {
    return b < a ? b : a;
}

static T LOCAL(greater)(T a, T b) {
    return b > a ? b : a;
}

#define MAP LOCAL(find_least)
#define OF(i) a[i]
#define JOIN LOCAL(lesser)
#define FIRST(x) LOCAL(lesser)(GREATEST, x) /* it may be a NaN */
#define LANE T
#define LANES EXTREME_LANES
#define ROWS SIZE_MAX
#define TOTAL T
#include "algo/lanes.h"

#define MAP LOCAL(find_greatest)
#define OF(i) a[i]
#define JOIN LOCAL(greater)
#define FIRST(x) LOCAL(greater)(LEAST, x)
#define LANE T
#define LANES EXTREME_LANES
#define ROWS SIZE_MAX
#define TOTAL T
#include "algo/lanes.h"

static void LOCAL(take_lesser)(void *left, const void *right, void *ctx) {
    (void)ctx;
    *(T *)left = LOCAL(lesser)(*(T *)left, *(const T *)right);
}

static void LOCAL(take_greater)(void *left, const void *right, void *ctx) {
    (void)ctx;
    *(T *)left = LOCAL(greater)(*(T *)left, *(const T *)right);
}

T NAME(min)(const T *values, size_t count) {
    static const T most = GREATEST;
    static const blitz_reduce_op op = {sizeof most, &most, LOCAL(find_least), LOCAL(take_lesser)};
    T least = most;
    reduce(&op, &(struct typed){values, values}, count, sizeof(T), &least);
    return least;
}

T NAME(max)(const T *values, size_t count) {
    static const T most = LEAST;
    static const blitz_reduce_op op = {sizeof most, &most, LOCAL(find_greatest), LOCAL(take_greater)};
    T greatest = most;
    reduce(&op, &(struct typed){values, values}, count, sizeof(T), &greatest);
    return greatest;
}

/* ---- equal values ---- */

#define MAP LOCAL(count_equal)
#define OF(i) (a[i] == *b)
#define JOIN(x, y) ((x) + (y))
#define FIRST(x) (x)
#define LANE UNSIGNED
#define LANES (sizeof(T) < 4 ? 2 * ALGO_LANES : ALGO_LANES)
#define ROWS (UNSIGNED) - 1
#define TOTAL size_t
#include "algo/lanes.h"

size_t NAME(count)(const T *values, size_t count, T value) {
    static const size_t none;
    static const blitz_reduce_op op = {sizeof none, &none, LOCAL(count_equal), bz_add_counts};
    size_t found = 0;
    reduce(&op, &(struct typed){values, &value}, count, sizeof(T), &found);
    return found;
}

#undef T
#undef UNSIGNED
#undef SUM
#undef WIDE
#undef TERM
#undef FACTOR
#undef PRODUCT
#undef LEAST
#undef GREATEST
#undef NAME
#undef LOCAL
