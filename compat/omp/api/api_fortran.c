/* The omp_* functions as Fortran calls them: names with a trailing underscore, arguments by reference; those ending in _8_
 * are for code compiled with 8-byte integers and logicals. Results are 4 bytes in both. Most are made from api.def: the
 * shape of the C function says which arguments to pass on. Functions without arguments have one more name instead
 * (cmake/symbols.cmake). */
#include <limits.h>
#include <stdint.h>

#include "omp/api/omp_decl.h"

/* The nearest int: what a C caller could have passed. */
static int narrow(int64_t value) {
    return value > INT_MAX ? INT_MAX : value < INT_MIN ? INT_MIN : (int)value;
}

/* clang-format off */
#define FORTRAN_int_void(name)
#define FORTRAN_double_void(name)
#define FORTRAN_same(name)
#define FORTRAN_other(name)
#define FORTRAN_void_int(name) \
    BOMP_EXPORT void name##_(const int32_t *a) { name(*a); } \
    BOMP_EXPORT void name##_8_(const int64_t *a) { name(narrow(*a)); }
#define FORTRAN_int_int(name) \
    BOMP_EXPORT int32_t name##_(const int32_t *a) { return name(*a); } \
    BOMP_EXPORT int32_t name##_8_(const int64_t *a) { return name(narrow(*a)); }
#define FORTRAN_void_int_int(name) \
    BOMP_EXPORT void name##_(const int32_t *a, const int32_t *b) { name(*a, *b); } \
    BOMP_EXPORT void name##_8_(const int64_t *a, const int64_t *b) { name(narrow(*a), narrow(*b)); }
/* clang-format on */

#define OMP(group, name, node, status, shape, languages) FORTRAN_##shape(name)
#define OMP_OLD(name, node)
#include "omp/api/api.def"

/* A schedule's kind is 4 bytes everywhere, and Fortran has no name for the monotonic bit. */

BOMP_EXPORT void omp_set_schedule_(const int32_t *sched, const int32_t *chunk) {
    omp_set_schedule((omp_sched_t)*sched, *chunk);
}

BOMP_EXPORT void omp_set_schedule_8_(const int32_t *sched, const int64_t *chunk) {
    omp_set_schedule((omp_sched_t)*sched, narrow(*chunk));
}

BOMP_EXPORT void omp_get_schedule_(int32_t *sched, int32_t *chunk) {
    const struct bomp_icv *icv = bomp_icv();
    *sched = (int32_t)(icv->sched & ~BOMP_LOOP_MONOTONIC);
    *chunk = icv->chunk;
}

BOMP_EXPORT void omp_get_schedule_8_(int32_t *sched, int64_t *chunk) {
    int32_t narrow_chunk;
    omp_get_schedule_(sched, &narrow_chunk);
    *chunk = narrow_chunk;
}

BOMP_EXPORT int32_t omp_control_tool_(const int32_t *command, const int32_t *modifier, void *arg) {
    return omp_control_tool((unsigned)*command, *modifier, arg);
}

BOMP_EXPORT int32_t omp_control_tool_8_(const int64_t *command, const int64_t *modifier, void *arg) {
    return omp_control_tool((unsigned)narrow(*command), narrow(*modifier), arg);
}
