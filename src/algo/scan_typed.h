/* The typed scans for one type. Included by scan_typed.c with
 *   SUFFIX          of the names for the type
 *   T, ACC          the type, and that of sums
 *   FOUR_IN_VECTOR  defined if it has 4 bytes
 * which it undefines. LOCAL(word) is a private name, NAME(verb) a public one, OP(word) an operation of lanes.h. */

static const ACC LOCAL(zero);

#define MAP LOCAL(add)
#define OF(i) (ACC) a[i]
#define JOIN(x, y) ((x) + (y))
#define FIRST(x) (x)
#define LANE ACC
#define LANES ALGO_LANES
#define ROWS SIZE_MAX
#define TOTAL ACC
#define IDENTITY LOCAL(zero)
#include "algo/lanes.h"

/* Four sums, of all elements up to each, from the sum of all before. One addition in four waits for an earlier one. Sums of
 * 4 bytes are one vector, since gcc does not combine single ones. */
#ifdef FOUR_IN_VECTOR
typedef ACC LOCAL(four) __attribute__((vector_size(16)));

static inline LOCAL(four) LOCAL(sum_four)(const T *in) {
    const LOCAL(four) zero = {0};
    LOCAL(four) sums;
    memcpy(&sums, in, sizeof sums);
    sums += __builtin_shufflevector(sums, zero, 4, 0, 1, 2);
    return sums + __builtin_shufflevector(sums, zero, 4, 4, 0, 1);
}

static inline ACC LOCAL(put_inclusive)(const T *in, T *out, ACC sum) {
    LOCAL(four) sums = LOCAL(sum_four)(in), all = sums + sum;
    memcpy(out, &all, sizeof all);
    return sum + sums[3];
}

static inline ACC LOCAL(put_exclusive)(const T *in, T *out, ACC sum) {
    const LOCAL(four) zero = {0};
    LOCAL(four) sums = LOCAL(sum_four)(in), all = __builtin_shufflevector(sums, zero, 4, 0, 1, 2) + sum;
    memcpy(out, &all, sizeof all);
    return sum + sums[3];
}
#else
static inline ACC LOCAL(put_inclusive)(const T *in, T *out, ACC sum) {
    ACC a = (ACC)in[0], ab = a + (ACC)in[1], c = (ACC)in[2], cd = c + (ACC)in[3];
    out[0] = (T)(sum + a);
    out[1] = (T)(sum + ab);
    out[2] = (T)(sum + (ab + c));
    sum += ab + cd;
    out[3] = (T)sum;
    return sum;
}

static inline ACC LOCAL(put_exclusive)(const T *in, T *out, ACC sum) {
    ACC a = (ACC)in[0], ab = a + (ACC)in[1], c = (ACC)in[2], cd = c + (ACC)in[3];
    out[0] = (T)sum;
    out[1] = (T)(sum + a);
    out[2] = (T)(sum + ab);
    out[3] = (T)(sum + (ab + c));
    return sum + (ab + cd);
}
#endif

static int LOCAL(scan_inclusive)(size_t lo, size_t hi, void *value, void *ctx) {
    const T *in = ((const struct typed *)ctx)->a;
    T *out = ((const struct typed_scan *)ctx)->out;
    ACC sum = *(ACC *)value;
    size_t i = lo;
    for (; hi - i >= 4; i += 4)
        sum = LOCAL(put_inclusive)(in + i, out + i, sum);
    for (; i < hi; i++)
        out[i] = (T)(sum += (ACC)in[i]);
    *(ACC *)value = sum;
    return 0;
}

static int LOCAL(scan_exclusive)(size_t lo, size_t hi, void *value, void *ctx) {
    const T *in = ((const struct typed *)ctx)->a;
    T *out = ((const struct typed_scan *)ctx)->out;
    ACC sum = *(ACC *)value;
    size_t i = lo;
    for (; hi - i >= 4; i += 4)
        sum = LOCAL(put_exclusive)(in + i, out + i, sum);
    for (; i < hi; i++) {
        ACC next = sum + (ACC)in[i];
        out[i] = (T)sum;
        sum = next;
    }
    *(ACC *)value = sum;
    return 0;
}

int NAME(inclusive_sum)(const T *in, T *out, size_t count) {
    struct typed_scan scan = {{in, NULL}, out};
    if (bz_array_is_bad(in, count, sizeof *in) || bz_array_is_bad(out, count, sizeof *out))
        return EINVAL;
    return blitz_scan(0, count, SCAN_GRAIN, &OP(add), LOCAL(scan_inclusive), &scan, NULL);
}

int NAME(exclusive_sum)(const T *in, T *out, size_t count, T *total) {
    struct typed_scan scan = {{in, NULL}, out};
    if (bz_array_is_bad(in, count, sizeof *in) || bz_array_is_bad(out, count, sizeof *out))
        return EINVAL;
    return blitz_scan(0, count, SCAN_GRAIN, &OP(add), LOCAL(scan_exclusive), &scan, total);
}

#undef T
#undef ACC
#undef FOUR_IN_VECTOR
#undef SUFFIX
