/* Typed sums, products, least, greatest and equal values, and scans: algo_typed.h for each type. Integers are added
 * unsigned, which wraps around. */
#include "blitz/algo.h"

#include <math.h>
#include <string.h>

#include "algo_element.h"

#define T int32_t
#define UNSIGNED uint32_t
#define SUM int64_t
#define LANE uint64_t
#define CELL uint32_t
#define FOUR_IN_VECTOR
#define LEAST INT32_MIN
#define GREATEST INT32_MAX
#define NAME(verb) blitz_##verb##_i32
#define LOCAL(word) word##_i32
#include "algo_typed.h"

#define T uint32_t
#define UNSIGNED uint32_t
#define SUM uint64_t
#define LANE uint64_t
#define CELL uint32_t
#define FOUR_IN_VECTOR
#define LEAST 0
#define GREATEST UINT32_MAX
#define NAME(verb) blitz_##verb##_u32
#define LOCAL(word) word##_u32
#include "algo_typed.h"

#define T int64_t
#define UNSIGNED uint64_t
#define SUM int64_t
#define LANE uint64_t
#define CELL uint64_t
#define LEAST INT64_MIN
#define GREATEST INT64_MAX
#define NAME(verb) blitz_##verb##_i64
#define LOCAL(word) word##_i64
#include "algo_typed.h"

#define T uint64_t
#define UNSIGNED uint64_t
#define SUM uint64_t
#define LANE uint64_t
#define CELL uint64_t
#define LEAST 0
#define GREATEST UINT64_MAX
#define NAME(verb) blitz_##verb##_u64
#define LOCAL(word) word##_u64
#include "algo_typed.h"

#define T float
#define UNSIGNED uint32_t
#define SUM double
#define LANE double
#define CELL float
#define FOUR_IN_VECTOR
#define LEAST -HUGE_VALF
#define GREATEST HUGE_VALF
#define NAME(verb) blitz_##verb##_f32
#define LOCAL(word) word##_f32
#include "algo_typed.h"

#define T double
#define UNSIGNED uint64_t
#define SUM double
#define LANE double
#define CELL double
#define LEAST -HUGE_VAL
#define GREATEST HUGE_VAL
#define NAME(verb) blitz_##verb##_f64
#define LOCAL(word) word##_f64
#include "algo_typed.h"
