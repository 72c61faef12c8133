/* GOMP_alloc and GOMP_free: memory of variables with an allocate clause. */
#include "bomp.h"

BOMP_EXPORT void *GOMP_alloc(size_t, size_t, uintptr_t);
BOMP_EXPORT void GOMP_free(void *, uintptr_t);

void *GOMP_alloc(size_t alignment, size_t size, uintptr_t allocator) {
    return bomp_alloc(alignment, size, allocator);
}

/* The block knows its allocator. */
void GOMP_free(void *ptr, uintptr_t allocator) {
    (void)allocator;
    bomp_free(ptr);
}
