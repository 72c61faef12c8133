/* The omp_* functions of C and their types, in GCC's ABI. The types come from the compiler's own omp.h where that is GCC's,
 * so that every declaration and definition is checked against it; else the same shapes are written out (LLVM's omp.h has
 * other ones, and clang without libomp has no omp.h). api.def
 * declares functions that have a shape; others are declared where they are defined. */
#ifndef BOMP_OMP_DECL_H
#define BOMP_OMP_DECL_H

#include <stddef.h>
#include <stdint.h>

#include "omp/base/export.h"
#include "omp/bomp.h"
#include "omp/team/caller.h"

#if !defined(__clang__) && __has_include(<omp.h>)
#    include <omp.h>
#else
typedef struct {
    uint32_t opaque;
} omp_lock_t;

typedef struct {
    uint64_t opaque[2];
} omp_nest_lock_t;

typedef enum omp_sched_t { omp_sched_static = 1, omp_sched_monotonic = 0x80000000U } omp_sched_t;

typedef enum omp_proc_bind_t { omp_proc_bind_false = 0, omp_proc_bind_spread = 4 } omp_proc_bind_t;

typedef enum omp_pause_resource_t { omp_pause_soft = 1, omp_pause_hard = 2 } omp_pause_resource_t;

typedef enum omp_sync_hint_t { omp_sync_hint_none = 0, omp_sync_hint_speculative = 8 } omp_sync_hint_t;

typedef enum omp_memspace_handle_t {
    omp_high_bw_mem_space = 3,
    omp_low_lat_mem_space = 4,
    omp_memspace_handle_max = UINTPTR_MAX
} omp_memspace_handle_t;

typedef enum omp_allocator_handle_t {
    omp_null_allocator = 0,
    omp_allocator_handle_max = UINTPTR_MAX
} omp_allocator_handle_t;

typedef enum omp_alloctrait_key_t {
    omp_atk_sync_hint = 1,
    omp_atk_alignment = 2,
    omp_atk_access = 3,
    omp_atk_pool_size = 4,
    omp_atk_fallback = 5,
    omp_atk_fb_data = 6,
    omp_atk_pinned = 7,
    omp_atk_partition = 8
} omp_alloctrait_key_t;

typedef enum omp_alloctrait_value_t {
    omp_atv_default = UINTPTR_MAX,
    omp_atv_false = 0,
    omp_atv_true = 1,
    omp_atv_contended = 3,
    omp_atv_private = 6,
    omp_atv_all = 7,
    omp_atv_cgroup = 10,
    omp_atv_default_mem_fb = 11,
    omp_atv_allocator_fb = 14,
    omp_atv_environment = 15,
    omp_atv_interleaved = 18
} omp_alloctrait_value_t;

typedef struct omp_alloctrait_t {
    omp_alloctrait_key_t key;
    uintptr_t value;
} omp_alloctrait_t;
#endif

_Static_assert(sizeof(omp_lock_t) == 4 && _Alignof(omp_lock_t) == 4, "omp_lock_t of GCC's ABI");
_Static_assert(sizeof(omp_nest_lock_t) == 16 && _Alignof(omp_nest_lock_t) == 8,
               "omp_nest_lock_t of GCC's ABI");
_Static_assert(sizeof(omp_sched_t) == 4 && sizeof(omp_proc_bind_t) == 4 && sizeof(omp_sync_hint_t) == 4,
               "enums of GCC's ABI");

#define SHAPE_int_void(name) BOMP_EXPORT int name(void);
#define SHAPE_void_int(name) BOMP_EXPORT void name(int);
#define SHAPE_int_int(name) BOMP_EXPORT int name(int);
#define SHAPE_void_int_int(name) BOMP_EXPORT void name(int, int);
#define SHAPE_double_void(name) BOMP_EXPORT double name(void);
#define SHAPE_same(name)
#define SHAPE_other(name)

#define OMP(group, name, node, status, shape, languages) SHAPE_##shape(name)
#define OMP_OLD(name, node)
#include "omp/api/api.def"
#undef OMP
#undef OMP_OLD

BOMP_EXPORT void omp_set_schedule(omp_sched_t, int);
BOMP_EXPORT int omp_target_memcpy(void *, const void *, size_t, size_t, size_t, int, int);
BOMP_EXPORT int omp_target_memcpy_rect(void *, const void *, size_t, int, const size_t *, const size_t *,
                                       const size_t *, const size_t *, const size_t *, int, int);
BOMP_EXPORT void *omp_target_memset(void *, int, size_t, int);
BOMP_EXPORT int omp_control_tool(unsigned, int, void *); /* the first is an enum from 1 in GCC 17's header */

/* Newer than GCC 12's header: an interop object is a word, a property and a reason are ints. Later ones have enums. */
#if !defined(__clang__) && __GNUC__ > 12
#    pragma GCC diagnostic ignored "-Wenum-int-mismatch"
#endif

/* The result of a Fortran function that is a pointer to characters. */
void bomp_give_text(const char *from, const char **text, size_t *length);

#endif
