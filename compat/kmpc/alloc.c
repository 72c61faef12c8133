/* alloc.c: allocators as compilers and libraries call them, and the memory of kmp_malloc, which is the default allocator's.
 * omp_* are in omp/api/alloc_api.c. */
#include "kmpc.h"

/* ---- generated code: allocate constructs, depend objects; omp_init_allocator of LLVM's omp.h (KMPC_OWN) ---- */

/* Numbers that GCC's omp.h has not: LLVM 22's default space and omp_atv_all, and what LLVM calls memory of the host and of
 * both, all of which devices see. */
enum { DEFAULT_MEM_SPACE = 0, NEW_DEFAULT_MEM_SPACE = 99, TARGET_SHARED_MEM_SPACE = 101 };
enum { MAX_MEM_ALLOC = 1024 }; /* greater handles are not predefined */
enum { TRAIT_ACCESS = 3, ACCESS_ALL = 7, NEW_ACCESS_ALL = 19 };

struct trait {
    int32_t key;
    uintptr_t value;
};
_Static_assert(sizeof(struct trait) == 16 && offsetof(struct trait, value) == 8, "omp_alloctrait_t");

BOMP_NAMED uintptr_t bomp_llvm_init_allocator(uintptr_t space, int32_t count, const struct trait *traits) {
    size_t bytes = count > 0 ? (size_t)count * sizeof *traits : 0;
    struct trait *read = bytes > 0 ? bomp_scratch(bytes, "the traits of an allocator") : NULL;
    for (int32_t i = 0; i < count; i++) {
        read[i] = traits[i];
        if (read[i].key == TRAIT_ACCESS && read[i].value == NEW_ACCESS_ALL)
            read[i].value = ACCESS_ALL;
    }
    bool ordinary = space >= NEW_DEFAULT_MEM_SPACE && space <= TARGET_SHARED_MEM_SPACE;
    uintptr_t allocator = bomp_allocator_init(ordinary ? DEFAULT_MEM_SPACE : space, count, read);
    bomp_scratch_free(read);
    return allocator;
}

BOMP_NAMED uintptr_t bomp_llvm_init_allocator_f(const uintptr_t *space, const int32_t *count,
                                                const struct trait *traits) {
    return bomp_llvm_init_allocator(*space, *count, traits);
}

/* Generated code that names no allocator, for a depend object or a variable, uses the block without a test: then no memory
 * is fatal. */
BOMP_EXPORT void *__kmpc_alloc(int32_t id, size_t size, uintptr_t allocator) {
    if (allocator)
        return bomp_allocate(size, 1, allocator, false);
    void *block = bomp_alloc(1, size, allocator);
    bomp_allocated_add(block); /* kmpc_depend_are_objects */
    return block;
}

BOMP_EXPORT void *__kmpc_aligned_alloc(int32_t id, size_t align, size_t size, uintptr_t allocator) {
    return allocator ? bomp_allocate(size, align, allocator, false) : bomp_alloc(align, size, allocator);
}

BOMP_EXPORT void *__kmpc_calloc(int32_t id, size_t count, size_t size, uintptr_t allocator) {
    return bomp_allocate(bomp_product(count, size), 1, allocator, true);
}

/* The block knows its allocator. */
BOMP_EXPORT void *__kmpc_realloc(int32_t id, void *block, size_t size, uintptr_t allocator,
                                 uintptr_t free_allocator) {
    return bomp_reallocate(block, size, allocator);
}

BOMP_EXPORT void __kmpc_free(int32_t id, void *block, uintptr_t allocator) {
    if (!allocator)
        (void)bomp_allocated_remove(block);
    bomp_free(block);
}

BOMP_EXPORT uintptr_t __kmpc_init_allocator(int32_t id, uintptr_t space, int32_t count, const void *traits) {
    return bomp_llvm_init_allocator(space, count, traits);
}

/* A predefined one stays, without a message: libomp 22, where we are preloaded over it, destroys one when it ends. */
BOMP_EXPORT void __kmpc_destroy_allocator(int32_t id, uintptr_t allocator) {
    if (allocator > MAX_MEM_ALLOC)
        bomp_allocator_destroy(allocator);
}

BOMP_EXPORT void __kmpc_set_default_allocator(int32_t id, uintptr_t allocator) {
    bomp_set_default_allocator(allocator);
}

/* ---- kmp_malloc and related functions; a block of no bytes is also one ---- */

#define DEFAULT_MEM_ALLOC ((uintptr_t)1)

static size_t at_least_one(size_t bytes) {
    return bytes > 0 ? bytes : 1;
}

BOMP_EXPORT void *kmpc_malloc(size_t size) {
    return bomp_allocate(at_least_one(size), 1, DEFAULT_MEM_ALLOC, false);
}

/* By no power of two: none, as from libomp. */
BOMP_EXPORT void *kmpc_aligned_malloc(size_t size, size_t align) {
    if (align == 0 || (align & (align - 1)) != 0)
        return NULL;
    return bomp_allocate(at_least_one(size), align, DEFAULT_MEM_ALLOC, false);
}

BOMP_EXPORT void *kmpc_calloc(size_t count, size_t size) {
    return bomp_allocate(at_least_one(bomp_product(count, size)), 1, DEFAULT_MEM_ALLOC, true);
}

BOMP_EXPORT void *kmpc_realloc(void *block, size_t size) {
    return bomp_reallocate(block, size, DEFAULT_MEM_ALLOC);
}

/* kmp_malloc and so on are second names (names.ld). Fortran: */

KMPC_BY_REFERENCE(void *, kmp_malloc_, kmpc_malloc, size_t)

BOMP_EXPORT void kmp_free_(void **block) {
    bomp_free(*block);
}

BOMP_EXPORT void *kmp_aligned_malloc_(const size_t *size, const size_t *align) {
    return kmpc_aligned_malloc(*size, *align);
}

BOMP_EXPORT void *kmp_calloc_(const size_t *count, const size_t *size) {
    return kmpc_calloc(*count, *size);
}

BOMP_EXPORT void *kmp_realloc_(void **block, const size_t *size) {
    return kmpc_realloc(*block, *size);
}

/* ---- handles as variables: what compilers of other systems refer to ---- */

#define HANDLE(name, value)                                                                                  \
    BOMP_EXPORT extern const uintptr_t name;                                                                 \
    const uintptr_t name = value;

HANDLE(omp_null_allocator, 0)
HANDLE(omp_default_mem_alloc, 1)
HANDLE(omp_large_cap_mem_alloc, 2)
HANDLE(omp_const_mem_alloc, 3)
HANDLE(omp_high_bw_mem_alloc, 4)
HANDLE(omp_low_lat_mem_alloc, 5)
HANDLE(omp_cgroup_mem_alloc, 6)
HANDLE(omp_pteam_mem_alloc, 7)
HANDLE(omp_thread_mem_alloc, 8)
HANDLE(omp_null_mem_space, 0)
HANDLE(omp_default_mem_space, 99)
HANDLE(omp_large_cap_mem_space, 1)
HANDLE(omp_const_mem_space, 2)
HANDLE(omp_high_bw_mem_space, 3)
HANDLE(omp_low_lat_mem_space, 4)
HANDLE(omp_cgroup_mem_space, 5)
HANDLE(kmp_max_mem_alloc, MAX_MEM_ALLOC)
HANDLE(kmp_max_mem_space, MAX_MEM_ALLOC)
