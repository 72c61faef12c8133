/* kmp_api.c: what programs ask LLVM's runtime for beyond OpenMP: settings and sets of CPUs. Each function comes by value for
 * C, by reference with an underscore for Fortran, and some with kmpc_, by value, for Fortran's C bindings. Memory is in
 * alloc.c. */
#include <string.h>

#include "kmpc.h"

/* ---- functions that pass one value on, or return one ---- */

#define TELLS(type, name, value)                                                                             \
    BOMP_EXPORT type name(void) {                                                                            \
        return value;                                                                                        \
    }                                                                                                        \
    BOMP_EXPORT type name##_(void) {                                                                         \
        return value;                                                                                        \
    }

#define DOES(name, statement)                                                                                \
    BOMP_EXPORT void name(void) {                                                                            \
        statement;                                                                                           \
    }                                                                                                        \
    BOMP_EXPORT void name##_(void) {                                                                         \
        statement;                                                                                           \
    }

/* kmp_NAME, kmp_NAME_ and kmpc_NAME */
#define SETS(type, name, function)                                                                           \
    BOMP_EXPORT void kmp_##name(type value) {                                                                \
        function(value);                                                                                     \
    }                                                                                                        \
    BOMP_EXPORT void kmp_##name##_(const type *value) {                                                      \
        function(*value);                                                                                    \
    }                                                                                                        \
    BOMP_EXPORT void kmpc_##name(type value) {                                                               \
        function(value);                                                                                     \
    }

/* ---- stacks, waiting, the kind of library ---- */

static int32_t stack_size_as_int(void) {
    size_t size = bomp_stack_size();
    return size < INT32_MAX ? (int32_t)size : INT32_MAX;
}

static void set_stack_size_of_int(int32_t bytes) {
    bomp_set_stack_size(bytes > 0 ? (size_t)bytes : 0);
}

TELLS(int32_t, kmp_get_stacksize, stack_size_as_int())
TELLS(size_t, kmp_get_stacksize_s, bomp_stack_size())
SETS(int32_t, set_stacksize, set_stack_size_of_int)
SETS(size_t, set_stacksize_s, bomp_set_stack_size)

TELLS(int32_t, kmp_get_blocktime, bomp_blocktime())
SETS(int32_t, set_blocktime, bomp_set_blocktime)

enum { SERIAL = 1, TURNAROUND = 2, THROUGHPUT = 3 };

TELLS(int32_t, kmp_get_library, bomp_library())
SETS(int32_t, set_library, bomp_set_library)
DOES(kmp_set_library_serial, bomp_set_library(SERIAL))
DOES(kmp_set_library_turnaround, bomp_set_library(TURNAROUND))
DOES(kmp_set_library_throughput, bomp_set_library(THROUGHPUT))

/* ---- others ---- */

DOES(kmp_set_warnings_on, bomp_set_warnings(true))
DOES(kmp_set_warnings_off, bomp_set_warnings(false))
TELLS(int32_t, kmp_get_num_known_threads, bomp_process_threads())

BOMP_EXPORT void kmp_set_defaults(const char *list) {
    bomp_set_defaults(list, strlen(list));
}

BOMP_EXPORT void kmp_set_defaults_(const char *list, size_t length) {
    bomp_set_defaults(list, length);
}

BOMP_EXPORT void kmpc_set_defaults(const char *list) {
    bomp_set_defaults(list, strlen(list));
}

/* Whether that region around the caller is cancelled: a question, no cancellation point. */
BOMP_EXPORT int32_t kmp_get_cancellation_status(int32_t kind) {
    bool known = kind >= KMPC_CANCEL_PARALLEL && kind <= KMPC_CANCEL_TASKGROUP;
    return known && bomp_cancel_is_seen((enum bomp_cancel)(kind - KMPC_CANCEL_PARALLEL));
}

BOMP_EXPORT int32_t kmp_get_cancellation_status_(const int32_t *kind) {
    return kmp_get_cancellation_status(*kind);
}

_Static_assert((int)BOMP_CANCEL_PARALLEL == 0 &&
                   (int)BOMP_CANCEL_TASKGROUP == KMPC_CANCEL_TASKGROUP - KMPC_CANCEL_PARALLEL,
               "the same kinds in the same order");

/* ---- sets of CPUs: the program has pointers to them ---- */

/* kmp_NAME and kmp_NAME_ of a set. */
#define OF_MASK(type, name, statement)                                                                       \
    BOMP_EXPORT type name(void **mask) {                                                                     \
        statement;                                                                                           \
    }                                                                                                        \
    BOMP_EXPORT type name##_(void **mask) {                                                                  \
        statement;                                                                                           \
    }

static void free_mask(void **mask) {
    bomp_cpu_mask_free(*mask);
    *mask = NULL;
}

/* A set that was never made. */
#define NO_MASK (-1)

OF_MASK(void, kmp_create_affinity_mask, *mask = bomp_cpu_mask_new())
OF_MASK(void, kmp_destroy_affinity_mask, free_mask(mask))
OF_MASK(int32_t, kmp_get_affinity, return mask && *mask ? bomp_cpu_mask_get(*mask) : NO_MASK)
OF_MASK(int32_t, kmp_set_affinity, return mask && *mask ? bomp_cpu_mask_set(*mask) : NO_MASK)
TELLS(int32_t, kmp_get_affinity_max_proc, bomp_cpu_mask_size())

/* kmp_NAME, kmp_NAME_ and kmpc_NAME of a CPU and a set. */
#define OF_CPU(name, value)                                                                                  \
    BOMP_EXPORT int32_t kmpc_##name(int32_t cpu, void **mask) {                                              \
        return mask && *mask ? value : NO_MASK;                                                              \
    }                                                                                                        \
    BOMP_EXPORT int32_t kmp_##name(int32_t cpu, void **mask) {                                               \
        return kmpc_##name(cpu, mask);                                                                       \
    }                                                                                                        \
    BOMP_EXPORT int32_t kmp_##name##_(const int32_t *cpu, void **mask) {                                     \
        return kmpc_##name(*cpu, mask);                                                                      \
    }

OF_CPU(set_affinity_mask_proc, bomp_cpu_mask_change(*mask, cpu, true))
OF_CPU(unset_affinity_mask_proc, bomp_cpu_mask_change(*mask, cpu, false))
OF_CPU(get_affinity_mask_proc, bomp_cpu_mask_has(*mask, cpu))

/* The caller may run on all CPUs of the process again. */
BOMP_EXPORT void kmp_set_thread_affinity_mask_initial(void) {
    (void)bomp_cpu_mask_set(NULL);
}

/* ---- what objects of Intel's compilers refer to, so that some OpenMP library is there ---- */

BOMP_EXPORT extern int32_t _You_must_link_with_exactly_one_OpenMP_library,
    _You_must_link_with_Intel_OpenMP_library;
int32_t _You_must_link_with_exactly_one_OpenMP_library = 1;
int32_t _You_must_link_with_Intel_OpenMP_library = 1;
