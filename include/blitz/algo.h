/*
 * blitz/algo.h: parallel algorithms over arrays and ranges, for C and C++.
 *
 *   blitz_sum_i32, blitz_min_i32, blitz_max_i32, blitz_count_i32, blitz_dot_i32 ...   typed reductions
 *   blitz_find_first, _last, _any, blitz_any, _all    search by a predicate on elements
 *   blitz_seek_first, _last, _any                     the same by a body on ranges, which the compiler can inline
 *   blitz_count_if, blitz_compact, _partition, _unique
 *   blitz_scan, blitz_inclusive_scan, _exclusive_scan, blitz_inclusive_sum_i32 ...
 *   blitz_map, blitz_transform, blitz_fill, blitz_gather, blitz_scatter, blitz_histogram
 *   blitz_sort, blitz_stable_sort, blitz_merge ...    those of blitz/sort.h
 *
 * Arrays are given as in qsort: where they begin, how many elements there are, and the bytes of each. Verbs that take
 * functions of one element pay a call for each; where that shows, take the form over ranges, whose body holds the loop:
 * blitz_for and blitz_reduce of blitz.h, blitz_seek_*, blitz_scan, blitz_histogram.
 *
 * All of these may be called from any thread, inside a pool or outside, and nested, and use the calling thread's current
 * pool, or the global one. All split as blitz_for does: only when a worker wants something to do. What is small runs at
 * once on the calling thread. Results are those of the serial loop, whatever the number of workers; only sums of
 * floating-point numbers may be rounded differently from run to run.
 *
 * Predicates and other functions that are given must not change what they look at, and may be called by several threads
 * at once. Searches and scans take parts from left to right, but whoever is first calls first: reducers of
 * blitz/reducer.h that such functions update keep no order.
 *
 * Errors: verbs that return int return 0 or an error and say which; with EINVAL and ENOMEM nothing has been written.
 * A NULL function, a size of 0, an array that is NULL though it has elements, and one of more than SIZE_MAX / 2 bytes are
 * EINVAL in all of them; an array without elements may be NULL. Verbs that return something else warn once about these, and
 * find nothing: what they return is that of no elements, and blitz_all says 1, since nothing is without the property then.
 * Functions must not throw or longjmp.
 */
#ifndef BLITZ_ALGO_H
#define BLITZ_ALGO_H

#include <blitz.h>
#include <blitz/sort.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Typed reductions ---- */

/* The sum. Integers of 8 to 64 bits are added in 64 bits, where they wrap around; floats in double. Where floating-point
 * sums are bracketed is left open. 0 of none. Cost: reads the array once, with vector instructions where the compiler
 * finds some for the type (gcc 12 does for all sums); less than 16384 elements at once on the calling thread, without a
 * pool. */
BLITZ_API int64_t blitz_sum_i8(const int8_t *values, size_t count);
BLITZ_API uint64_t blitz_sum_u8(const uint8_t *values, size_t count);
BLITZ_API int64_t blitz_sum_i16(const int16_t *values, size_t count);
BLITZ_API uint64_t blitz_sum_u16(const uint16_t *values, size_t count);
BLITZ_API int64_t blitz_sum_i32(const int32_t *values, size_t count);
BLITZ_API uint64_t blitz_sum_u32(const uint32_t *values, size_t count);
BLITZ_API int64_t blitz_sum_i64(const int64_t *values, size_t count);
BLITZ_API uint64_t blitz_sum_u64(const uint64_t *values, size_t count);
BLITZ_API double blitz_sum_f32(const float *values, size_t count);
BLITZ_API double blitz_sum_f64(const double *values, size_t count);

/* The sum of a[i] * b[i], in the same types: products of integers of up to 32 bits are exact. */
BLITZ_API int64_t blitz_dot_i8(const int8_t *a, const int8_t *b, size_t count);
BLITZ_API uint64_t blitz_dot_u8(const uint8_t *a, const uint8_t *b, size_t count);
BLITZ_API int64_t blitz_dot_i16(const int16_t *a, const int16_t *b, size_t count);
BLITZ_API uint64_t blitz_dot_u16(const uint16_t *a, const uint16_t *b, size_t count);
BLITZ_API int64_t blitz_dot_i32(const int32_t *a, const int32_t *b, size_t count);
BLITZ_API uint64_t blitz_dot_u32(const uint32_t *a, const uint32_t *b, size_t count);
BLITZ_API int64_t blitz_dot_i64(const int64_t *a, const int64_t *b, size_t count);
BLITZ_API uint64_t blitz_dot_u64(const uint64_t *a, const uint64_t *b, size_t count);
BLITZ_API double blitz_dot_f32(const float *a, const float *b, size_t count);
BLITZ_API double blitz_dot_f64(const double *a, const double *b, size_t count);

