/* Allocators: see allocator.h. A block lies in memory of malloc behind its header, as near to it as alignment allows. */
#include "allocator.h"

#include <stdlib.h>
#include <string.h>

#include "bomp.h"
#include "icv.h"
#include "runtime.h"

/* What malloc aligns to, and the room that it leaves for the header. */
#define MALLOC_ALIGN ((size_t)16)
#define HEADER_ROOM ((size_t)32)

/* Right in front of a block. */
struct header {
    void *base; /* malloc's */
    size_t size;
    uintptr_t allocator; /* whose pool the block is counted in */
};

_Static_assert(sizeof(struct header) <= HEADER_ROOM, "the header has room");
_Static_assert(_Alignof(max_align_t) >= MALLOC_ALIGN, "what malloc aligns to");

struct bomp_allocator {
    struct bomp_allocator_traits traits; /* constant */
    struct bz_a64 used; /* bytes of blocks that are out; changed by who allocates and who frees */
};

static struct header *header_of(void *block) {
    return (struct header *)block - 1;
}

/* NULL: a predefined one. */
static struct bomp_allocator *allocator_of(uintptr_t handle) {
    return handle > BOMP_ALLOCATORS ? (struct bomp_allocator *)handle : NULL;
}

uintptr_t bomp_allocator_new(const struct bomp_allocator_traits *traits) {
    struct bomp_allocator *allocator = malloc(sizeof *allocator);
    if (!allocator)
        return BOMP_NULL_ALLOCATOR;
    *allocator = (struct bomp_allocator){.traits = *traits};
    return (uintptr_t)allocator;
}

void bomp_allocator_destroy(uintptr_t handle) {
    if (handle != BOMP_NULL_ALLOCATOR && handle <= BOMP_ALLOCATORS)
        bz_warn("omp_destroy_allocator: allocator %zu is predefined; ignored", (size_t)handle);
    else
        free(allocator_of(handle));
}

/* ---- the pool ---- */

/* Takes `more` bytes from the allocator's pool. False: it does not hold as many. */
static bool pool_take(struct bomp_allocator *allocator, size_t more) {
    size_t pool = allocator ? allocator->traits.pool_size : SIZE_MAX;
    if (pool == SIZE_MAX)
        return true;
    uint64_t used = bz_load_relaxed(&allocator->used); /* relaxed, all: the number alone counts */
    do {
        if (more > pool - used)
            return false;
    } while (!bz_cas_relaxed(&allocator->used, &used, used + more));
    return true;
}

static void pool_give(struct bomp_allocator *allocator, size_t bytes) {
    if (allocator && allocator->traits.pool_size != SIZE_MAX)
        bz_fetch_sub_relaxed(&allocator->used, bytes); /* relaxed: the number alone counts */
}

/* ---- blocks ---- */

static void *set_header(void *base, char *block, size_t size, uintptr_t handle) {
    *header_of(block) = (struct header){base, size, handle};
    return block;
}

/* A block of malloc's memory; align is a power of two. */
static void *block_new(size_t size, size_t align, uintptr_t handle, bool zero) {
    size_t front = HEADER_ROOM + (align > MALLOC_ALIGN ? align - MALLOC_ALIGN : 0);
    if (front < align || size > SIZE_MAX - front)
        return NULL;
    char *base = zero ? calloc(1, front + size) : malloc(front + size);
    if (!base)
        return NULL;
    uintptr_t at = ((uintptr_t)base + HEADER_ROOM + align - 1) & ~((uintptr_t)align - 1);
    return set_header(base, base + (at - (uintptr_t)base), size, handle);
}

/* The block with another size at the same distance from malloc's memory, or copied if it is aligned; counted already. */
static void *block_resize(void *block, size_t size, size_t align) {
    struct header old = *header_of(block);
    if ((char *)block == (char *)old.base + HEADER_ROOM && align <= MALLOC_ALIGN) {
        char *base = size <= SIZE_MAX - HEADER_ROOM ? realloc(old.base, HEADER_ROOM + size) : NULL;
        return base ? set_header(base, base + HEADER_ROOM, size, old.allocator) : NULL;
    }
    void *moved = block_new(size, align, old.allocator, false);
    if (moved) {
        memcpy(moved, block, size < old.size ? size : old.size);
        free(old.base);
    }
    return moved;
}

