/* The typed scans for one type. Included by scan_typed.c with
 *   SUFFIX          of the names for the type
 *   T, ACC          the type, and that of sums
 *   FOUR_IN_VECTOR  defined if it has 4 bytes
 * which it undefines. LOCAL(word) is a private name, NAME(verb) a public one, OP(word) an operation of lanes.h. */

#define MAP LOCAL(add)
#define OF(i) (ACC) a[i]
#define LANE ACC
#define LANES ALGO_LANES
#define TOTAL ACC
#include "algo/lanes.h"

/* Puts four sums, of all elements up to or before each, from the sum of all before. Returns the sum after them. One addition
 * in four waits for an earlier one. Sums of 4 bytes are one vector, since gcc does not combine single ones. */
BZ_INLINE ACC LOCAL(put)(const T *in, T *out, ACC sum, bool inclusive) {
#ifdef FOUR_IN_VECTOR
    typedef ACC four __attribute__((vector_size(16)));
    const four zero = {0};
    four sums;
    memcpy(&sums, in, sizeof sums);
    sums += __builtin_shufflevector(sums, zero, 4, 0, 1, 2);
    sums += __builtin_shufflevector(sums, zero, 4, 4, 0, 1);
    four all = (inclusive ? sums : __builtin_shufflevector(sums, zero, 4, 0, 1, 2)) + sum;
    memcpy(out, &all, sizeof all);
    return sum + sums[3];
#else
    ACC a = (ACC)in[0], ab = a + (ACC)in[1], c = (ACC)in[2], cd = c + (ACC)in[3];
    const ACC sums[] = {sum, sum + a, sum + ab, sum + (ab + c), sum + (ab + cd)};
    for (int i = 0; i < 4; i++)
        out[i] = (T)sums[i + inclusive];
    return sums[4];
#endif
}

BZ_INLINE int LOCAL(scan)(size_t lo, size_t hi, void *value, void *ctx, bool inclusive) {
    const T *in = ((const struct typed *)ctx)->a;
    T *out = ((const struct typed_scan *)ctx)->out;
    ACC sum = *(ACC *)value;
    size_t i = lo;
    for (; hi - i >= 4; i += 4)
        sum = LOCAL(put)(in + i, out + i, sum, inclusive);
    for (; i < hi; i++) {
        ACC next = sum + (ACC)in[i];
        out[i] = (T)(inclusive ? next : sum);
        sum = next;
    }
    *(ACC *)value = sum;
    return 0;
}

static int LOCAL(scan_inclusive)(size_t lo, size_t hi, void *value, void *ctx) {
    return LOCAL(scan)(lo, hi, value, ctx, true);
}

static int LOCAL(scan_exclusive)(size_t lo, size_t hi, void *value, void *ctx) {
    return LOCAL(scan)(lo, hi, value, ctx, false);
}

static int LOCAL(sum_up)(const T *in, T *out, size_t count, blitz_scan_fn *body, T *total) {
    struct typed_scan scan = {{in, NULL}, out};
    if (bz_array_is_bad(in, count, sizeof *in) || bz_array_is_bad(out, count, sizeof *out))
        return EINVAL;
    return blitz_scan(0, count, SCAN_GRAIN, &OP(add), body, &scan, total);
}

int NAME(inclusive_sum)(const T *in, T *out, size_t count) {
    return LOCAL(sum_up)(in, out, count, LOCAL(scan_inclusive), NULL);
}

int NAME(exclusive_sum)(const T *in, T *out, size_t count, T *total) {
    return LOCAL(sum_up)(in, out, count, LOCAL(scan_exclusive), total);
}

#undef T
#undef ACC
#undef FOUR_IN_VECTOR
#undef SUFFIX
