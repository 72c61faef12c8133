/* The typed reductions for the type with the suffix SUFFIX, which it undefines. typed.c includes it and describes the type.
 * LOCAL(word) is a private name of it, NAME(verb) a public one, OP(word) an operation of lanes.h. */

/* ---- sums ---- */

#define MAP LOCAL(add)
#define OF(i) (LOCAL(term)) a[i]
#define LANE LOCAL(term)
#define LANES ALGO_LANES
#define TOTAL LOCAL(wide)
#include "algo/lanes.h"

#define MAP LOCAL(add_products)
#define OF(i) ((LOCAL(factor))a[i] * (LOCAL(factor))b[i])
#define LANE LOCAL(product)
#define LANES ALGO_LANES
#define TOTAL LOCAL(wide)
#include "algo/lanes.h"

LOCAL(sum) NAME(sum)(const T *values, size_t count) {
    LOCAL(wide) sum = 0;
    reduce(&OP(add), &(struct typed){values, values}, count, sizeof(T), &sum);
    return (LOCAL(sum))sum;
}

LOCAL(sum) NAME(dot)(const T *a, const T *b, size_t count) {
    LOCAL(wide) sum = 0;
    reduce(&OP(add_products), &(struct typed){a, b}, count, sizeof(T), &sum);
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
#define LANE T
#define LANES EXTREME_LANES
#define TOTAL T
#define IDENTITY LOCAL(greatest)
#include "algo/lanes.h"

#define MAP LOCAL(find_greatest)
#define OF(i) a[i]
#define JOIN LOCAL(greater)
#define LANE T
#define LANES EXTREME_LANES
#define TOTAL T
#define IDENTITY LOCAL(least)
#include "algo/lanes.h"

T NAME(min)(const T *values, size_t count) {
    T least = LOCAL(greatest);
    reduce(&OP(find_least), &(struct typed){values, values}, count, sizeof(T), &least);
    return least;
}

T NAME(max)(const T *values, size_t count) {
    T greatest = LOCAL(least);
    reduce(&OP(find_greatest), &(struct typed){values, values}, count, sizeof(T), &greatest);
    return greatest;
}

/* ---- equal values ---- */

#define MAP LOCAL(count_equal)
#define OF(i) (a[i] == *b)
#define LANE LOCAL(unsigned)
#define LANES (sizeof(T) < 4 ? 2 * ALGO_LANES : ALGO_LANES)
#define TOTAL size_t
#include "algo/lanes.h"

size_t NAME(count)(const T *values, size_t count, T value) {
    size_t found = 0;
    reduce(&OP(count_equal), &(struct typed){values, &value}, count, sizeof(T), &found);
    return found;
}

#undef SUFFIX