static size_t power_of_two(size_t align) {
    static struct bz_aflag warned;
    if ((align & (align - 1)) == 0)
        return align ? align : 1;
    size_t power = (size_t)1 << (sizeof align * 8 - 1 - (unsigned)__builtin_clzl(align));
    power = power > SIZE_MAX / 2 ? power : power * 2;
    bz_warn_once(&warned, "an alignment of %zu is no power of two; taken as %zu", align, power);
    return power;
}

/* ---- allocation ---- */

/* Whom to ask next when an allocator has nothing left; 0: nobody. */
static uintptr_t fall_back(const struct bomp_allocator *allocator, size_t size) {
    switch (allocator ? allocator->traits.fallback : BOMP_FALLBACK_NULL) {
    case BOMP_FALLBACK_DEFAULT_MEM:
        return BOMP_DEFAULT_MEM_ALLOC;
    case BOMP_FALLBACK_ALLOCATOR:
        return allocator->traits.fallback_allocator ? allocator->traits.fallback_allocator
                                                    : BOMP_DEFAULT_MEM_ALLOC;
    case BOMP_FALLBACK_ABORT:
        bz_fatal("out of memory allocating %zu bytes", size);
    case BOMP_FALLBACK_NULL:
        break;
    }
    return BOMP_NULL_ALLOCATOR;
}

void *bomp_allocate(size_t size, size_t align, uintptr_t handle, bool zero) {
    if (size == 0)
        return NULL;
    align = power_of_two(align);
    if (handle == BOMP_NULL_ALLOCATOR)
        handle = bomp_default_allocator();
    while (handle != BOMP_NULL_ALLOCATOR) {
        struct bomp_allocator *allocator = allocator_of(handle);
        size_t least = allocator ? allocator->traits.alignment : 1;
        if (pool_take(allocator, size)) {
            void *block = block_new(size, align > least ? align : least, handle, zero);
            if (bz_likely(block))
                return block;
            pool_give(allocator, size);
        }
        handle = fall_back(allocator, size);
    }
    return NULL;
}

void bomp_deallocate(void *block) {
    if (!block)
        return;
    struct header *header = header_of(block);
    pool_give(allocator_of(header->allocator), header->size);
    free(header->base);
}

/* The block with another size, within its allocator; NULL: that has not enough, nothing has happened. */
static void *resize(void *block, size_t size) {
    const struct header *old = header_of(block);
    struct bomp_allocator *allocator = allocator_of(old->allocator);
    size_t more = size > old->size ? size - old->size : 0;
    size_t less = size < old->size ? old->size - size : 0;
    if (!pool_take(allocator, more))
        return NULL;
    void *resized = block_resize(block, size, allocator ? allocator->traits.alignment : 1);
    pool_give(allocator, resized ? less : more);
    return resized;
}

void *bomp_reallocate(void *block, size_t size, uintptr_t handle) {
    if (!block)
        return bomp_allocate(size, 1, handle, false);
    if (size == 0) {
        bomp_deallocate(block);
        return NULL;
    }
    const struct header *old = header_of(block);
    if (handle == BOMP_NULL_ALLOCATOR || handle == old->allocator) {
        void *resized = resize(block, size);
        if (resized)
            return resized;
        handle = fall_back(allocator_of(old->allocator), size);
        if (handle == BOMP_NULL_ALLOCATOR)
            return NULL;
    }
    void *moved = bomp_allocate(size, 1, handle, false);
    if (moved) {
        memcpy(moved, block, size < old->size ? size : old->size);
        bomp_deallocate(block);
    }
    return moved;
}

/* ---- for constructs ---- */

void *bomp_alloc(size_t align, size_t size, uintptr_t handle) {
    void *block = bomp_allocate(size, align, handle, false);
    if (!block && size > 0)
        bz_fatal("out of memory allocating %zu bytes", size);
    return block;
}

void bomp_free(void *block) {
    bomp_deallocate(block);
}
