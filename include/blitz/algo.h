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
 * Arrays are given as in qsort: address, number of elements, bytes of each. Functions of one element cost a call for each;
 * the forms over ranges, whose body holds the loop, avoid it: blitz_for and blitz_reduce of blitz.h, blitz_seek_*,
 * blitz_scan, blitz_histogram.
 *
 * Any thread may call all of these, nested too, in the current pool or the global one. They split as blitz_for does, only
 * when a worker is idle; the caller runs small arrays alone. Results are those of the serial loop for any number of workers;
 * only floating-point sums may be rounded differently from run to run.
 *
 * Several threads call predicates and other functions at the same time. These must not change the elements, throw or
 * longjmp. Searches and scans begin parts from left to right, but calls have no order: reducers of blitz/reducer.h keep none
 * there.
 *
 * Errors: verbs that return int return 0 or an error; with EINVAL and ENOMEM they have written nothing. EINVAL in all of
 * them: a NULL function, a size of 0, a NULL array with elements, or an array of more than SIZE_MAX / 2 bytes. An array
 * without elements may be NULL. Verbs with another result warn once about these, and return the result of an empty array.
 */
#ifndef BLITZ_ALGO_H
#define BLITZ_ALGO_H

#include <blitz.h>
#include <blitz/sort.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Typed reductions ---- */

/* The sum. Integers of 8 to 64 bits are added in 64 bits, where they wrap around; floats in double, in any
 * bracketing. 0 for an empty array. Cost: reads the array once, with vector instructions for most types; the calling thread
 * alone, without a pool, below 16384 elements. */
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

/* The least value; of an empty array the greatest value of the type, or infinity. Skips NaNs; 0 and -0 count as equal. */
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

/* The greatest value, likewise; of an empty array the least value of the type, or minus infinity. */
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

/* The number of elements that equal `value`. */
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

/* A predicate on an element. Any value other than 0 is true. */
typedef int blitz_pred(const void *elem, void *ctx);

/* The index of the first, the last or any element for which pred holds; count if it holds for no element. First and last
 * search from their end on: the workers share the elements up to the match, and read little beyond the best known match. Any
 * ends soon after the first match. */
BLITZ_API size_t blitz_find_first(const void *base, size_t count, size_t size, blitz_pred *pred, void *ctx);
BLITZ_API size_t blitz_find_last(const void *base, size_t count, size_t size, blitz_pred *pred, void *ctx);
BLITZ_API size_t blitz_find_any(const void *base, size_t count, size_t size, blitz_pred *pred, void *ctx);

/* Whether pred holds for any element (0 for an empty array), or for all (1 for an empty array). Both stop early. */
BLITZ_API int blitz_any(const void *base, size_t count, size_t size, blitz_pred *pred, void *ctx);
BLITZ_API int blitz_all(const void *base, size_t count, size_t size, blitz_pred *pred, void *ctx);

/* Searches the indices lo to hi - 1, lo < hi. Returns a match, or hi without one. */
typedef size_t blitz_seek_fn(size_t lo, size_t hi, void *ctx);

/* The same over a range: the first, last or any match in [lo, hi), or hi without one. seek returns the first match of its
 * range, the last one for seek_last, any for seek_any. Ranges are small at first and grow with the part that is searched, up
 * to 65536 indices or one grain; between ranges workers check for matches of others. grain is the least number of indices of
 * a range, or 0; all ranges but the last are whole grains. Long ranges begin at multiples of grain times a power of two from
 * the start, so that searches are alike. */
BLITZ_API size_t blitz_seek_first(size_t lo, size_t hi, size_t grain, blitz_seek_fn *seek, void *ctx);
BLITZ_API size_t blitz_seek_last(size_t lo, size_t hi, size_t grain, blitz_seek_fn *seek, void *ctx);
BLITZ_API size_t blitz_seek_any(size_t lo, size_t hi, size_t grain, blitz_seek_fn *seek, void *ctx);

/* The number of elements for which pred holds. */
BLITZ_API size_t blitz_count_if(const void *base, size_t count, size_t size, blitz_pred *pred, void *ctx);

/* ---- Filters ---- */

/* Each writes to `out`, which has room for `count` elements and does not overlap `in`, and stores the number of kept
 * elements in *kept unless that is NULL. Keeps the order. May call a function twice for an element. 0, EINVAL or ENOMEM (a
 * table of at most a few hundred bytes for each 1024 elements). */

