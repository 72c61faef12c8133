/*
 * blitz/sort.h: parallel sorts and merges of arrays.
 *
 *   blitz_sort, blitz_stable_sort        arrays of any elements, with the comparison as a function: qsort_r's shape
 *   blitz_sort_by_key                    two arrays, keys and values, rearranged together
 *   blitz_merge                          two sorted arrays into a third one
 *   BLITZ_DEFINE_SORT(name, T, less)     functions for one type, with the comparison inlined: about three times as
 *                                        fast for numbers
 *
 * Any thread may call them, also within tasks. They run in the current pool, or in the global one; several threads call the
 * comparison at once. The caller sorts short arrays alone.
 *
 * Cost: O(count log count) comparisons for any input, and fewer if many elements are equal or the array is already in
 * order, forwards or backwards. The recursion is at most log2(count) deep.
 *
 * Comparisons must not throw or longjmp. A comparison that contradicts itself (NaN!) leaves the elements in an unspecified
 * order: each element is still there once, no other memory is touched, and the sort ends.
 */
#ifndef BLITZ_SORT_H
#define BLITZ_SORT_H

#include <blitz.h>

#ifdef __cplusplus
extern "C" {
#    pragma GCC diagnostic push
#    pragma GCC diagnostic ignored "-Wold-style-cast" /* this is C */
#    pragma GCC diagnostic ignored "-Wzero-as-null-pointer-constant"
#endif

/* Compares two elements. Returns a negative value if *a comes before *b, a positive one if after, and 0 for equal ones. */
typedef int blitz_compare_fn(const void *a, const void *b, void *ctx);

/* Sorts `count` elements of `size` bytes each. Elements that compare equal come out in any order.
 *
 * Elements of up to 64 bytes: sorts in place. It takes memory of the array's size only if the order of the elements defeats
 * quicksort. Larger elements: sorts an array of pointers (one or two for each element), then moves each element once.
 * Without memory it sorts more slowly, on this thread.
 *
 * Returns 0, or EINVAL: compare is NULL, size is 0, base is NULL and count is not 0, or the array is larger than the
 * address space. */
BLITZ_API int blitz_sort(void *base, size_t count, size_t size, blitz_compare_fn *compare, void *ctx);

/* blitz_sort that keeps the order of elements that compare equal. Takes memory of the array's size; for elements of more
 * than 64 bytes two pointers for each. Returns 0, EINVAL as blitz_sort, or ENOMEM: nothing has changed. */
BLITZ_API int blitz_stable_sort(void *base, size_t count, size_t size, blitz_compare_fn *compare, void *ctx);

/* Sorts `count` keys, and moves the value of each index along with its key. Stable; compare gets keys. Takes memory: for a
 * key and value of up to 64 bytes together, two records of both; else one record and two pointers for each. A record is
 * rounded up to the key's alignment (at most 64). Returns 0, ENOMEM (nothing has changed) or EINVAL as blitz_sort. */
BLITZ_API int blitz_sort_by_key(void *keys, size_t key_size, void *values, size_t value_size, size_t count,
                                blitz_compare_fn *compare, void *ctx);

/* Merges the sorted arrays a and b into out, which has room for both and overlaps neither. Stable: of elements that
 * compare equal those of a come first. Takes no memory. Returns 0, or EINVAL as blitz_sort. */
BLITZ_API int blitz_merge(const void *a, size_t a_count, const void *b, size_t b_count, void *out,
                          size_t size, blitz_compare_fn *compare, void *ctx);

/* BLITZ_DEFINE_SORT(name, T, less) defines, for this source file,
 *
 *     static void name(T *base, size_t count);
 *     static int name_stable(T *base, size_t count);             // 0, ENOMEM, EINVAL
 *     static void name_merge(const T *a, size_t a_count, const T *b, size_t b_count, T *out);
 *
 * less(a, b) is a function or a macro of two const T *: true if *a must come before *b. It is inlined, and should be cheap
 * and free of side effects. T is any type in C; in C++ it must be trivially copyable (checked), and needs no constructor.
 * NULL with a count other than 0: name_stable returns EINVAL, the others warn once and do nothing.
 *
 * The program contains the parts of the sort that touch elements. If the library has another layout of these, the
 * call ends the process with a line that names both. */

/* ---- Internal, up to the macro: not for direct use. ----
 *
 * The parts of a sort that touch every element, written once for all types: always inlined, with the element's size and
 * the comparison as constants. The library has the rest, and the parallelism.
 *
 * Partitions are branchless: a mispredicted branch costs as much as twenty instructions (Edelkamp and Weiss,
 * "BlockQuicksort", 2016). The unstable one is Lomuto's with a travelling gap; the stable one writes each element to both
 * sides and advances one. A pivot that equals the lower bound of its range splits off all its equals, and bad pivots are
 * counted before a guaranteed sort takes over (Peters, "Pattern-defeating quicksort", 2021). Merges go from both ends at
 * once: two chains of dependent loads instead of one. */

#define BLITZ_SORT_INLINE_ static inline __attribute__((always_inline, unused))
/* Number of the layout and the protocol below. It changes with them. */
#define BLITZ_SORT_LAYOUT 2u

#define BLITZ_SORT_STATIC_ static __attribute__((unused))

/* Larger elements, in bytes, are sorted by pointers. */
#define BLITZ_SORT_BYTES_ 64

/* This many are sorted by a network and merges, and the elements of memory that this takes. */
#define BLITZ_SORT_FEW_ 32
#define BLITZ_SORT_ROOM_ (2 * BLITZ_SORT_FEW_)

typedef int blitz_less_fn(const void *a, const void *b, const void *ctx);
typedef struct blitz_sorter blitz_sorter;

/* How to sort one type of elements: constant. Ranges are of n elements from base. A split moves the elements that are less
 * than the pivot (or_equal: not greater) to the front and returns their number; the stable one leaves the others in
 * `spare`, from its start. `low` is NULL or an element that none of the range is less than. `limit` is the number of bad
 * pivots that are left. in_order: how many elements from the first on are in order, or in strictly descending order.
 * reverse: swaps n elements from a on with n from b on backwards. */
struct blitz_sorter {
    /* BLITZ_SORT_LAYOUT of the program; the first member of every layout. */
    size_t layout;
    size_t size;
    const void *ctx;
    blitz_less_fn *less;
    size_t (*split)(const blitz_sorter *s, char *base, size_t n, const char *pivot, int or_equal);
    size_t (*split_stable)(const blitz_sorter *s, char *base, size_t n, const char *pivot, int or_equal,
                           char *spare);
    void (*sort)(const blitz_sorter *s, char *base, size_t n, const char *low, unsigned limit);
    void (*sort_stable)(const blitz_sorter *s, char *base, size_t n, char *spare, const char *low,
                        unsigned limit);
    size_t (*in_order)(const blitz_sorter *s, const char *base, size_t n, int backwards);
    void (*reverse)(const blitz_sorter *s, char *a, char *b, size_t n);
    void (*few)(const blitz_sorter *s, char *base, size_t n);
    void (*merge)(const blitz_sorter *s, const char *a, size_t a_n, const char *b, size_t b_n, char *out);
};

/* The library's part; the first four check the layout. big: for elements above BLITZ_SORT_BYTES_. */
BLITZ_API void blitz_sorter_run(const blitz_sorter *s, void *base, size_t n);
BLITZ_API int blitz_sorter_stable(const blitz_sorter *s, void *base, size_t n);
BLITZ_API int blitz_sorter_big(const blitz_sorter *s, void *base, size_t n, int stable);
BLITZ_API void blitz_sorter_merge(const blitz_sorter *s, const void *a, size_t a_n, const void *b, size_t b_n,
                                  void *out);
/* The guaranteed sort when pivots were bad too often; the stable one has its memory. */
BLITZ_API void blitz_sorter_guaranteed(const blitz_sorter *s, void *base, size_t n);
BLITZ_API void blitz_sorter_merges(const blitz_sorter *s, void *base, size_t n, void *spare);

BLITZ_SORT_INLINE_ void blitz_copy_(char *to, const char *from, size_t size) {
    __builtin_memcpy(to, from, size);
}

/* The same for what may stay where it is: of a constant size by registers, piece by piece. */
BLITZ_SORT_INLINE_ size_t blitz_move_piece_(char *to, const char *from, size_t at, size_t size,
                                            size_t piece) {
    char keep[16];
    if (size - at < piece)
        return at;
    __builtin_memcpy(keep, from + at, piece);
    __builtin_memcpy(to + at, keep, piece);
    return at + piece;
}
BLITZ_SORT_INLINE_ void blitz_move_(char *to, const char *from, size_t size) {
    size_t at = 0;
    if (!__builtin_constant_p(size) || size > BLITZ_SORT_BYTES_) {
        __builtin_memmove(to, from, size);
        return;
    }
    at = blitz_move_piece_(to, from, at, size, 16);
    at = blitz_move_piece_(to, from, at, size, 16);
    at = blitz_move_piece_(to, from, at, size, 16);
    at = blitz_move_piece_(to, from, at, size, 16);
    at = blitz_move_piece_(to, from, at, size, 8);
    at = blitz_move_piece_(to, from, at, size, 4);
    at = blitz_move_piece_(to, from, at, size, 2);
    (void)blitz_move_piece_(to, from, at, size, 1);
}

/* One of two addresses without a branch: what compilers make of ?: here varies. */
BLITZ_SORT_INLINE_ const char *blitz_either_(int first, const char *a, const char *b) {
    uintptr_t to_a = (uintptr_t)a - (uintptr_t)b;
    return (const char *)((uintptr_t)b + (to_a & (0 - (uintptr_t)first)));
}

/* Sorts four elements into `to`: five comparisons, no branch, stable. */
BLITZ_SORT_INLINE_ void blitz_sort_four_(const char *from, char *to, size_t size, blitz_less_fn *less,
                                         const void *ctx) {
    size_t first = less(from + size, from, ctx) != 0,
           second = less(from + 3 * size, from + 2 * size, ctx) != 0;
    const char *a = from + first * size, *b = from + (1 - first) * size;         /* a <= b */
    const char *c = from + (2 + second) * size, *d = from + (3 - second) * size; /* c <= d */
    int ca = less(c, a, ctx) != 0, db = less(d, b, ctx) != 0;
    const char *least = blitz_either_(ca, c, a), *most = blitz_either_(db, b, d);
    const char *x =
        blitz_either_(ca, a, blitz_either_(db, c, b)); /* the two between them, in their old order */
    const char *y = blitz_either_(db, d, blitz_either_(ca, b, c));
    int yx = less(y, x, ctx) != 0;
    blitz_copy_(to, least, size);
    blitz_copy_(to + size, blitz_either_(yx, y, x), size);
    blitz_copy_(to + 2 * size, blitz_either_(yx, x, y), size);
    blitz_copy_(to + 3 * size, most, size);
}

/* The same for 2 to 4. */
BLITZ_SORT_INLINE_ void blitz_sort_tiny_(const char *from, size_t n, char *to, size_t size,
                                         blitz_less_fn *less, const void *ctx) {
    if (n == 4) {
        blitz_sort_four_(from, to, size, less, ctx);
        return;
    }
    int second = less(from + size, from, ctx) != 0;
    const char *a = blitz_either_(second, from + size, from), *b = blitz_either_(second, from, from + size);
    if (n == 2) {
        blitz_copy_(to, a, size);
        blitz_copy_(to + size, b, size);
        return;
    }
    const char *c = from + 2 * size;
    int ca = less(c, a, ctx) != 0, cb = ca | (less(c, b, ctx) != 0); /* a <= b */
    blitz_copy_(to, blitz_either_(ca, c, a), size);
    blitz_copy_(to + size, blitz_either_(ca, a, blitz_either_(cb, c, b)), size);
    blitz_copy_(to + 2 * size, blitz_either_(cb, b, c), size);
}

/* Merges the sorted halves of `from`, n / 2 elements and the rest, into `to`. Neither side can take more from a half than
 * there is; if both have taken the same element, comparisons contradict each other and all stays as it was. */
BLITZ_SORT_INLINE_ void blitz_merge_halves_(const char *from, size_t n, char *to, size_t size,
                                            blitz_less_fn *less, const void *ctx) {
    size_t half = n / 2;
    const char *a = from, *a_end = from + half * size, *b = a_end, *b_end = from + n * size;
    char *front = to, *back = to + n * size;
    for (size_t i = 0; i < half; i++) {
        size_t right = less(b, a, ctx) != 0;
        blitz_copy_(front, blitz_either_((int)right, b, a), size);
        front += size, b += right * size, a += (1 - right) * size;
        size_t left = less(b_end - size, a_end - size, ctx) != 0;
        back -= size;
        blitz_copy_(back, blitz_either_((int)left, a_end - size, b_end - size), size);
        a_end -= left * size, b_end -= (1 - left) * size;
    }
    if (n % 2) {
        size_t left = a < a_end;
        blitz_copy_(front, left ? a : b, size);
        a += left * size, b += (1 - left) * size;
    }
    if (__builtin_expect(a != a_end || b != b_end, 0))
        __builtin_memcpy(to, from, n * size);
}

/* Sorts 4 to 8 elements into `to`. room: as many. */
BLITZ_SORT_INLINE_ void blitz_sort_some_(const char *from, size_t n, char *room, char *to, size_t size,
                                         blitz_less_fn *less, const void *ctx) {
    size_t half = n / 2;
    if (n == 4) {
        blitz_sort_four_(from, to, size, less, ctx);
        return;
    }
    blitz_sort_tiny_(from, half, room, size, less, ctx);
    blitz_sort_tiny_(from + half * size, n - half, room + half * size, size, less, ctx);
    blitz_merge_halves_(room, n, to, size, less, ctx);
}

/* Sorts up to BLITZ_SORT_FEW_ elements, stable. room: BLITZ_SORT_ROOM_ elements. */
BLITZ_SORT_INLINE_ void blitz_sort_few_(char *base, size_t n, char *room, size_t size, blitz_less_fn *less,
                                        const void *ctx) {
    if (n < 8) {
        for (size_t i = 1; i < n; i++) {
            size_t j = i;
            blitz_copy_(room, base + i * size, size);
            for (; j > 0 && less(room, base + (j - 1) * size, ctx); j--)
                blitz_copy_(base + j * size, base + (j - 1) * size, size);
            blitz_copy_(base + j * size, room, size);
        }
        return;
    }
    size_t half = n / 2;
    char *merged = room + BLITZ_SORT_FEW_ * size;
    if (n < 16) {
        blitz_sort_some_(base, half, merged, room, size, less, ctx);
        blitz_sort_some_(base + half * size, n - half, merged, room + half * size, size, less, ctx);
        blitz_merge_halves_(room, n, base, size, less, ctx);
        return;
    }
    for (size_t lo = 0; lo < n; lo += half, half = n - half) {
        size_t quarter = half / 2;
        char *blank = merged + lo * size; /* until the half is merged */
        blitz_sort_some_(base + lo * size, quarter, blank, room + lo * size, size, less, ctx);
        blitz_sort_some_(base + (lo + quarter) * size, half - quarter, blank, room + (lo + quarter) * size,
                         size, less, ctx);
        blitz_merge_halves_(room + lo * size, half, merged + lo * size, size, less, ctx);
    }
    blitz_merge_halves_(merged, n, base, size, less, ctx);
}

/* Whether x does not follow the element before it. */
BLITZ_SORT_INLINE_ int blitz_breaks_(const char *x, int backwards, size_t size, blitz_less_fn *less,
                                     const void *ctx) {
    return backwards ? !less(x, x - size, ctx) : less(x, x - size, ctx) != 0;
}

BLITZ_SORT_INLINE_ size_t blitz_order_(const char *base, size_t n, int backwards, size_t size,
                                       blitz_less_fn *less, const void *ctx) {
    const char *x = base + size, *end = base + n * size;
    for (; (size_t)(end - x) >= 4 * size; x += 4 * size) /* checks the end for every fourth element */
        if (blitz_breaks_(x, backwards, size, less, ctx) ||
            blitz_breaks_(x + size, backwards, size, less, ctx) ||
            blitz_breaks_(x + 2 * size, backwards, size, less, ctx) ||
            blitz_breaks_(x + 3 * size, backwards, size, less, ctx))
            break;
    while (x < end && !blitz_breaks_(x, backwards, size, less, ctx))
        x += size;
    return (size_t)(x - base) / size;
}

BLITZ_SORT_INLINE_ size_t blitz_in_order_(const char *base, size_t n, int backwards, size_t size,
                                          blitz_less_fn *less, const void *ctx) {
    return backwards ? blitz_order_(base, n, 1, size, less, ctx) : blitz_order_(base, n, 0, size, less, ctx);
}

/* The middle one of three. */
BLITZ_SORT_INLINE_ const char *blitz_middle_(const char *a, const char *b, const char *c, blitz_less_fn *less,
                                             const void *ctx) {
    int ba = less(b, a, ctx) != 0, ca = less(c, a, ctx) != 0, cb = less(c, b, ctx) != 0;
    return blitz_either_(ba != ca, a, blitz_either_(ba != cb, c, b));
}

/* A pivot: the middle of 3 elements, or of middles of 3 among more. Where they lie changes with `limit`, so that a range
 * whose pivots were bad gets others. */
BLITZ_SORT_INLINE_ const char *blitz_pivot_(const char *base, size_t n, unsigned limit, size_t size,
                                            blitz_less_fn *less, const void *ctx) {
    const char *at[27];
    unsigned count = n < 128 ? 3 : n < 4096 ? 9 : 27;
    size_t step = n / count, first = limit * 0x9e3779b9u % step;
    for (unsigned i = 0; i < count; i++)
        at[i] = base + (first + i * step) * size;
    for (count /= 3; count > 0; count /= 3)
        for (unsigned i = 0; i < count; i++)
            at[i] = blitz_middle_(at[3 * i], at[3 * i + 1], at[3 * i + 2], less, ctx);
    return at[0];
}

/* Also of an element with itself. */
BLITZ_SORT_INLINE_ void blitz_swap_(char *a, char *b, char *room, size_t size) {
    blitz_copy_(room, a, size);
    blitz_move_(a, b, size);
    blitz_copy_(b, room, size);
}

/* Whether x goes to the front. */
BLITZ_SORT_INLINE_ size_t blitz_in_front_(const char *x, const char *pivot, int or_equal, blitz_less_fn *less,
                                          const void *ctx) {
    return or_equal ? !less(pivot, x, ctx) : less(x, pivot, ctx) != 0;
}

BLITZ_SORT_INLINE_ void blitz_reverse_(char *a, char *b, size_t n, char *room, size_t size) {
    for (; n > 0; n--, a += size, b -= size)
        blitz_swap_(a, b, room, size);
}

/* One step of a split: the element in front goes to the gap, x takes its place. The gap is then where x was. */
BLITZ_SORT_INLINE_ char *blitz_split_step_(char *front, char *gap, const char *x, const char *pivot,
                                           int or_equal, size_t size, blitz_less_fn *less, const void *ctx) {
    size_t in_front = blitz_in_front_(x, pivot, or_equal, less, ctx);
    blitz_move_(gap, front, size);
    blitz_copy_(front, x, size);
    return front + in_front * size;
}

/* The first element waits in room + size while a gap travels: each step moves one from behind the front into the gap, and
 * the next one to where that came from. */
BLITZ_SORT_INLINE_ size_t blitz_split_gap_(char *base, size_t n, const char *pivot, int or_equal, char *room,
                                           size_t size, blitz_less_fn *less, const void *ctx) {
    char *front = base, *gap = base, *end = base + n * size;
    blitz_copy_(room, pivot, size);
    blitz_copy_(room + size, base, size);
    for (; (size_t)(end - gap) > 4 * size; gap += 4 * size) { /* checks the end for every fourth element */
        front = blitz_split_step_(front, gap, gap + size, room, or_equal, size, less, ctx);
        front = blitz_split_step_(front, gap + size, gap + 2 * size, room, or_equal, size, less, ctx);
        front = blitz_split_step_(front, gap + 2 * size, gap + 3 * size, room, or_equal, size, less, ctx);
        front = blitz_split_step_(front, gap + 3 * size, gap + 4 * size, room, or_equal, size, less, ctx);
    }
    for (; gap + size < end; gap += size)
        front = blitz_split_step_(front, gap, gap + size, room, or_equal, size, less, ctx);
    front = blitz_split_step_(front, gap, room + size, room, or_equal, size, less, ctx);
    return (size_t)(front - base) / size;
}

/* room: 2 elements. The pivot is not in the range. */
BLITZ_SORT_INLINE_ size_t blitz_split_(char *base, size_t n, const char *pivot, int or_equal, char *room,
                                       size_t size, blitz_less_fn *less, const void *ctx) {
    if (n == 0)
        return 0;
    return or_equal ? blitz_split_gap_(base, n, pivot, 1, room, size, less, ctx)
                    : blitz_split_gap_(base, n, pivot, 0, room, size, less, ctx);
}

BLITZ_SORT_INLINE_ size_t blitz_split_both_(char *base, size_t n, const char *pivot, int or_equal,
                                            char *spare, size_t size, blitz_less_fn *less, const void *ctx) {
    char *front = base, *end = base + n * size;
    for (const char *x = base; x < end; x += size, spare += size) {
        size_t in_front = blitz_in_front_(x, pivot, or_equal, less, ctx);
        blitz_copy_(spare, x, size);
        blitz_move_(front, x, size); /* perhaps to where it is */
        front += in_front * size, spare -= in_front * size;
    }
    return (size_t)(front - base) / size;
}

/* room: 1 element. The pivot may be one of the range. */
BLITZ_SORT_INLINE_ size_t blitz_split_stable_(char *base, size_t n, const char *pivot, int or_equal,
                                              char *spare, char *room, size_t size, blitz_less_fn *less,
                                              const void *ctx) {
    blitz_copy_(room, pivot, size);
    return or_equal ? blitz_split_both_(base, n, room, 1, spare, size, less, ctx)
                    : blitz_split_both_(base, n, room, 0, spare, size, less, ctx);
}

/* Whether a split that put m of n elements in front was bad. */
BLITZ_SORT_INLINE_ unsigned blitz_bad_split_(size_t m, size_t n) {
    return (m < n - m ? m : n - m) < n / 8;
}

/* room: 2 elements. Recurs into the smaller part. */
BLITZ_SORT_INLINE_ void blitz_sort_range_(const blitz_sorter *s, char *base, size_t n, const char *low,
                                          unsigned limit, char *room, size_t size, blitz_less_fn *less) {
    const void *ctx = s->ctx;
    while (n > BLITZ_SORT_FEW_) {
        if (limit == 0) {
            blitz_sorter_guaranteed(s, base, n);
            return;
        }
        blitz_swap_(base, base + (blitz_pivot_(base, n, limit, size, less, ctx) - base), room, size);
        int is_low = low && !less(low, base, ctx);
        size_t m = s->split(s, base + size, n - 1, base, is_low), rest = n - 1 - m;
        char *middle = base + m * size;
        blitz_swap_(base, middle, room, size);
        if (is_low) { /* no other is as low, or comparisons contradict each other: not again */
            base = middle + size, n = rest, low = NULL;
            continue;
        }
        limit -= blitz_bad_split_(m, n);
        if (m < rest) {
            s->sort(s, base, m, low, limit);
            low = middle, base = middle + size, n = rest;
        } else {
            s->sort(s, middle + size, rest, middle, limit);
            n = m;
        }
    }
    s->few(s, base, n);
}

/* room: 2 elements, the pivot and the lower bound. */
BLITZ_SORT_INLINE_ void blitz_sort_range_stable_(const blitz_sorter *s, char *base, size_t n, char *spare,
                                                 const char *low, unsigned limit, char *room, size_t size,
                                                 blitz_less_fn *less) {
    const void *ctx = s->ctx;
    while (n > BLITZ_SORT_FEW_) {
        if (limit == 0) {
            blitz_sorter_merges(s, base, n, spare);
            return;
        }
        blitz_copy_(room, blitz_pivot_(base, n, limit, size, less, ctx), size);
        int is_low = low && !less(low, room, ctx);
        size_t m = s->split_stable(s, base, n, room, is_low, spare), rest = n - m;
        char *middle = base + m * size;
        __builtin_memcpy(middle, spare, rest * size);
        if (is_low) {
            base = middle, n = rest, low = NULL;
            continue;
        }
        limit -= blitz_bad_split_(m, n);
        if (m < rest) {
            s->sort_stable(s, base, m, spare, low, limit);
            blitz_copy_(room + size, room, size);
            low = room + size, base = middle, n = rest;
        } else {
            s->sort_stable(s, middle, rest, spare, room, limit);
            n = m;
        }
    }
    s->few(s, base, n);
}

/* As long as both have elements: with k of the shorter one, k / 2 steps from either end take at most k from each, so that
 * nothing needs to be checked. */
BLITZ_SORT_INLINE_ void blitz_merge_(const char *a, size_t a_n, const char *b, size_t b_n, char *out,
                                     size_t size, blitz_less_fn *less, const void *ctx) {
    const char *a_end = a + a_n * size, *b_end = b + b_n * size;
    char *back = out + (a_n + b_n) * size;
    for (;;) {
        size_t a_left = (size_t)(a_end - a), b_left = (size_t)(b_end - b);
        size_t steps = (a_left < b_left ? a_left : b_left) / (2 * size);
        if (steps < 4)
            break;
        for (; steps > 0; steps--) {
            size_t right = less(b, a, ctx) != 0;
            blitz_copy_(out, blitz_either_((int)right, b, a), size);
            out += size, b += right * size, a += (1 - right) * size;
            size_t left = less(b_end - size, a_end - size, ctx) != 0;
            back -= size;
            blitz_copy_(back, blitz_either_((int)left, a_end - size, b_end - size), size);
            a_end -= left * size, b_end -= (1 - left) * size;
        }
    }
    for (; a < a_end && b < b_end; out += size) {
        int right = less(b, a, ctx);
        blitz_copy_(out, right ? b : a, size);
        b += right ? size : 0, a += right ? 0 : size;
    }
    __builtin_memcpy(out, a, (size_t)(a_end - a));
    __builtin_memcpy(out + (a_end - a), b, (size_t)(b_end - b));
}

/* Memory for n elements, which no constructor need know of. */
#ifdef __cplusplus
#    define BLITZ_SORT_MEMORY_(T, room, n) alignas(T) char room[(n) * sizeof(T)]
#    define BLITZ_SORT_CHECK_(T)                                                                             \
        static_assert(__is_trivially_copyable(T), "BLITZ_DEFINE_SORT: elements are copied as bytes")
#else
#    define BLITZ_SORT_MEMORY_(T, room, n) T room[n]
#    define BLITZ_SORT_CHECK_(T) _Static_assert(sizeof(T) > 0, "BLITZ_DEFINE_SORT: a type of elements")
#endif

/* The sorter of elements of `bytes`, made of the functions PREFIX##_less_ and so on, with memory of type T; T is
 * of that size, or `bytes` is an expression of the sorter s and T is the largest that it can be. */
#define BLITZ_SORTER_FUNCTIONS_(prefix, T, bytes)                                                            \
    BLITZ_SORT_STATIC_ void prefix##_few_(const blitz_sorter *s, char *base, size_t n) {                     \
        BLITZ_SORT_MEMORY_(T, room, BLITZ_SORT_ROOM_);                                                       \
        blitz_sort_few_(base, n, (char *)room, bytes, prefix##_less_, s->ctx);                               \
    }                                                                                                        \
    BLITZ_SORT_STATIC_ size_t prefix##_in_order_(const blitz_sorter *s, const char *base, size_t n,          \
                                                 int backwards) {                                            \
        return blitz_in_order_(base, n, backwards, bytes, prefix##_less_, s->ctx);                           \
    }                                                                                                        \
    BLITZ_SORT_STATIC_ void prefix##_reverse_(const blitz_sorter *s, char *a, char *b, size_t n) {           \
        BLITZ_SORT_MEMORY_(T, room, 1);                                                                      \
        (void)s;                                                                                             \
        blitz_reverse_(a, b, n, (char *)room, bytes);                                                        \
    }                                                                                                        \
    BLITZ_SORT_STATIC_ size_t prefix##_split_(const blitz_sorter *s, char *base, size_t n,                   \
                                              const char *pivot, int or_equal) {                             \
        BLITZ_SORT_MEMORY_(T, room, 2);                                                                      \
        return blitz_split_(base, n, pivot, or_equal, (char *)room, bytes, prefix##_less_, s->ctx);          \
    }                                                                                                        \
    BLITZ_SORT_STATIC_ size_t prefix##_split_stable_(const blitz_sorter *s, char *base, size_t n,            \
                                                     const char *pivot, int or_equal, char *spare) {         \
        BLITZ_SORT_MEMORY_(T, room, 1);                                                                      \
        return blitz_split_stable_(base, n, pivot, or_equal, spare, (char *)room, bytes, prefix##_less_,     \
                                   s->ctx);                                                                  \
    }                                                                                                        \
    BLITZ_SORT_STATIC_ void prefix##_sort_(const blitz_sorter *s, char *base, size_t n, const char *low,     \
                                           unsigned limit) {                                                 \
        BLITZ_SORT_MEMORY_(T, room, 2);                                                                      \
        blitz_sort_range_(s, base, n, low, limit, (char *)room, bytes, prefix##_less_);                      \
    }                                                                                                        \
    BLITZ_SORT_STATIC_ void prefix##_sort_stable_(const blitz_sorter *s, char *base, size_t n, char *spare,  \
                                                  const char *low, unsigned limit) {                         \
        BLITZ_SORT_MEMORY_(T, room, 2);                                                                      \
        blitz_sort_range_stable_(s, base, n, spare, low, limit, (char *)room, bytes, prefix##_less_);        \
    }                                                                                                        \
    BLITZ_SORT_STATIC_ void prefix##_merge_(const blitz_sorter *s, const char *a, size_t a_n, const char *b, \
                                            size_t b_n, char *out) {                                         \
        blitz_merge_(a, a_n, b, b_n, out, bytes, prefix##_less_, s->ctx);                                    \
    }
#define BLITZ_SORTER_(prefix, bytes, ctx)                                                                    \
    {                                                                                                        \
        BLITZ_SORT_LAYOUT, (bytes), (ctx), prefix##_less_, prefix##_split_, prefix##_split_stable_,          \
            prefix##_sort_, prefix##_sort_stable_, prefix##_in_order_, prefix##_reverse_, prefix##_few_,     \
            prefix##_merge_                                                                                  \
    }

#define BLITZ_DEFINE_SORT(name, T, less)                                                                     \
    typedef T name##_element_; /* so that T may be a pointer */                                              \
    BLITZ_SORT_CHECK_(name##_element_);                                                                      \
    BLITZ_SORT_INLINE_ int name##_less_(const void *blitz_a, const void *blitz_b, const void *blitz_ctx) {   \
        (void)blitz_ctx;                                                                                     \
        return less((const name##_element_ *)blitz_a, (const name##_element_ *)blitz_b) ? 1 : 0;             \
    }                                                                                                        \
    BLITZ_SORTER_FUNCTIONS_(name, name##_element_, sizeof(name##_element_))                                  \
    static const blitz_sorter name##_sorter_ =                                                               \
        BLITZ_SORTER_(name, sizeof(name##_element_), (const void *)NULL);                                    \
    BLITZ_SORT_STATIC_ void name(name##_element_ *base, size_t count) {                                      \
        if (sizeof(name##_element_) <= BLITZ_SORT_BYTES_)                                                    \
            blitz_sorter_run(&name##_sorter_, base, count);                                                  \
        else                                                                                                 \
            (void)blitz_sorter_big(&name##_sorter_, base, count, 0);                                         \
    }                                                                                                        \
    BLITZ_SORT_STATIC_ int name##_stable(name##_element_ *base, size_t count) {                              \
        return sizeof(name##_element_) <= BLITZ_SORT_BYTES_                                                  \
                   ? blitz_sorter_stable(&name##_sorter_, base, count)                                       \
                   : blitz_sorter_big(&name##_sorter_, base, count, 1);                                      \
    }                                                                                                        \
    BLITZ_SORT_STATIC_ void name##_merge(const name##_element_ *a, size_t a_count, const name##_element_ *b, \
                                         size_t b_count, name##_element_ *out) {                             \
        blitz_sorter_merge(&name##_sorter_, a, a_count, b, b_count, out);                                    \
    }                                                                                                        \
    struct name##_semicolon_ /* follows */

#ifdef __cplusplus
#    pragma GCC diagnostic pop
}
#endif

#endif
