/* Typed sums, products, least, greatest and equal values: typed.h for each type. Integers are added unsigned, so that they
 * wrap around; those of 8 and 16 bits in 32 bits while these suffice. */
#include "blitz/algo.h"

#include <math.h>

#include "algo/element.h"
#include "env/error.h"

/* Elements that are reduced or searched in vector instructions in about a microsecond. */
enum { GRAIN = 8192 };

/* Lanes of the least and the greatest. Without vectors, 16 would exceed the registers. */
#define EXTREME_LANES                                                                                        \
    _Generic((T)0, int32_t                                                                                   \
             : ALGO_LANES, uint32_t                                                                          \
             : ALGO_LANES, default                                                                           \
             : sizeof(T) < 4 ? 2 * ALGO_LANES : ALGO_LANES / 2)

static BZ_COLD void refuse(void) {
    static struct bz_aflag warned;
    bz_warn_once(&warned, "a reduction of an array that is NULL or too long; using an empty array");
}

/* Short arrays are not split. */
BZ_INLINE void reduce(const blitz_reduce_op *op, struct typed *typed, size_t count, size_t size,
                      void *value) {
    if (bz_unlikely(((!typed->a || !typed->b) && count > 0) || bz_count_is_bad(count, size)))
        refuse();
    else if (count < 2 * GRAIN)
        (void)op->map(0, count, value, typed);
    else
        (void)blitz_reduce(0, count, GRAIN, op, typed, value); /* cannot fail: values are small */
}

/* A type: its suffix; itself; the unsigned type of its size, for counting in vectors; the types of its returned sums, of
 * sums, of sums of 65536 elements, of factors, of sums of 65536 products; its least and greatest value. */
#define TYPE(s, own, of_size, sum, wide, term, factor, product, least, greatest)                             \
    typedef own own_##s;                                                                                     \
    typedef of_size unsigned_##s;                                                                            \
    typedef sum sum_##s;                                                                                     \
    typedef wide wide_##s;                                                                                   \
    typedef term term_##s;                                                                                   \
    typedef factor factor_##s;                                                                               \
    typedef product product_##s;                                                                             \
    static const own least_##s = least, greatest_##s = greatest;

#define T LOCAL(own)
#define LOCAL(word) SUFFIXED(word##_, SUFFIX)
#define NAME(verb) SUFFIXED(blitz_##verb##_, SUFFIX)
#define OP(word) SUFFIXED(LOCAL(word), _op)

TYPE(i8, int8_t, uint8_t, int64_t, uint64_t, int32_t, int32_t, int32_t, INT8_MIN, INT8_MAX)
TYPE(u8, uint8_t, uint8_t, uint64_t, uint64_t, uint32_t, uint32_t, uint32_t, 0, UINT8_MAX)
TYPE(i16, int16_t, uint16_t, int64_t, uint64_t, int32_t, int32_t, uint64_t, INT16_MIN, INT16_MAX)
TYPE(u16, uint16_t, uint16_t, uint64_t, uint64_t, uint32_t, uint32_t, uint64_t, 0, UINT16_MAX)
TYPE(i32, int32_t, uint32_t, int64_t, uint64_t, uint64_t, uint64_t, uint64_t, INT32_MIN, INT32_MAX)
TYPE(u32, uint32_t, uint32_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, 0, UINT32_MAX)
TYPE(i64, int64_t, uint64_t, int64_t, uint64_t, uint64_t, uint64_t, uint64_t, INT64_MIN, INT64_MAX)
TYPE(u64, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, 0, UINT64_MAX)
TYPE(f32, float, uint32_t, double, double, double, double, double, -HUGE_VALF, HUGE_VALF)
TYPE(f64, double, uint64_t, double, double, double, double, double, -HUGE_VAL, HUGE_VAL)

#define SUFFIX i8
#include "algo/typed.h"
#define SUFFIX u8
#include "algo/typed.h"
#define SUFFIX i16
#include "algo/typed.h"
#define SUFFIX u16
#include "algo/typed.h"
#define SUFFIX i32
#include "algo/typed.h"
#define SUFFIX u32
#include "algo/typed.h"
#define SUFFIX i64
#include "algo/typed.h"
#define SUFFIX u64
#include "algo/typed.h"
#define SUFFIX f32
#include "algo/typed.h"
#define SUFFIX f64
#include "algo/typed.h"