/* The elements for which pred holds. */
BLITZ_API int blitz_compact(const void *in, size_t count, size_t size, blitz_pred *pred, void *ctx, void *out,
                            size_t *kept);

/* The elements for which pred holds, then the others, both in order. *kept: the number of the first kind. */
BLITZ_API int blitz_partition(const void *in, size_t count, size_t size, blitz_pred *pred, void *ctx,
                              void *out, size_t *kept);

/* Compares two elements. Any value other than 0: they are equal. */
typedef int blitz_same_fn(const void *left, const void *right, void *ctx);

/* The first element of each run of equal ones. */
BLITZ_API int blitz_unique(const void *in, size_t count, size_t size, blitz_same_fn *same, void *ctx,
                           void *out, size_t *kept);

/* ---- Scans ---- */

/* Scans a range: value holds the sum of all elements before lo. Writes the results for the indices lo to hi - 1, and adds
 * these elements to value. A result other than 0 ends the scan. */
typedef int blitz_scan_fn(size_t lo, size_t hi, void *value, void *ctx);

/* Calls `scan` once for each part of [lo, hi), with the sum of all elements before it. op->map only sums a part: it is
 * called at most once, before `scan`, for parts whose left neighbours are not done. + must be associative; it need not
 * commute. `scan` may overwrite elements that it and map read for the same indices, but no others.
 *
 * grain is the least number of indices in a part, or 0. The sum of all goes to *total, unless that is NULL.
 *
 * Returns the first value other than 0 that a function returned: then parts are missing. EINVAL: op, a member of it or
 * scan is NULL, or size is 0. ENOMEM: no memory for two values and a cache line for each part. Cost: with one worker, one
 * call of scan for each part; with more, at most one of map and one of scan. No worker waits for the part to the left. */
BLITZ_API int blitz_scan(size_t lo, size_t hi, size_t grain, const blitz_reduce_op *op, blitz_scan_fn *scan,
                         void *ctx, void *total);

/* How to add up elements of `size` bytes: left = left + right, associative, and identity + x = x = x + identity. */
typedef struct blitz_monoid {
    /* Bytes of an element. */
    size_t size;
    /* An element. */
    const void *identity;
    /* left = left + right. */
    void (*combine)(void *left, const void *right, void *ctx);
} blitz_monoid;

/* out[i] = in[0] + ... + in[i], or, exclusive, the identity + in[0] + ... + in[i - 1]. out may be in, an exclusive scan only
 * with elements of up to 64 bytes; else they do not overlap. combine gets values aligned for elements of that size. 0,
 * EINVAL or ENOMEM as blitz_scan. */
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

/* Computes *out from *in. A result other than 0 ends the map. */
typedef int blitz_map_fn(const void *in, void *out, void *ctx);

/* fn(in[i], out[i]) for all i. out may be in if the sizes are the same; else they do not overlap. Returns the first value
 * other than 0 that fn returned; EINVAL. Over ranges this is blitz_for. */
BLITZ_API int blitz_map(const void *in, size_t in_size, void *out, size_t out_size, size_t count,
                        blitz_map_fn *fn, void *ctx);

/* Computes *out from *a and *b. A result other than 0 ends the transform. */
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

/* Adds the indices lo to hi - 1 to the bins. A result other than 0 ends the histogram. */
typedef int blitz_bins_fn(size_t lo, size_t hi, uint64_t *bins, void *ctx);

/* counts[b] = the sum that `add` adds to bin b over [lo, hi). Each worker has bins of its own, which are summed at the end,
 * so the result is always the same. Returns the first value other than 0 that add returned, and then writes nothing. EINVAL:
 * add or counts is NULL, or bins is 0. ENOMEM. */
BLITZ_API int blitz_histogram(size_t lo, size_t hi, size_t bins, uint64_t *counts, blitz_bins_fn *add,
                              void *ctx);

/* counts[b] = the number of keys that equal b. ERANGE: a key is not below bins; nothing was written. Else as
 * blitz_histogram. */
BLITZ_API int blitz_histogram_u32(const uint32_t *keys, size_t count, size_t bins, uint64_t *counts);

#ifdef __cplusplus
}
#endif

#endif
