/* GOMP_alloc and GOMP_free: memory of variables with an allocate clause. GOMP_add_alloc and GOMP_is_alloc: whether that of a
 * Fortran allocatable variable is. */
#include "omp/bomp.h"

BOMP_EXPORT void *GOMP_alloc(size_t alignment, size_t size, uintptr_t allocator) {
    return bomp_alloc(alignment, size, allocator);
}

/* The block knows its allocator. */
BOMP_EXPORT void GOMP_free(void *ptr, uintptr_t allocator) {
    (void)allocator;
    bomp_free(ptr);
}

BOMP_EXPORT void GOMP_add_alloc(void *ptr) {
    bomp_allocated_add(ptr);
}

/* True once for each that was added: the caller is about to free it. */
BOMP_EXPORT bool GOMP_is_alloc(void *ptr) {
    return bomp_allocated_remove(ptr);
}
