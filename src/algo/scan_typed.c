/* Typed scans: scan_typed.h for each type. Integers are added unsigned, which wraps around. */
#include "blitz/algo.h"

#include <errno.h>
#include <string.h>

#include "algo/element.h"

struct typed_scan {
    struct typed in; /* first: all that sums look at */
    void *out;
};

#define T int32_t
#define ACC uint32_t
#define FOUR_IN_VECTOR
#define NAME(verb) blitz_##verb##_i32
#define LOCAL(word) word##_i32
#include "algo/scan_typed.h"

#define T uint32_t
#define ACC uint32_t
#define FOUR_IN_VECTOR
#define NAME(verb) blitz_##verb##_u32
#define LOCAL(word) word##_u32
#include "algo/scan_typed.h"

#define T int64_t
#define ACC uint64_t
#define NAME(verb) blitz_##verb##_i64
#define LOCAL(word) word##_i64
#include "algo/scan_typed.h"

#define T uint64_t
#define ACC uint64_t
#define NAME(verb) blitz_##verb##_u64
#define LOCAL(word) word##_u64
#include "algo/scan_typed.h"

#define T float
#define ACC float
#define FOUR_IN_VECTOR
#define NAME(verb) blitz_##verb##_f32
#define LOCAL(word) word##_f32
#include "algo/scan_typed.h"

#define T double
#define ACC double
#define NAME(verb) blitz_##verb##_f64
#define LOCAL(word) word##_f64
#include "algo/scan_typed.h"
