/* kmp_api.c: what programs ask LLVM's runtime for beyond OpenMP: settings and sets of CPUs. Each function comes by value for
 * C, by reference with an underscore for Fortran, and some with kmpc_, by value, for Fortran's C bindings. Forms with the
 * same parameters are second names (names.ld). Memory is in alloc.c. */
#include <string.h>

#include "kmpc.h"

/* ---- stacks, waiting, the kind of library ---- */

BOMP_EXPORT int32_t kmp_get_stacksize(void) {
    size_t size = bomp_stack_size();
    return size < INT32_MAX ? (int32_t)size : INT32_MAX;
}

BOMP_EXPORT void kmp_set_stacksize(int32_t bytes) {
    bomp_set_stack_size(bytes > 0 ? (size_t)bytes : 0);
}

KMPC_BY_REFERENCE(void, kmp_set_stacksize_, kmp_set_stacksize, int32_t)
KMPC_BY_REFERENCE(void, kmp_set_stacksize_s_, bomp_set_stack_size, size_t)
KMPC_BY_REFERENCE(void, kmp_set_blocktime_, bomp_set_blocktime, int32_t)
KMPC_BY_REFERENCE(void, kmp_set_library_, bomp_set_library, int32_t)

#define SETS(name, function, value)                                                                          \
    BOMP_EXPORT void name(void) {                                                                            \
        function(value);                                                                                     \
    }

enum { SERIAL = 1, TURNAROUND = 2, THROUGHPUT = 3 };

SETS(kmp_set_library_serial, bomp_set_library, SERIAL)
SETS(kmp_set_library_turnaround, bomp_set_library, TURNAROUND)
SETS(kmp_set_library_throughput, bomp_set_library, THROUGHPUT)
SETS(kmp_set_warnings_on, bomp_set_warnings, true)
SETS(kmp_set_warnings_off, bomp_set_warnings, false)

/* ---- others ---- */

BOMP_EXPORT void kmp_set_defaults(const char *list) {
    bomp_set_defaults(list, strlen(list));
}

/* Whether that region around the caller is cancelled: a question, no cancellation point. */
BOMP_EXPORT int32_t kmp_get_cancellation_status(int32_t kind) {
    bool known = kind >= KMPC_CANCEL_PARALLEL && kind <= KMPC_CANCEL_TASKGROUP;
    return known && bomp_cancel_is_seen(kmpc_cancel_of(kind));
}

KMPC_BY_REFERENCE(int32_t, kmp_get_cancellation_status_, kmp_get_cancellation_status, int32_t)

/* ---- sets of CPUs: the program has pointers to them ---- */

BOMP_EXPORT void kmp_create_affinity_mask(void **mask) {
    *mask = bomp_cpu_mask_new();
}

BOMP_EXPORT void kmp_destroy_affinity_mask(void **mask) {
    bomp_scratch_free(*mask);
    *mask = NULL;
}

/* A set that was never made. */
#define NO_MASK (-1)

BOMP_EXPORT int32_t kmp_get_affinity(void **mask) {
    return mask && *mask ? bomp_cpu_mask_get(*mask) : NO_MASK;
}

BOMP_EXPORT int32_t kmp_set_affinity(void **mask) {
    return mask && *mask ? bomp_cpu_mask_set(*mask) : NO_MASK;
}

/* Of a CPU and a set. */
#define OF_CPU(name, value)                                                                                  \
    BOMP_EXPORT int32_t name(int32_t cpu, void **mask) {                                                     \
        return mask && *mask ? value : NO_MASK;                                                              \
    }                                                                                                        \
    BOMP_EXPORT int32_t name##_(const int32_t *cpu, void **mask) {                                           \
        return name(*cpu, mask);                                                                             \
    }

OF_CPU(kmp_set_affinity_mask_proc, bomp_cpu_mask_change(*mask, cpu, true))
OF_CPU(kmp_unset_affinity_mask_proc, bomp_cpu_mask_change(*mask, cpu, false))
OF_CPU(kmp_get_affinity_mask_proc, bomp_cpu_mask_has(*mask, cpu))

/* The caller may run on all CPUs of the process again. */
BOMP_EXPORT void kmp_set_thread_affinity_mask_initial(void) {
    (void)bomp_cpu_mask_set(NULL);
}

/* ---- what objects of Intel's compilers refer to, so that some OpenMP library is there ---- */

BOMP_EXPORT extern int32_t _You_must_link_with_exactly_one_OpenMP_library,
    _You_must_link_with_Intel_OpenMP_library;
int32_t _You_must_link_with_exactly_one_OpenMP_library = 1;
int32_t _You_must_link_with_Intel_OpenMP_library = 1;