/* The least value. Of none: the greatest value of the type, or infinity. NaNs are skipped; which of 0 and -0 comes out is
 * left open. */
BLITZ_API int8_t blitz_min_i8(const int8_t *values, size_t count);
BLITZ_API uint8_t blitz_min_u8(const uint8_t *values, size_t count);
BLITZ_API int16_t blitz_min_i16(const int16_t *values, size_t count);
BLITZ_API uint16_t blitz_min_u16(const uint16_t *values, size_t count);
BLITZ_API int32_t blitz_min_i32(const int32_t *values, size_t count);
BLITZ_API uint32_t blitz_min_u32(const uint32_t *values, size_t count);
BLITZ_API int64_t blitz_min_i64(const int64_t *values, size_t count);
BLITZ_API uint64_t blitz_min_u64(const uint64_t *values, size_t count);
BLITZ_API float blitz_min_f32(const float *values, size_t count);
BLITZ_API double blitz_min_f64(const double *values, size_t count);

/* The greatest value, likewise; of none: the least value of the type, or minus infinity. */
BLITZ_API int8_t blitz_max_i8(const int8_t *values, size_t count);
BLITZ_API uint8_t blitz_max_u8(const uint8_t *values, size_t count);
BLITZ_API int16_t blitz_max_i16(const int16_t *values, size_t count);
BLITZ_API uint16_t blitz_max_u16(const uint16_t *values, size_t count);
BLITZ_API int32_t blitz_max_i32(const int32_t *values, size_t count);
BLITZ_API uint32_t blitz_max_u32(const uint32_t *values, size_t count);
BLITZ_API int64_t blitz_max_i64(const int64_t *values, size_t count);
BLITZ_API uint64_t blitz_max_u64(const uint64_t *values, size_t count);
BLITZ_API float blitz_max_f32(const float *values, size_t count);
BLITZ_API double blitz_max_f64(const double *values, size_t count);

/* How many equal `value`. */
BLITZ_API size_t blitz_count_i8(const int8_t *values, size_t count, int8_t value);
BLITZ_API size_t blitz_count_u8(const uint8_t *values, size_t count, uint8_t value);
BLITZ_API size_t blitz_count_i16(const int16_t *values, size_t count, int16_t value);
BLITZ_API size_t blitz_count_u16(const uint16_t *values, size_t count, uint16_t value);
BLITZ_API size_t blitz_count_i32(const int32_t *values, size_t count, int32_t value);
BLITZ_API size_t blitz_count_u32(const uint32_t *values, size_t count, uint32_t value);
BLITZ_API size_t blitz_count_i64(const int64_t *values, size_t count, int64_t value);
BLITZ_API size_t blitz_count_u64(const uint64_t *values, size_t count, uint64_t value);
BLITZ_API size_t blitz_count_f32(const float *values, size_t count, float value);
BLITZ_API size_t blitz_count_f64(const double *values, size_t count, double value);

/* ---- Search ---- */

/* Whether an element is one of those that are looked for: not 0 is yes. */
typedef int blitz_pred(const void *elem, void *ctx);

/* The index of the first element for which pred holds, of the last one, or of any; count if there is none. First and last
 * look from their end on, all workers side by side, so that the way to the match is what it costs, shared by the workers;
 * little is looked at beyond the best match that is known. Any ends soon after the first match that anybody finds. */
BLITZ_API size_t blitz_find_first(const void *base, size_t count, size_t size, blitz_pred *pred, void *ctx);
BLITZ_API size_t blitz_find_last(const void *base, size_t count, size_t size, blitz_pred *pred, void *ctx);
BLITZ_API size_t blitz_find_any(const void *base, size_t count, size_t size, blitz_pred *pred, void *ctx);

/* Whether pred holds for any element (not of none), or for all (also of none). Both stop as soon as it is known. */
BLITZ_API int blitz_any(const void *base, size_t count, size_t size, blitz_pred *pred, void *ctx);
BLITZ_API int blitz_all(const void *base, size_t count, size_t size, blitz_pred *pred, void *ctx);

/* A search of the indices lo to hi - 1, lo < hi: a match, or hi if there is none. */
typedef size_t blitz_seek_fn(size_t lo, size_t hi, void *ctx);

