/* The typed reductions and scans for one type; included by algo_typed.c with
 *   T                the type; UNSIGNED, of the same size, counts in vectors of it
 *   SUM, LANE, CELL  what sums are returned as, what they are added up in, and what scans add up in
 *   LEAST, GREATEST  its ends
 *   FOUR_IN_VECTOR   defined if it has 4 bytes
 *   NAME, LOCAL      the public and the private names
 * All of which it undefines.
 *
 * The loops keep ALGO_LANES results going, so that the next addition need not wait for the last one and the compiler can
 * use vector instructions, for floating point, too, without being allowed to rebracket. */
#ifndef ALGO_LANES
#    define ALGO_LANES 16
#    define ALGO_GRAIN 4096 /* elements that are not worth to be given away: about a microsecond */
#    define ALGO_TILE 2048  /* the same for scans */

/* Where no vectors are made of the least and the greatest, 16 lanes would be more than there are registers. */
#    define EXTREME_LANES                                                                                    \
        _Generic((T)0, int32_t : ALGO_LANES, uint32_t : ALGO_LANES, default : ALGO_LANES / 2)

/* What a reduction looks at. */
struct typed {
    const void *a, *b;
    const void *value;
};

/* What a scan reads and writes. */
struct typed_scan {
    const void *in;
    void *out;
};
#endif

/* ---- sums ---- */

static int LOCAL(add)(size_t lo, size_t hi, void *value, void *ctx) {
    const T *a = ((const struct typed *)ctx)->a;
    LANE lane[ALGO_LANES] = {0}, sum = 0;
    size_t i = lo;
    for (; hi - i >= ALGO_LANES; i += ALGO_LANES)
        for (size_t k = 0; k < ALGO_LANES; k++)
            lane[k] += (LANE)(SUM)a[i + k];
    for (; i < hi; i++)
        sum += (LANE)(SUM)a[i];
    for (size_t k = 0; k < ALGO_LANES; k++)
        sum += lane[k];
    *(LANE *)value += sum;
    return 0;
}

static int LOCAL(add_products)(size_t lo, size_t hi, void *value, void *ctx) {
    const T *a = ((const struct typed *)ctx)->a, *b = ((const struct typed *)ctx)->b;
    LANE lane[ALGO_LANES] = {0}, sum = 0;
    size_t i = lo;
    for (; hi - i >= ALGO_LANES; i += ALGO_LANES)
        for (size_t k = 0; k < ALGO_LANES; k++)
            lane[k] += (LANE)(SUM)a[i + k] * (LANE)(SUM)b[i + k];
    for (; i < hi; i++)
        sum += (LANE)(SUM)a[i] * (LANE)(SUM)b[i];
    for (size_t k = 0; k < ALGO_LANES; k++)
        sum += lane[k];
    *(LANE *)value += sum;
    return 0;
}

static void LOCAL(add_sum)(void *left, const void *right, void *ctx) {
    (void)ctx;
    *(LANE *)left += *(const LANE *)right;
}

static SUM LOCAL(sum_by)(int (*map)(size_t, size_t, void *, void *), struct typed *typed, size_t count) {
    static const LANE zero;
    const blitz_reduce_op op = {sizeof zero, &zero, map, LOCAL(add_sum)};
    LANE sum = 0;
    blitz_reduce(0, count, ALGO_GRAIN, &op, typed, &sum);
    return (SUM)sum;
}

SUM NAME(sum)(const T *values, size_t count) {
    struct typed typed = {.a = values};
    return LOCAL(sum_by)(LOCAL(add), &typed, count);
}

SUM NAME(dot)(const T *a, const T *b, size_t count) {
    struct typed typed = {.a = a, .b = b};
    return LOCAL(sum_by)(LOCAL(add_products), &typed, count);
}

/* ---- least and greatest ---- */

static T LOCAL(lesser)(T a, T b) {
    return b < a ? b : a;
}

static T LOCAL(greater)(T a, T b) {
    return b > a ? b : a;
}

static int LOCAL(find_least)(size_t lo, size_t hi, void *value, void *ctx) {
    const T *a = ((const struct typed *)ctx)->a;
    T lane[EXTREME_LANES], least = *(T *)value;
    size_t i = lo;
    for (size_t k = 0; k < EXTREME_LANES; k++)
        lane[k] = GREATEST;
    for (; hi - i >= EXTREME_LANES; i += EXTREME_LANES)
        for (size_t k = 0; k < EXTREME_LANES; k++)
            lane[k] = LOCAL(lesser)(lane[k], a[i + k]);
    for (; i < hi; i++)
        least = LOCAL(lesser)(least, a[i]);
    for (size_t k = 0; k < EXTREME_LANES; k++)
        least = LOCAL(lesser)(least, lane[k]);
    *(T *)value = least;
    return 0;
}

