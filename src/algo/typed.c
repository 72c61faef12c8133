/* Typed sums, products, least, greatest and equal values: typed.h for each type. Integers are added unsigned, which
 * wraps around; those of 8 and 16 bits in 32 bits as long as these suffice. */
#include "blitz/algo.h"

#include <math.h>

#include "algo/element.h"
#include "env/error.h"

/* Lanes of the least and the greatest. Where no vectors are made of them, 16 would be more than there are registers. */
#define EXTREME_LANES                                                                                        \
    _Generic((T)0, int64_t                                                                                   \
             : ALGO_LANES / 2, uint64_t                                                                      \
             : ALGO_LANES / 2, float                                                                         \
             : ALGO_LANES / 2, double                                                                        \
             : ALGO_LANES / 2, default                                                                       \
             : sizeof(T) < 4 ? 2 * ALGO_LANES : ALGO_LANES)

static BZ_COLD void refuse(void) {
    static struct bz_aflag warned;
    bz_warn_once(&warned, "a reduction of an array that is NULL or too long; using an empty array");
}

/* What is too short to be split is done at once. */
BZ_INLINE void reduce(const blitz_reduce_op *op, struct typed *typed, size_t count, size_t size,
                      void *value) {
    if (bz_unlikely(((!typed->a || !typed->b) && count > 0) || bz_count_is_bad(count, size)))
        refuse();
    else if (count < 2 * BZ_ALGO_GRAIN)
        (void)op->map(0, count, value, typed);
    else
        (void)blitz_reduce(0, count, BZ_ALGO_GRAIN, op, typed, value); /* cannot fail: values are small */
}

#define T int8_t
#define UNSIGNED uint8_t
#define SUM int64_t
#define WIDE uint64_t
#define TERM int32_t
#define FACTOR int32_t
#define PRODUCT int32_t
#define LEAST INT8_MIN
#define GREATEST INT8_MAX
#define NAME(verb) blitz_##verb##_i8
#define LOCAL(word) word##_i8
#include "algo/typed.h"

#define T uint8_t
#define UNSIGNED uint8_t
#define SUM uint64_t
#define WIDE uint64_t
#define TERM uint32_t
#define FACTOR uint32_t
#define PRODUCT uint32_t
#define LEAST 0
#define GREATEST UINT8_MAX
#define NAME(verb) blitz_##verb##_u8
#define LOCAL(word) word##_u8
#include "algo/typed.h"

#define T int16_t
#define UNSIGNED uint16_t
#define SUM int64_t
#define WIDE uint64_t
#define TERM int32_t
#define FACTOR int32_t
#define PRODUCT uint64_t
#define LEAST INT16_MIN
#define GREATEST INT16_MAX
#define NAME(verb) blitz_##verb##_i16
#define LOCAL(word) word##_i16
#include "algo/typed.h"

#define T uint16_t
#define UNSIGNED uint16_t
#define SUM uint64_t
#define WIDE uint64_t
#define TERM uint32_t
#define FACTOR uint32_t
#define PRODUCT uint64_t
#define LEAST 0
#define GREATEST UINT16_MAX
#define NAME(verb) blitz_##verb##_u16
#define LOCAL(word) word##_u16
#include "algo/typed.h"

#define T int32_t
#define UNSIGNED uint32_t
#define SUM int64_t
#define WIDE uint64_t
#define TERM uint64_t
#define FACTOR uint64_t
#define PRODUCT uint64_t
#define LEAST INT32_MIN
#define GREATEST INT32_MAX
#define NAME(verb) blitz_##verb##_i32
#define LOCAL(word) word##_i32
#include "algo/typed.h"

#define T uint32_t
#define UNSIGNED uint32_t
#define SUM uint64_t
#define WIDE uint64_t
#define TERM uint64_t
#define FACTOR uint64_t
#define PRODUCT uint64_t
#define LEAST 0
#define GREATEST UINT32_MAX
#define NAME(verb) blitz_##verb##_u32
#define LOCAL(word) word##_u32
#include "algo/typed.h"

#define T int64_t
#define UNSIGNED uint64_t
#define SUM int64_t
#define WIDE uint64_t
#define TERM uint64_t
#define FACTOR uint64_t
#define PRODUCT uint64_t
#define LEAST INT64_MIN
#define GREATEST INT64_MAX
#define NAME(verb) blitz_##verb##_i64
#define LOCAL(word) word##_i64
#include "algo/typed.h"

#define T uint64_t
#define UNSIGNED uint64_t
#define SUM uint64_t
#define WIDE uint64_t
#define TERM uint64_t
#define FACTOR uint64_t
#define PRODUCT uint64_t
#define LEAST 0
#define GREATEST UINT64_MAX
#define NAME(verb) blitz_##verb##_u64
#define LOCAL(word) word##_u64
#include "algo/typed.h"

#define T float
#define UNSIGNED uint32_t
#define SUM double
#define WIDE double
#define TERM double
#define FACTOR double
#define PRODUCT double
#define LEAST -HUGE_VALF
#define GREATEST HUGE_VALF
#define NAME(verb) blitz_##verb##_f32
#define LOCAL(word) word##_f32
#include "algo/typed.h"

#define T double
#define UNSIGNED uint64_t
#define SUM double
#define WIDE double
#define TERM double
#define FACTOR double
#define PRODUCT double
#define LEAST -HUGE_VAL
#define GREATEST HUGE_VAL
#define NAME(verb) blitz_##verb##_f64
#define LOCAL(word) word##_f64
#include "algo/typed.h"
