/*
 * omp_decl.h: the omp_* functions of C and their types, in GCC's ABI. The types come from the compiler's own omp.h
 * where that is GCC's, so that every declaration and definition is checked against it; else the same shapes are written
 * out (LLVM's omp.h has other ones, and clang without libomp has none). The declarations come from api.def. Functions
 * that stop the program are not here (unsupported.c).
 */
#ifndef BOMP_OMP_DECL_H
#define BOMP_OMP_DECL_H

#include <stdint.h>

#include "api.h"
#include "export.h"

#if !defined(__clang__) && __has_include(<omp.h>)
#    include <omp.h>
#else
typedef struct {
    uint32_t opaque;
} omp_lock_t;

typedef struct {
    uint64_t opaque[2];
} omp_nest_lock_t;

typedef enum omp_sched_t {
    omp_sched_static = 1,
    omp_sched_dynamic = 2,
    omp_sched_guided = 3,
    omp_sched_auto = 4,
    omp_sched_monotonic = 0x80000000U
} omp_sched_t;

typedef enum omp_proc_bind_t {
    omp_proc_bind_false = 0,
    omp_proc_bind_true = 1,
    omp_proc_bind_primary = 2,
    omp_proc_bind_close = 3,
    omp_proc_bind_spread = 4
} omp_proc_bind_t;
#endif

_Static_assert(sizeof(omp_lock_t) == 4 && _Alignof(omp_lock_t) == 4, "omp_lock_t of GCC's ABI");
_Static_assert(sizeof(omp_nest_lock_t) == 16 && _Alignof(omp_nest_lock_t) == 8,
               "omp_nest_lock_t of GCC's ABI");
_Static_assert(sizeof(omp_sched_t) == 4 && sizeof(omp_proc_bind_t) == 4, "enums of GCC's ABI");

#define SHAPE_int_void(name) BOMP_EXPORT int name(void);
#define SHAPE_void_int(name) BOMP_EXPORT void name(int);
#define SHAPE_int_int(name) BOMP_EXPORT int name(int);
#define SHAPE_double_void(name) BOMP_EXPORT double name(void);
#define SHAPE_other(name)

/* What an expansion of api.def says only of functions that are served, whole or in part. */
#define BOMP_SERVED_full(x) x
#define BOMP_SERVED_part(x) x
#define BOMP_SERVED_host(x) x
#define BOMP_SERVED_stop(x)

#define OMP(group, name, node, status, shape, languages) BOMP_SERVED_##status(SHAPE_##shape(name))
#define OMP_OLD(name, node)
#include "api.def"
#undef OMP
#undef OMP_OLD

BOMP_EXPORT void omp_set_schedule(omp_sched_t, int);
BOMP_EXPORT void omp_get_schedule(omp_sched_t *, int *);
BOMP_EXPORT omp_proc_bind_t omp_get_proc_bind(void);

BOMP_EXPORT void omp_init_lock(omp_lock_t *);
BOMP_EXPORT void omp_destroy_lock(omp_lock_t *);
BOMP_EXPORT void omp_set_lock(omp_lock_t *);
BOMP_EXPORT void omp_unset_lock(omp_lock_t *);
BOMP_EXPORT int omp_test_lock(omp_lock_t *);
BOMP_EXPORT void omp_init_nest_lock(omp_nest_lock_t *);
BOMP_EXPORT void omp_destroy_nest_lock(omp_nest_lock_t *);
BOMP_EXPORT void omp_set_nest_lock(omp_nest_lock_t *);
BOMP_EXPORT void omp_unset_nest_lock(omp_nest_lock_t *);
BOMP_EXPORT int omp_test_nest_lock(omp_nest_lock_t *);

#endif
