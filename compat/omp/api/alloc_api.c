/* The omp_* functions of allocators, C and Fortran. */
#include "omp/api/allocator.h"
#include "omp/api/omp_decl.h"
#include "omp/icv/env.h"

_Static_assert(sizeof(omp_alloctrait_t) == sizeof(struct bomp_allocator_trait), "what the environment says");
_Static_assert(sizeof(omp_allocator_handle_t) == 8 && sizeof(omp_memspace_handle_t) == 8 &&
                   sizeof(omp_alloctrait_t) == 16,
               "allocators of GCC's ABI");

static bool is_power_of_two(uintptr_t n) {
    return n != 0 && (n & (n - 1)) == 0;
}

/* omp_low_lat_mem_space; ompx_gnu_managed_mem_space, here the default space; the last trait of OpenMP 6.0, those behind
 * `partition` concern devices and parts of memory; omp_atv_default. */
enum { LAST_SPACE = 4, MANAGED_SPACE = 200, LAST_TRAIT = 14 };
#define DEFAULT_VALUE UINTPTR_MAX

/* False: no such trait or value, or one that memory of this machine cannot have. Sync hint, access, partition and newer
 * traits change nothing: all threads reach all memory, allocators have no locks, and the kernel places pages. */
static bool read_trait(const struct bomp_allocator_trait *trait, struct bomp_allocator_traits *traits) {
    uintptr_t value = trait->value;
    bool is_default = value == DEFAULT_VALUE;
    switch (trait->key) {
    case BOMP_TRAIT_ALIGNMENT:
        traits->alignment = is_default ? 1 : value;
        return is_default || is_power_of_two(value);
    case BOMP_TRAIT_POOL_SIZE:
        traits->pool_size = value; /* any, by default */
        return true;
    case BOMP_TRAIT_FB_DATA:
        traits->fallback_allocator = is_default ? BOMP_DEFAULT_MEM_ALLOC : value;
        return true;
    case BOMP_TRAIT_FALLBACK:
        traits->fallback = is_default ? BOMP_FALLBACK_DEFAULT_MEM : (enum bomp_fallback)value;
        break;
    case BOMP_TRAIT_PINNED:
        traits->pinned = value == 1;
        break;
    default:
        if (trait->key > BOMP_ALLOCATOR_TRAITS || trait->key <= 0)
            return trait->key > 0 && trait->key <= LAST_TRAIT;
    }
    return is_default || bomp_trait_has((enum bomp_trait)trait->key, value);
}

uintptr_t bomp_allocator_init(uintptr_t space, int count, const void *traits) {
    struct bomp_allocator_traits read = {
        .alignment = 1, .pool_size = SIZE_MAX, .fallback = BOMP_FALLBACK_DEFAULT_MEM};
    if (space > LAST_SPACE && space != MANAGED_SPACE)
        return BOMP_NULL_ALLOCATOR;
    for (int i = 0; i < count; i++)
        if (!read_trait((const struct bomp_allocator_trait *)traits + i, &read))
            return BOMP_NULL_ALLOCATOR;
    return bomp_allocator_new(&read);
}

BOMP_EXPORT void *omp_alloc(size_t size, omp_allocator_handle_t allocator) {
    return bomp_allocate(size, 1, (uintptr_t)allocator, false);
}

BOMP_EXPORT void *omp_aligned_alloc(size_t align, size_t size, omp_allocator_handle_t allocator) {
    return bomp_allocate(size, align, (uintptr_t)allocator, false);
}

BOMP_EXPORT void *omp_calloc(size_t count, size_t size, omp_allocator_handle_t allocator) {
    return bomp_allocate(bomp_product(count, size), 1, (uintptr_t)allocator, true);
}

BOMP_EXPORT void *omp_aligned_calloc(size_t align, size_t count, size_t size,
                                     omp_allocator_handle_t allocator) {
    return bomp_allocate(bomp_product(count, size), align, (uintptr_t)allocator, true);
}

/* The block knows its allocator. */

BOMP_EXPORT void *omp_realloc(void *block, size_t size, omp_allocator_handle_t allocator,
                              omp_allocator_handle_t free_allocator) {
    (void)free_allocator;
    return bomp_reallocate(block, size, (uintptr_t)allocator);
}

/* Fortran. */

BOMP_EXPORT intptr_t omp_init_allocator_(const intptr_t *space, const int32_t *count,
                                         const omp_alloctrait_t *traits) {
    return (intptr_t)bomp_allocator_init((uintptr_t)*space, *count, traits);
}

BOMP_EXPORT intptr_t omp_init_allocator_8_(const intptr_t *space, const int64_t *count,
                                           const omp_alloctrait_t *traits) {
    return (intptr_t)bomp_allocator_init((uintptr_t)*space, (int)*count, traits);
}

BOMP_EXPORT void omp_destroy_allocator_(const intptr_t *allocator) {
    bomp_allocator_destroy((uintptr_t)*allocator);
}

BOMP_EXPORT void omp_set_default_allocator_(const intptr_t *allocator) {
    bomp_set_default_allocator((uintptr_t)*allocator);
}
