/* workload.h of `array`: operations on an array in one pass. Each measurement is the time per element:
 *
 *   array.sum.f64.SIZE   the sum of doubles; whole numbers, so that every bracketing is exact
 *   array.sum.i64.SIZE   of integers
 *   array.max.f64.SIZE   the greatest double
 *   array.dot.f64.SIZE   the sum of the products of two arrays' doubles
 *   array.map.f64.SIZE   2 x + y for the doubles of two arrays, written to a third
 *
 * Sizes are 1e3 to 1e6 elements; with "large" 1e7, and 1e8 for the first. Of arrays below 1e5 a measurement takes as
 * many as have 1e5 together, one after the other. Arguments: MS, and "large" for the large ones alone. */
#ifndef BENCH_ARRAY_H
#define BENCH_ARRAY_H

#include "harness.h"

#include <string.h>

static const size_t array_least = 100000; /* elements of one measurement */
enum { ARRAY_STEP = 1021 };

struct array {
    const double *a, *b;
    const int64_t *numbers;
    double *out;
    size_t n;
};

typedef uint64_t array_verb(const struct array *array);
enum array_what { ARRAY_SUM_F64, ARRAY_SUM_I64, ARRAY_MAX_F64, ARRAY_DOT_F64, ARRAY_MAP_F64, ARRAY_VERBS };

/* A way to run all of it, and its name; "" if it is the only one. */
struct array_way {
    const char *name;
    array_verb *verbs[ARRAY_VERBS];
};

/* ---- what is done with the elements lo to hi - 1: several sums at once, which do not wait for each other ---- */

static inline double array_sum_f64(const double *a, size_t lo, size_t hi) {
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0, s6 = 0, s7 = 0;
    size_t i = lo;
    for (; hi - i >= 8; i += 8) {
        s0 += a[i], s1 += a[i + 1], s2 += a[i + 2], s3 += a[i + 3];
        s4 += a[i + 4], s5 += a[i + 5], s6 += a[i + 6], s7 += a[i + 7];
    }
    for (; i < hi; i++)
        s0 += a[i];
    return ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7));
}

static inline int64_t array_sum_i64(const int64_t *numbers, size_t lo, size_t hi) {
    int64_t sum = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = lo; i < hi; i++)
        sum += numbers[i];
    return sum;
}

static inline double array_greater(double x, double y) {
    return x > y ? x : y;
}
static inline double array_max_f64(const double *a, size_t lo, size_t hi) {
    double m0 = a[lo], m1 = m0, m2 = m0, m3 = m0;
    size_t i = lo;
    for (; hi - i >= 4; i += 4) {
        m0 = array_greater(a[i], m0), m1 = array_greater(a[i + 1], m1);
        m2 = array_greater(a[i + 2], m2), m3 = array_greater(a[i + 3], m3);
    }
    for (; i < hi; i++)
        m0 = array_greater(a[i], m0);
    return array_greater(array_greater(m0, m1), array_greater(m2, m3));
}

static inline double array_dot_f64(const double *a, const double *b, size_t lo, size_t hi) {
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0, s6 = 0, s7 = 0;
    size_t i = lo;
    for (; hi - i >= 8; i += 8) {
        s0 += a[i] * b[i], s1 += a[i + 1] * b[i + 1], s2 += a[i + 2] * b[i + 2], s3 += a[i + 3] * b[i + 3];
        s4 += a[i + 4] * b[i + 4], s5 += a[i + 5] * b[i + 5], s6 += a[i + 6] * b[i + 6],
            s7 += a[i + 7] * b[i + 7];
    }
    for (; i < hi; i++)
        s0 += a[i] * b[i];
    return ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7));
}

static inline void array_map_f64(double *out, const double *a, const double *b, size_t lo, size_t hi) {
#pragma omp simd
    for (size_t i = lo; i < hi; i++)
        out[i] = 2 * a[i] + b[i];
}

/* ---- measuring ---- */

struct array_data {
    struct array whole;
    size_t n;    /* of each array; they fill the whole */
    size_t step; /* between elements of a map that are checked */
    array_verb *verb;
};

