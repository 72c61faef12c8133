/* The typed reductions for the type with the suffix SUFFIX, which it undefines; included by typed.c, which says what is
 * known of the type. LOCAL(word) is a private name of it, NAME(verb) a public one. */

/* ---- sums ---- */

#define MAP LOCAL(add)
#define OF(i) (LOCAL(term)) a[i]
#define JOIN(x, y) ((x) + (y))
#define FIRST(x) (x)
#define LANE LOCAL(term)
#define LANES ALGO_LANES
#define ROWS 65536
#define TOTAL LOCAL(wide)
#include "algo/lanes.h"

#define MAP LOCAL(add_products)
#define OF(i) ((LOCAL(factor))a[i] * (LOCAL(factor))b[i])
#define JOIN(x, y) ((x) + (y))
#define FIRST(x) (x)
#define LANE LOCAL(product)
#define LANES ALGO_LANES
#define ROWS 65536
#define TOTAL LOCAL(wide)
#include "algo/lanes.h"

static void LOCAL(add_sum)(void *left, const void *right, void *ctx) {
    (void)ctx;
    *(LOCAL(wide) *)left += *(const LOCAL(wide) *)right;
}

static const LOCAL(wide) LOCAL(zero);

LOCAL(sum) NAME(sum)(const T *values, size_t count) {
    static const blitz_reduce_op op = {sizeof(LOCAL(wide)), &LOCAL(zero), LOCAL(add), LOCAL(add_sum)};
    LOCAL(wide) sum = 0;
    reduce(&op, &(struct typed){values, values}, count, sizeof(T), &sum);
    return (LOCAL(sum))sum;
}

LOCAL(sum) NAME(dot)(const T *a, const T *b, size_t count) {
    static const blitz_reduce_op op = {sizeof(LOCAL(wide)), &LOCAL(zero), LOCAL(add_products),
                                       LOCAL(add_sum)};
    LOCAL(wide) sum = 0;
    reduce(&op, &(struct typed){a, b}, count, sizeof(T), &sum);
    return (LOCAL(sum))sum;
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
#define FIRST(x) LOCAL(lesser)(LOCAL(greatest), x) /* it may be a NaN */
#define LANE T
#define LANES EXTREME_LANES
#define ROWS SIZE_MAX
#define TOTAL T
#include "algo/lanes.h"

#define MAP LOCAL(find_greatest)
#define OF(i) a[i]
#define JOIN LOCAL(greater)
#define FIRST(x) LOCAL(greater)(LOCAL(least), x)
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
    static const blitz_reduce_op op = {sizeof(T), &LOCAL(greatest), LOCAL(find_least), LOCAL(take_lesser)};
    T least = LOCAL(greatest);
    reduce(&op, &(struct typed){values, values}, count, sizeof(T), &least);
    return least;
}

T NAME(max)(const T *values, size_t count) {
    static const blitz_reduce_op op = {sizeof(T), &LOCAL(least), LOCAL(find_greatest), LOCAL(take_greater)};
    T greatest = LOCAL(least);
    reduce(&op, &(struct typed){values, values}, count, sizeof(T), &greatest);
    return greatest;
}

/* ---- equal values ---- */

#define MAP LOCAL(count_equal)
#define OF(i) (a[i] == *b)
#define JOIN(x, y) ((x) + (y))
#define FIRST(x) (x)
#define LANE LOCAL(unsigned)
#define LANES (sizeof(T) < 4 ? 2 * ALGO_LANES : ALGO_LANES)
#define ROWS (LOCAL(unsigned)) - 1
#define TOTAL size_t
#include "algo/lanes.h"

size_t NAME(count)(const T *values, size_t count, T value) {
    static const size_t none;
    static const blitz_reduce_op op = {sizeof none, &none, LOCAL(count_equal), bz_add_counts};
    size_t found = 0;
    reduce(&op, &(struct typed){values, &value}, count, sizeof(T), &found);
    return found;
}

#undef SUFFIX
