/* The omp_* functions of allocators, C and Fortran. */
#include "omp/api/allocator.h"
#include "omp/api/omp_decl.h"

_Static_assert(sizeof(omp_alloctrait_t) == sizeof(struct bomp_allocator_trait), "what the environment says");
_Static_assert(sizeof(omp_allocator_handle_t) == 8 && sizeof(omp_memspace_handle_t) == 8 &&
                   sizeof(omp_alloctrait_t) == 16,
               "allocators of GCC's ABI");

static bool is_power_of_two(uintptr_t n) {
    return n != 0 && (n & (n - 1)) == 0;
}

/* The traits of OpenMP 6.0 that gcc 12's header lacks; they concern devices and parts of memory. */
enum { FIRST_NEW_TRAIT = 9, LAST_NEW_TRAIT = 14 };

/* Reads a trait. False: no such trait or value, or one that memory of this machine cannot have. Sync hint, access and
 * partition are checked and change nothing: all memory can be reached by all threads, allocators do without locks,
 * and the kernel places pages. Newer traits change nothing either. */
static bool read_trait(const omp_alloctrait_t *trait, struct bomp_allocator_traits *traits) {
    uintptr_t value = trait->value;
    bool is_default = value == (uintptr_t)omp_atv_default;
    if ((int)trait->key >= FIRST_NEW_TRAIT && (int)trait->key <= LAST_NEW_TRAIT)
        return true;
    switch (trait->key) {
    case omp_atk_sync_hint:
        return is_default || (value >= omp_atv_contended && value <= omp_atv_private);
    case omp_atk_access:
        return is_default || (value >= omp_atv_all && value <= omp_atv_cgroup);
    case omp_atk_pinned:
        traits->pinned = value == omp_atv_true;
        return is_default || value == omp_atv_false || value == omp_atv_true;
    case omp_atk_partition:
        return is_default || (value >= omp_atv_environment && value <= omp_atv_interleaved);
    case omp_atk_alignment:
        traits->alignment = is_default ? 1 : value;
        return is_default || is_power_of_two(value);
    case omp_atk_pool_size:
        traits->pool_size = is_default ? SIZE_MAX : value;
        return true;
    case omp_atk_fallback:
        if (!is_default && (value < omp_atv_default_mem_fb || value > omp_atv_allocator_fb))
            return false;
        traits->fallback =
            is_default ? BOMP_FALLBACK_DEFAULT_MEM : (enum bomp_fallback)(value - omp_atv_default_mem_fb);
        return true;
    case omp_atk_fb_data:
        traits->fallback_allocator = is_default ? BOMP_DEFAULT_MEM_ALLOC : value;
        return true;
    default:
        return false;
    }
}

uintptr_t bomp_allocator_init(uintptr_t space, int count, const void *traits) {
    struct bomp_allocator_traits read = {.alignment = 1, .pool_size = SIZE_MAX};
    if (space > omp_low_lat_mem_space)
        return BOMP_NULL_ALLOCATOR;
    for (int i = 0; i < count; i++)
        if (!read_trait((const omp_alloctrait_t *)traits + i, &read))
            return BOMP_NULL_ALLOCATOR;
    return bomp_allocator_new(&read);
}

BOMP_EXPORT void *omp_alloc(size_t size, omp_allocator_handle_t allocator) {
    return bomp_allocate(size, 1, (uintptr_t)allocator, false);
}

BOMP_EXPORT void *omp_aligned_alloc(size_t align, size_t size, omp_allocator_handle_t allocator) {
    return bomp_allocate(size, align, (uintptr_t)allocator, false);
}

/* More than there is: asked for all the same, so that the allocator's fallback decides. */
static size_t product(size_t count, size_t size) {
    size_t bytes;
    return __builtin_mul_overflow(count, size, &bytes) ? SIZE_MAX : bytes;
}

BOMP_EXPORT void *omp_calloc(size_t count, size_t size, omp_allocator_handle_t allocator) {
    return bomp_allocate(product(count, size), 1, (uintptr_t)allocator, true);
}

BOMP_EXPORT void *omp_aligned_calloc(size_t align, size_t count, size_t size,
                                     omp_allocator_handle_t allocator) {
    return bomp_allocate(product(count, size), align, (uintptr_t)allocator, true);
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
