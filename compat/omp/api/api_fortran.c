/* api_fortran.c: the omp_* functions as Fortran calls them, but for the locks (lock_api.c): names with a trailing
 * underscore, arguments by reference; those ending in _8_ are for code compiled with 8-byte integers and logicals.
 * Results are 4 bytes in both. Most are made from api.def: the shape of the C function says what there is to pass on.
 */
#include <limits.h>
#include <stdint.h>

#include "omp/api/omp_decl.h"

/* The nearest int: what a C caller could have passed. */
static int narrow(int64_t value) {
    return value > INT_MAX ? INT_MAX : value < INT_MIN ? INT_MIN : (int)value;
}

/* Declarations. */
#define DECLARE_int_void(name) BOMP_EXPORT int32_t name##_(void);
#define DECLARE_double_void(name) BOMP_EXPORT double name##_(void);
#define DECLARE_void_int(name) BOMP_EXPORT void name##_(const int32_t *), name##_8_(const int64_t *);
#define DECLARE_int_int(name) BOMP_EXPORT int32_t name##_(const int32_t *), name##_8_(const int64_t *);
#define DECLARE_other(name)

#define OMP(group, name, node, status, shape, languages) DECLARE_##shape(name)
#define OMP_OLD(name, node)
#include "omp/api/api.def"
#undef OMP

BOMP_EXPORT void omp_set_schedule_(const int32_t *, const int32_t *);
BOMP_EXPORT void omp_set_schedule_8_(const int32_t *, const int64_t *);
BOMP_EXPORT void omp_get_schedule_(int32_t *, int32_t *);
BOMP_EXPORT void omp_get_schedule_8_(int32_t *, int64_t *);
BOMP_EXPORT int32_t omp_get_proc_bind_(void);
BOMP_EXPORT int32_t omp_control_tool_(const int32_t *, const int32_t *, void *);
BOMP_EXPORT int32_t omp_control_tool_8_(const int64_t *, const int64_t *, void *);
BOMP_EXPORT void omp_set_device_num_teams_(const int32_t *, const int32_t *);
BOMP_EXPORT void omp_set_device_num_teams_8_(const int64_t *, const int64_t *);
BOMP_EXPORT void omp_set_device_teams_thread_limit_(const int32_t *, const int32_t *);
BOMP_EXPORT void omp_set_device_teams_thread_limit_8_(const int64_t *, const int64_t *);

/* Definitions, with 4-byte arguments. */
/* clang-format off */
#define DEFINE_int_void(name) int32_t name##_(void) { return name(); }
#define DEFINE_double_void(name) double name##_(void) { return name(); }
#define DEFINE_void_int(name) void name##_(const int32_t *a) { name(*a); }
#define DEFINE_int_int(name) int32_t name##_(const int32_t *a) { return name(*a); }
#define DEFINE_other(name)
/* clang-format on */

#define OMP(group, name, node, status, shape, languages) DEFINE_##shape(name)
#include "omp/api/api.def"
#undef OMP

/* Definitions, with 8-byte arguments. */
/* clang-format off */
#define DEFINE_8_int_void(name)
#define DEFINE_8_double_void(name)
#define DEFINE_8_void_int(name) void name##_8_(const int64_t *a) { name(narrow(*a)); }
#define DEFINE_8_int_int(name) int32_t name##_8_(const int64_t *a) { return name(narrow(*a)); }
#define DEFINE_8_other(name)
/* clang-format on */

#define OMP(group, name, node, status, shape, languages) DEFINE_8_##shape(name)
#include "omp/api/api.def"

/* The rest: a schedule's kind is 4 bytes everywhere, and Fortran has no name for the monotonic bit. */

void omp_set_schedule_(const int32_t *sched, const int32_t *chunk) {
    omp_set_schedule((omp_sched_t)*sched, *chunk);
}

void omp_set_schedule_8_(const int32_t *sched, const int64_t *chunk) {
    omp_set_schedule((omp_sched_t)*sched, narrow(*chunk));
}

void omp_get_schedule_(int32_t *sched, int32_t *chunk) {
    const struct bomp_icv *icv = bomp_icv();
    *sched = (int32_t)(icv->sched & ~BOMP_SCHED_MONOTONIC);
    *chunk = icv->chunk;
}

void omp_get_schedule_8_(int32_t *sched, int64_t *chunk) {
    int32_t narrow_chunk;
    omp_get_schedule_(sched, &narrow_chunk);
    *chunk = narrow_chunk;
}

int32_t omp_control_tool_(const int32_t *command, const int32_t *modifier, void *arg) {
    return omp_control_tool(*command, *modifier, arg);
}

int32_t omp_control_tool_8_(const int64_t *command, const int64_t *modifier, void *arg) {
    return omp_control_tool(narrow(*command), narrow(*modifier), arg);
}

void omp_set_device_num_teams_(const int32_t *device, const int32_t *n) {
    omp_set_device_num_teams(*device, *n);
}

void omp_set_device_num_teams_8_(const int64_t *device, const int64_t *n) {
    omp_set_device_num_teams(narrow(*device), narrow(*n));
}

void omp_set_device_teams_thread_limit_(const int32_t *device, const int32_t *n) {
    omp_set_device_teams_thread_limit(*device, *n);
}

void omp_set_device_teams_thread_limit_8_(const int64_t *device, const int64_t *n) {
    omp_set_device_teams_thread_limit(narrow(*device), narrow(*n));
}

int32_t omp_get_proc_bind_(void) {
    return (int32_t)omp_get_proc_bind();
}