/* The same over any range: the first, last or any match in [lo, hi), or hi if there is none. seek returns the first match
 * of its range, the last one for seek_last, any for seek_any. Ranges are small at first, and then up to a quarter of
 * what all workers have looked at before, divided by these, and 65536 indices at most, or grain; between them workers
 * look at what the others found. grain is the least number of indices to be looked at in one go, or 0; but for the last
 * range, all are whole grains. Long ranges begin at multiples of grain times a power of two, counted from where the search
 * begins, so that one search is like the next. */
BLITZ_API size_t blitz_seek_first(size_t lo, size_t hi, size_t grain, blitz_seek_fn *seek, void *ctx);
BLITZ_API size_t blitz_seek_last(size_t lo, size_t hi, size_t grain, blitz_seek_fn *seek, void *ctx);
BLITZ_API size_t blitz_seek_any(size_t lo, size_t hi, size_t grain, blitz_seek_fn *seek, void *ctx);

/* For how many elements pred holds. */
BLITZ_API size_t blitz_count_if(const void *base, size_t count, size_t size, blitz_pred *pred, void *ctx);

/* ---- Filters ---- */

/* Each writes to `out`, which has room for `count` elements and does not overlap `in`, and how many were kept to *kept,
 * unless that is NULL. The order stays. A function may be called twice for an element. 0, EINVAL (something that is needed
 * is NULL, or size is 0) or ENOMEM (a table of at most some hundred bytes for each 1024 elements). */

/* The elements for which pred holds. */
BLITZ_API int blitz_compact(const void *in, size_t count, size_t size, blitz_pred *pred, void *ctx, void *out,
                            size_t *kept);

/* The elements for which pred holds, and behind them the others, these in order, too. *kept: how many are in front. */
BLITZ_API int blitz_partition(const void *in, size_t count, size_t size, blitz_pred *pred, void *ctx,
                              void *out, size_t *kept);

/* Whether two elements are equal: not 0 is yes. */
typedef int blitz_same_fn(const void *left, const void *right, void *ctx);

/* The first element of each run of equal ones: all that differ from the element just before. */
BLITZ_API int blitz_unique(const void *in, size_t count, size_t size, blitz_same_fn *same, void *ctx,
                           void *out, size_t *kept);

/* ---- Scans ---- */

/* What comes of a range when all that is before it is known: value holds the sum of everything before lo, writes what is
 * wanted for the indices lo to hi - 1, and leaves with these added to value. Not 0 ends the scan. */
typedef int blitz_scan_fn(size_t lo, size_t hi, void *value, void *ctx);

/* Runs `scan` once over each part of [lo, hi), with the sum of all before it. op->map says the sum of a part without
 * writing anything: it is called for parts whose left neighbours are not done yet, at most once for each, before `scan`.
 * + must be associative; it need not commute: operands keep their order. So what `scan` writes may replace what it and map
 * read for the same indices, but nothing else.
 *
 * grain is the least number of indices in a part, or 0. The sum of all goes to *total, unless that is NULL.
 *
 * Returns the first value other than 0 that a function returned: then parts are missing. EINVAL: op, a member of it or
 * scan is NULL, or size is 0. ENOMEM: no memory for two values and a line for each part. Cost: with one worker, one call of
 * scan for each part; with more, work is at most map's and scan's. Nobody ever waits for the part to the left. */
BLITZ_API int blitz_scan(size_t lo, size_t hi, size_t grain, const blitz_reduce_op *op, blitz_scan_fn *scan,
                         void *ctx, void *total);

/* How to add up elements of `size` bytes: left = left + right, associative, and identity + x = x = x + identity. */
typedef struct blitz_monoid {
    size_t size;                                               /* of an element, in bytes */
    const void *identity;                                      /* an element */
    void (*combine)(void *left, const void *right, void *ctx); /* left = left + right */
} blitz_monoid;

/* out[i] = in[0] + ... + in[i], or, exclusive, the identity + in[0] + ... + in[i - 1]. out may be in, exclusively only with
 * elements of up to 64 bytes; else they do not overlap. combine gets values that are aligned as elements of that size are.
 * 0, EINVAL or ENOMEM as above. */
BLITZ_API int blitz_inclusive_scan(const void *in, void *out, size_t count, const blitz_monoid *op,
                                   void *ctx);
BLITZ_API int blitz_exclusive_scan(const void *in, void *out, size_t count, const blitz_monoid *op,
                                   void *ctx);

