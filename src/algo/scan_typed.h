/* The typed scans for one type; included by algo_scan_typed.c with
 *   T, CELL         the type, and what scans add up in
 *   FOUR_IN_VECTOR  defined if it has 4 bytes
 *   NAME, LOCAL     the public and the private names
 * All of which it undefines. */
#define MAP LOCAL(add_cells)
#define OF(i) (CELL) a[i]
#define JOIN(x, y) ((x) + (y))
#define FIRST(x) (x)
#define LANE CELL
#define LANES ALGO_LANES
#define ROWS SIZE_MAX
#define TOTAL CELL
#include "algo/lanes.h"

static void LOCAL(add_cell)(void *left, const void *right, void *ctx) {
    (void)ctx;
    *(CELL *)left += *(const CELL *)right;
}

/* The sums of four cells and of those before them, for the sum of all before these. Only one addition in four waits for the
 * one before. Cells of 4 bytes are added as one vector: gcc makes none of single ones. */
#ifdef FOUR_IN_VECTOR
typedef CELL LOCAL(four) __attribute__((vector_size(16)));

static inline LOCAL(four) LOCAL(sum_four)(const T *in) {
    const LOCAL(four) zero = {0};
    LOCAL(four) sums;
    memcpy(&sums, in, sizeof sums);
    sums += __builtin_shufflevector(sums, zero, 4, 0, 1, 2);
    return sums + __builtin_shufflevector(sums, zero, 4, 4, 0, 1);
}

static inline CELL LOCAL(put_inclusive)(const T *in, T *out, CELL sum) {
    LOCAL(four) sums = LOCAL(sum_four)(in), all = sums + sum;
    memcpy(out, &all, sizeof all);
    return sum + sums[3];
}

static inline CELL LOCAL(put_exclusive)(const T *in, T *out, CELL sum) {
    const LOCAL(four) zero = {0};
    LOCAL(four) sums = LOCAL(sum_four)(in), all = __builtin_shufflevector(sums, zero, 4, 0, 1, 2) + sum;
    memcpy(out, &all, sizeof all);
    return sum + sums[3];
}
#else
static inline CELL LOCAL(put_inclusive)(const T *in, T *out, CELL sum) {
    CELL a = (CELL)in[0], ab = a + (CELL)in[1], c = (CELL)in[2], cd = c + (CELL)in[3];
    out[0] = (T)(sum + a);
    out[1] = (T)(sum + ab);
    out[2] = (T)(sum + (ab + c));
    sum += ab + cd;
    out[3] = (T)sum;
    return sum;
}

static inline CELL LOCAL(put_exclusive)(const T *in, T *out, CELL sum) {
    CELL a = (CELL)in[0], ab = a + (CELL)in[1], c = (CELL)in[2], cd = c + (CELL)in[3];
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
    CELL sum = *(CELL *)value;
    size_t i = lo;
    for (; hi - i >= 4; i += 4)
        sum = LOCAL(put_inclusive)(in + i, out + i, sum);
    for (; i < hi; i++)
        out[i] = (T)(sum += (CELL)in[i]);
    *(CELL *)value = sum;
    return 0;
}

static int LOCAL(scan_exclusive)(size_t lo, size_t hi, void *value, void *ctx) {
    const T *in = ((const struct typed *)ctx)->a;
    T *out = ((const struct typed_scan *)ctx)->out;
    CELL sum = *(CELL *)value;
    size_t i = lo;
    for (; hi - i >= 4; i += 4)
        sum = LOCAL(put_exclusive)(in + i, out + i, sum);
    for (; i < hi; i++) {
        CELL next = sum + (CELL)in[i];
        out[i] = (T)sum;
        sum = next;
    }
    *(CELL *)value = sum;
    return 0;
}

static const CELL LOCAL(no_cell);
static const blitz_reduce_op LOCAL(cells) = {sizeof(CELL), &LOCAL(no_cell), LOCAL(add_cells),
                                             LOCAL(add_cell)};

int NAME(inclusive_sum)(const T *in, T *out, size_t count) {
    struct typed_scan scan = {{in, NULL}, out};
    if (bz_array_is_bad(in, count, sizeof *in) || bz_array_is_bad(out, count, sizeof *out))
        return EINVAL;
    return blitz_scan(0, count, BZ_ALGO_SCAN_GRAIN, &LOCAL(cells), LOCAL(scan_inclusive), &scan, NULL);
}

int NAME(exclusive_sum)(const T *in, T *out, size_t count, T *total) {
    struct typed_scan scan = {{in, NULL}, out};
    if (bz_array_is_bad(in, count, sizeof *in) || bz_array_is_bad(out, count, sizeof *out))
        return EINVAL;
    return blitz_scan(0, count, BZ_ALGO_SCAN_GRAIN, &LOCAL(cells), LOCAL(scan_exclusive), &scan, total);
}

#undef T
#undef CELL
#undef FOUR_IN_VECTOR
#undef NAME
#undef LOCAL