static int LOCAL(find_greatest)(size_t lo, size_t hi, void *value, void *ctx) {
    const T *a = ((const struct typed *)ctx)->a;
    T lane[EXTREME_LANES], greatest = *(T *)value;
    size_t i = lo;
    for (size_t k = 0; k < EXTREME_LANES; k++)
        lane[k] = LEAST;
    for (; hi - i >= EXTREME_LANES; i += EXTREME_LANES)
        for (size_t k = 0; k < EXTREME_LANES; k++)
            lane[k] = LOCAL(greater)(lane[k], a[i + k]);
    for (; i < hi; i++)
        greatest = LOCAL(greater)(greatest, a[i]);
    for (size_t k = 0; k < EXTREME_LANES; k++)
        greatest = LOCAL(greater)(greatest, lane[k]);
    *(T *)value = greatest;
    return 0;
}

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
    struct typed typed = {.a = values};
    T least = most;
    blitz_reduce(0, count, ALGO_GRAIN, &op, &typed, &least);
    return least;
}

T NAME(max)(const T *values, size_t count) {
    static const T most = LEAST;
    static const blitz_reduce_op op = {sizeof most, &most, LOCAL(find_greatest), LOCAL(take_greater)};
    struct typed typed = {.a = values};
    T greatest = most;
    blitz_reduce(0, count, ALGO_GRAIN, &op, &typed, &greatest);
    return greatest;
}

/* ---- equal values ---- */

/* Lanes of the size of T count up to 2^30 rows of elements. */
static int LOCAL(count_equal)(size_t lo, size_t hi, void *value, void *ctx) {
    const T *a = ((const struct typed *)ctx)->a, wanted = *(const T *)((const struct typed *)ctx)->value;
    size_t i = lo, found = 0;
    while (hi - i >= ALGO_LANES) {
        UNSIGNED lane[ALGO_LANES] = {0};
        size_t end = hi - i > (size_t)1 << 30 ? i + ((size_t)1 << 30) : hi;
        for (; end - i >= ALGO_LANES; i += ALGO_LANES)
            for (size_t k = 0; k < ALGO_LANES; k++)
                lane[k] += a[i + k] == wanted;
        for (size_t k = 0; k < ALGO_LANES; k++)
            found += lane[k];
    }
    for (; i < hi; i++)
        found += a[i] == wanted;
    *(size_t *)value += found;
    return 0;
}

size_t NAME(count)(const T *values, size_t count, T value) {
    static const size_t none;
    static const blitz_reduce_op op = {sizeof none, &none, LOCAL(count_equal), bz_add_counts};
    struct typed typed = {.a = values, .value = &value};
    size_t found = 0;
    blitz_reduce(0, count, ALGO_GRAIN, &op, &typed, &found);
    return found;
}

/* ---- scans ---- */

static int LOCAL(add_cells)(size_t lo, size_t hi, void *value, void *ctx) {
    const T *in = ((const struct typed_scan *)ctx)->in;
    CELL lane[ALGO_LANES] = {0}, sum = 0;
    size_t i = lo;
    for (; hi - i >= ALGO_LANES; i += ALGO_LANES)
        for (size_t k = 0; k < ALGO_LANES; k++)
            lane[k] += (CELL)in[i + k];
    for (; i < hi; i++)
        sum += (CELL)in[i];
    for (size_t k = 0; k < ALGO_LANES; k++)
        sum += lane[k];
    *(CELL *)value += sum;
    return 0;
}

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
    const T *in = ((const struct typed_scan *)ctx)->in;
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
    const T *in = ((const struct typed_scan *)ctx)->in;
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
    struct typed_scan scan = {in, out};
    return blitz_scan(0, count, ALGO_TILE, &LOCAL(cells), LOCAL(scan_inclusive), &scan, NULL);
}

int NAME(exclusive_sum)(const T *in, T *out, size_t count, T *total) {
    struct typed_scan scan = {in, out};
    return blitz_scan(0, count, ALGO_TILE, &LOCAL(cells), LOCAL(scan_exclusive), &scan, total);
}

#undef T
#undef UNSIGNED
#undef SUM
#undef LANE
#undef CELL
#undef LEAST
#undef GREATEST
#undef FOUR_IN_VECTOR
#undef NAME
#undef LOCAL