static inline uint64_t array_run(void *arg) {
    const struct array_data *data = (const struct array_data *)arg;
    struct array at = data->whole;
    uint64_t sum = 0;
    at.n = data->n;
    for (size_t done = 0; done < data->whole.n; done += data->n) {
        sum += data->verb(&at);
        at.a += data->n, at.b += data->n, at.numbers += data->n, at.out += data->n;
    }
    return sum;
}

/* Whether the output is right; then wipes it, so that old values do not count. After the first time it checks only a
 * sample: meanwhile workers would fall asleep, and the next run would begin with their wake-up. */
static inline uint64_t array_written(void *arg) {
    struct array_data *data = (struct array_data *)arg;
    const struct array *whole = &data->whole;
    for (size_t i = 0; i < whole->n; i += data->step) {
        if (whole->out[i] != 2 * whole->a[i] + whole->b[i])
            return 0;
        whole->out[i] = -1;
    }
    data->step = ARRAY_STEP;
    return 1;
}

/* The same by plain loops. */
static inline uint64_t array_expected(const struct array_data *data, enum array_what what) {
    const struct array *whole = &data->whole;
    uint64_t sum = 0, greatest = 0;
    for (size_t i = 0; i < whole->n; i++) {
        uint64_t x = (uint64_t)whole->a[i];
        if (what == ARRAY_SUM_F64)
            sum += x;
        else if (what == ARRAY_SUM_I64)
            sum += (uint64_t)whole->numbers[i];
        else if (what == ARRAY_DOT_F64)
            sum += x * (uint64_t)whole->b[i];
        greatest = i % data->n == 0 || x > greatest ? x : greatest;
        if (what == ARRAY_MAX_F64 && (i + 1) % data->n == 0)
            sum += greatest;
    }
    return what == ARRAY_MAP_F64 ? 1 : sum;
}

static inline void array_measure(struct array_data *data, enum array_what what, const char *size,
                                 const struct array_way *ways, int count) {
    static const char *const names[] = {"sum.f64", "sum.i64", "max.f64", "dot.f64", "map.f64"};
    uint64_t expected = array_expected(data, what);
    for (int i = 0; i < count; i++) {
        const struct harness_kernel kernel = {NULL, array_run, what == ARRAY_MAP_F64 ? array_written : NULL};
        char name[48];
        if (!ways[i].verbs[what])
            continue;
        data->verb = ways[i].verbs[what], data->step = 1;
        snprintf(name, sizeof name, "array.%s.%s%s%s", names[what], size, ways[i].name[0] ? ".by_" : "",
                 ways[i].name);
        harness_measure_kernel(name, &kernel, data, expected, (double)data->whole.n);
    }
}

static inline int array_main(int argc, char **argv, const struct array_way *ways, int count) {
    static const size_t sizes[] = {1000, 10000, 100000, 1000000, 10000000, 100000000};
    static const char *const names[] = {"1e3", "1e4", "1e5", "1e6", "1e7", "1e8"};
    harness_begin(argc, argv);
    harness_budget /= 12; /* there are many short ones */
    int large = harness_large(argc, argv);
    size_t most = sizes[large ? 5 : 3], usual = sizes[large ? 4 : 3];
    double *a = (double *)harness_memory(most * sizeof *a), *b = (double *)harness_memory(usual * sizeof *b);
    double *out = (double *)harness_memory(usual * sizeof *out);
    int64_t *numbers = (int64_t *)harness_memory(usual * sizeof *numbers);
    for (size_t i = 0; i < most; i++)
        a[i] = (double)(harness_mix(i) % 1000);
    for (size_t i = 0; i < usual; i++)
        b[i] = (double)(i % 16), numbers[i] = (int64_t)(i % 1000), out[i] = 0;
    struct array_data data = {{a, b, numbers, out, 0}, 0, 1, NULL};
    for (int size = large ? 4 : 0; size < (large ? 6 : 4); size++)
        for (int what = 0; what < (size < 5 ? ARRAY_VERBS : 1); what++) {
            data.n = sizes[size], data.whole.n = data.n < array_least ? array_least : data.n;
            array_measure(&data, (enum array_what)what, names[size], ways, count);
        }
    free(a), free(b), free(out), free(numbers);
    return harness_end();
}

#endif