/* The same for sums. Integers wrap around in their own type. out may be in. 0, EINVAL or ENOMEM. */
BLITZ_API int blitz_inclusive_sum_i32(const int32_t *in, int32_t *out, size_t count);
BLITZ_API int blitz_inclusive_sum_u32(const uint32_t *in, uint32_t *out, size_t count);
BLITZ_API int blitz_inclusive_sum_i64(const int64_t *in, int64_t *out, size_t count);
BLITZ_API int blitz_inclusive_sum_u64(const uint64_t *in, uint64_t *out, size_t count);
BLITZ_API int blitz_inclusive_sum_f32(const float *in, float *out, size_t count);
BLITZ_API int blitz_inclusive_sum_f64(const double *in, double *out, size_t count);

/* The sum of all goes to *total, unless that is NULL. */
BLITZ_API int blitz_exclusive_sum_i32(const int32_t *in, int32_t *out, size_t count, int32_t *total);
BLITZ_API int blitz_exclusive_sum_u32(const uint32_t *in, uint32_t *out, size_t count, uint32_t *total);
BLITZ_API int blitz_exclusive_sum_i64(const int64_t *in, int64_t *out, size_t count, int64_t *total);
BLITZ_API int blitz_exclusive_sum_u64(const uint64_t *in, uint64_t *out, size_t count, uint64_t *total);
BLITZ_API int blitz_exclusive_sum_f32(const float *in, float *out, size_t count, float *total);
BLITZ_API int blitz_exclusive_sum_f64(const double *in, double *out, size_t count, double *total);

/* ---- Maps ---- */

/* Writes to *out what comes of *in. Not 0 ends the map. */
typedef int blitz_map_fn(const void *in, void *out, void *ctx);

/* fn(in[i], out[i]) for all i. out may be in if the sizes are the same; else they do not overlap. Returns the first value
 * other than 0 that fn returned; EINVAL. Over ranges this is blitz_for. */
BLITZ_API int blitz_map(const void *in, size_t in_size, void *out, size_t out_size, size_t count,
                        blitz_map_fn *fn, void *ctx);

/* Writes to *out what comes of *a and *b. Not 0 ends the transform. */
typedef int blitz_transform_fn(const void *a, const void *b, void *out, void *ctx);

/* fn(a[i], b[i], out[i]) for all i: the map of two arrays. out may be a or b if it has elements of the same size; else it
 * overlaps neither. Returns the first value other than 0 that fn returned; EINVAL: fn or an array is NULL, or a size is
 * 0. */
BLITZ_API int blitz_transform(const void *a, size_t a_size, const void *b, size_t b_size, void *out,
                              size_t out_size, size_t count, blitz_transform_fn *fn, void *ctx);

/* Copies the `size` bytes at value, outside of the array, to each of the elements. 0 or EINVAL. */
BLITZ_API int blitz_fill(void *base, size_t count, size_t size, const void *value);

/* out[i] = in[index[i]] for all i < count. `in` has in_count elements; `out` does not overlap it. ERANGE: an index is not
 * below in_count; some of out was written. EINVAL. */
BLITZ_API int blitz_gather(const void *in, size_t in_count, size_t size, const size_t *index, size_t count,
                           void *out);

/* out[index[i]] = in[i] for all i < count. `out` has out_count elements and does not overlap `in`; no two indices are the
 * same. ERANGE: an index is not below out_count; some of out was written. EINVAL. */
BLITZ_API int blitz_scatter(const void *in, const size_t *index, size_t count, size_t size, void *out,
                            size_t out_count);

/* Adds the indices lo to hi - 1 to the bins. Not 0 ends the histogram. */
typedef int blitz_bins_fn(size_t lo, size_t hi, uint64_t *bins, void *ctx);

/* counts[b] = what `add` adds to bin b over [lo, hi), from 0. Each worker that takes part has bins of its own, which are
 * added up at the end, so the result is always the same; they are few enough to cost less than the work. Returns the first
 * value other than 0 that add returned, and then writes nothing. EINVAL: add or counts is NULL, or bins is 0. ENOMEM. */
BLITZ_API int blitz_histogram(size_t lo, size_t hi, size_t bins, uint64_t *counts, blitz_bins_fn *add,
                              void *ctx);

/* counts[b] = how many keys are b. ERANGE: a key is not below bins; nothing was written. Else as above. */
BLITZ_API int blitz_histogram_u32(const uint32_t *keys, size_t count, size_t bins, uint64_t *counts);

#ifdef __cplusplus
}
#endif

#endif
