/* Typed scans: scan_typed.h for each type. Integers are added unsigned, so that they wrap around. */
#include "blitz/algo.h"

#include <errno.h>
#include <string.h>

#include "algo/element.h"

struct typed_scan {
    struct typed in; /* first; all that sums read */
    void *out;
};

/* Elements that are scanned in about a microsecond. */
enum { SCAN_GRAIN = 2048 };

#define LOCAL(word) SUFFIXED(word##_, SUFFIX)
#define NAME(verb) SUFFIXED(blitz_##verb##_, SUFFIX)
#define OP(word) SUFFIXED(LOCAL(word), _op)

#define T int32_t
#define ACC uint32_t
#define FOUR_IN_VECTOR
#define SUFFIX i32
#include "algo/scan_typed.h"

#define T uint32_t
#define ACC uint32_t
#define FOUR_IN_VECTOR
#define SUFFIX u32
#include "algo/scan_typed.h"

#define T int64_t
#define ACC uint64_t
#define SUFFIX i64
#include "algo/scan_typed.h"

#define T uint64_t
#define ACC uint64_t
#define SUFFIX u64
#include "algo/scan_typed.h"

#define T float
#define ACC float
#define FOUR_IN_VECTOR
#define SUFFIX f32
#include "algo/scan_typed.h"

#define T double
#define ACC double
#define SUFFIX f64
#include "algo/scan_typed.h"
