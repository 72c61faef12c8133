/* The omp_* functions of C and their types, in GCC's ABI. The types come from the compiler's own omp.h where that is
 * GCC's, which checks every declaration and definition; else from their sizes. api.def declares functions that have a
 * shape; others are declared where they are defined. */
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
typedef uint32_t omp_lock_t, omp_sched_t, omp_proc_bind_t, omp_pause_resource_t, omp_sync_hint_t;
typedef struct {
    uint64_t opaque[2];
} omp_nest_lock_t;
typedef uintptr_t omp_memspace_handle_t, omp_allocator_handle_t;
typedef struct bomp_allocator_trait omp_alloctrait_t;
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

/* Newer than GCC 12's header: an interop object is a word, a property and a reason are ints, a command to a tool is an
 * unsigned int. Later headers have enums. */
#if !defined(__clang__) && __GNUC__ > 12
#    pragma GCC diagnostic ignored "-Wenum-int-mismatch"
#endif
BOMP_EXPORT int omp_control_tool(unsigned, int, void *);

/* The result of a Fortran function that is a pointer to characters. */
void bomp_give_text(const char *from, const char **text, size_t *length);

#endif
