/* A block lies in memory of malloc behind its header, as near to it as alignment allows; a pinned one in locked
 * pages. */
#include "omp/api/allocator.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "omp/base/report.h"
#include "omp/bomp.h"
#include "omp/team/member.h"
#include "runtime.h"

/* malloc's alignment, and the bytes that it takes in front of its memory. From the third number on it may take whole pages,
 * with a front twice as large. */
#define MALLOC_ALIGN ((size_t)16)
#define MALLOC_FRONT ((size_t)8)
#define MALLOC_WHOLE_PAGES ((size_t)128 * 1024)

/* The room that is left for the header. */
#define HEADER_ROOM ((size_t)32)

/* Lower handles are no addresses. */
#define LEAST_ADDRESS ((uintptr_t)4096)

/* Right in front of a block. */
struct header {
    void *base; /* malloc's, or what a pinned block takes */
    size_t size;
    size_t takes;        /* as block_takes said */
    uintptr_t allocator; /* whose pool the block is counted in */
};

_Static_assert(sizeof(struct header) <= HEADER_ROOM, "the header has room");
_Static_assert(_Alignof(max_align_t) >= MALLOC_ALIGN, "what malloc aligns to");

struct bomp_allocator {
    struct bomp_allocator_traits traits; /* constant */
    /* Bytes that the blocks that are out take; changed by threads that allocate and free. */
    struct bz_a64 used;
};

static struct header *header_of(void *block) {
    return (struct header *)block - 1;
}

static bool is_predefined(uintptr_t handle) {
    return handle <= BOMP_ALLOCATORS || handle == BOMP_ALLOCATOR_OF_ENV || handle == BOMP_PINNED_MEM_ALLOC ||
           handle == BOMP_MANAGED_MEM_ALLOC || handle - BOMP_TARGET_MEM_ALLOC < BOMP_LLVM_ALLOCATORS;
}

/* One of the program's own; not a predefined one of a later omp.h. */
static struct bomp_allocator *own(uintptr_t handle) {
    if (bz_unlikely(handle < LEAST_ADDRESS))
        bomp_unknown_bits("an allocator", "predefined handle", handle);
    return (struct bomp_allocator *)handle;
}

/* Most predefined ones. */
static struct bomp_allocator ordinary = {
    .traits = {.alignment = 1, .pool_size = SIZE_MAX, .fallback = BOMP_FALLBACK_NULL}};

/* The one that OMP_ALLOCATOR describes; NULL: no memory for it. */
static struct bomp_allocator *of_environment;

static void make_of_environment(void) {
    const struct bomp_allocator_spec *spec = &bomp_global()->allocator_spec;
    of_environment = (struct bomp_allocator *)bomp_allocator_init(spec->space, spec->count, spec->traits);
}

static struct bomp_allocator *allocator_of(uintptr_t handle) {
    static struct bomp_allocator pinned = {
        .traits = {.alignment = 1, .pool_size = SIZE_MAX, .fallback = BOMP_FALLBACK_NULL, .pinned = true}};
    if (handle == BOMP_PINNED_MEM_ALLOC)
        return &pinned;
    if (bz_unlikely(handle == BOMP_ALLOCATOR_OF_ENV)) {
        static pthread_once_t once = PTHREAD_ONCE_INIT;
        (void)pthread_once(&once, make_of_environment);
        return of_environment ? of_environment : &ordinary;
    }
    return is_predefined(handle) ? &ordinary : own(handle);
}

uintptr_t bomp_allocator_new(const struct bomp_allocator_traits *traits) {
    struct bomp_allocator *allocator = bz_alloc(sizeof *allocator);
    if (!allocator)
        return BOMP_NULL_ALLOCATOR;
    *allocator = (struct bomp_allocator){.traits = *traits};
    return (uintptr_t)allocator;
}

void bomp_allocator_destroy(uintptr_t handle) {
    if (!is_predefined(handle))
        bz_free(own(handle));
    else if (handle != BOMP_NULL_ALLOCATOR)
        bz_warn("omp_destroy_allocator: allocator=%zu: predefined; ignored", (size_t)handle);
}

/* ---- the pool ---- */

static bool pool_take(struct bomp_allocator *allocator, size_t more) {
    size_t pool = allocator->traits.pool_size;
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
    if (allocator->traits.pool_size != SIZE_MAX)
        bz_fetch_sub_relaxed(&allocator->used, bytes); /* relaxed: the number alone counts */
}

/* ---- blocks ---- */

/* Bytes in front of a block; align is a power of two. */
static size_t front_of(size_t align) {
    return HEADER_ROOM + (align > MALLOC_ALIGN ? align - MALLOC_ALIGN : 0);
}

static bool takes_pages(size_t takes) {
    return takes >= MALLOC_WHOLE_PAGES;
}

/* Of a pinned block: whether it shares its page. */
static bool is_small(size_t takes) {
    return takes <= bz_os_page_size() / 2;
}

/* A block's memory with header, alignment and malloc's own, as glibc rounds it, or pages. SIZE_MAX: more than there is. */
static size_t block_takes(size_t size, size_t align, bool pinned) {
    size_t front = front_of(align) + MALLOC_FRONT;
    if (front < align || size > SIZE_MAX / 2 || front > SIZE_MAX / 4)
        return SIZE_MAX;
    size_t takes = (size + front + MALLOC_ALIGN - 1) & ~(MALLOC_ALIGN - 1);
    if (pinned ? is_small(takes) : !takes_pages(takes))
        return takes;
    size_t page = bz_os_page_size();
    return (takes + MALLOC_FRONT + page - 1) & ~(page - 1);
}

static void *set_header(void *base, char *block, size_t size, size_t takes, uintptr_t handle) {
    *header_of(block) = (struct header){base, size, takes, handle};
    return block;
}

/* Locked pages, zeroed. NULL: no memory, or more than may be locked. */
static void *pages_new(size_t bytes) {
    void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED)
        return NULL;
    if (mlock(pages, bytes) == 0)
        return pages;
    (void)munmap(pages, bytes);
    return NULL;
}

/* A locked page that small blocks share, since few pages may be locked. A thread takes it from `offered`, adds its block and
 * offers it again. */
struct shared_page {
    size_t used;           /* bytes; written and read by the thread that took the page */
    pid_t process;         /* constant: a forked child's copy of the page is not locked */
    struct bz_a32 holders; /* its blocks, and `offered`; written by threads that allocate and free */
};

/* NULL, or the page with room; written and read by threads that allocate. */
static struct { struct shared_page *v; } offered;

static void page_drop(struct shared_page *page) {
    if (bz_fetch_sub_acq_rel(&page->holders, 1) == 1) /* PP1: pairs with PP1 */
        (void)munmap(page, bz_os_page_size());
}

/* Memory for a small pinned block, zeroed. NULL: as pages_new. */
static char *page_share(size_t takes) {
    size_t size = bz_os_page_size(),
           first = (sizeof(struct shared_page) + MALLOC_ALIGN - 1) & ~(MALLOC_ALIGN - 1);
    struct shared_page *page = bz_exchange_acquire(&offered, NULL); /* PP2: pairs with PP3 */
    if (page && (page->process != getpid() || takes > size - page->used)) {
        page_drop(page);
        page = NULL;
    }
    if (!page) {
        page = pages_new(size);
        if (!page)
            return NULL;
        *page = (struct shared_page){first, getpid(), {1}};
    }
    char *base = (char *)page + page->used;
    page->used += takes;
    bz_fetch_add_relaxed(&page->holders, 1);                         /* relaxed: the caller is a holder */
    struct shared_page *other = bz_exchange_acq_rel(&offered, page); /* PP3: pairs with PP2, PP3 */
    if (other)
        page_drop(other);
    return base;
}

static char *pinned_new(size_t takes) {
    return is_small(takes) ? page_share(takes) : pages_new(takes);
}

/* A block; align is a power of two, takes what block_takes says. */
static void *block_new(size_t size, size_t align, size_t takes, uintptr_t handle, bool zero) {
    if (takes == SIZE_MAX)
        return NULL;
    size_t front = front_of(align);
    char *base = allocator_of(handle)->traits.pinned ? pinned_new(takes)
                 : zero                              ? calloc(1, front + size)
                                                     : malloc(front + size);
    if (!base)
        return NULL;
    uintptr_t at = ((uintptr_t)base + HEADER_ROOM + align - 1) & ~((uintptr_t)align - 1);
    return set_header(base, base + (at - (uintptr_t)base), size, takes, handle);
}

static void block_free(void *block) {
    const struct header *header = header_of(block);
    if (!allocator_of(header->allocator)->traits.pinned)
        free(header->base);
    else if (is_small(header->takes))
        page_drop((struct shared_page *)((uintptr_t)header->base & ~((uintptr_t)bz_os_page_size() - 1)));
    else
        (void)munmap(header->base, header->takes);
}

/* Whether malloc's realloc suffices: the block is not aligned further, and shrinks as malloc's do (whole pages stay
 * whole). */
static bool stays_alike(const void *block, size_t align, size_t takes) {
    const struct header *old = (const struct header *)block - 1;
    return !allocator_of(old->allocator)->traits.pinned &&
           (const char *)block == (const char *)old->base + HEADER_ROOM && align <= MALLOC_ALIGN &&
           takes_pages(old->takes) == takes_pages(takes);
}

/* The block with another size, counted already. */
static void *block_resize(void *block, size_t size, size_t align, size_t takes) {
    struct header old = *header_of(block);
    if (takes == SIZE_MAX)
        return NULL;
    if (stays_alike(block, align, takes)) {
        char *base = realloc(old.base, HEADER_ROOM + size);
        return base ? set_header(base, base + HEADER_ROOM, size, takes, old.allocator) : NULL;
    }
    void *moved = block_new(size, align, takes, old.allocator, false);
    if (moved) {
        memcpy(moved, block, size < old.size ? size : old.size);
        block_free(block);
    }
    return moved;
}

static size_t power_of_two(size_t align) {
    static struct bz_aflag warned;
    if ((align & (align - 1)) == 0)
        return align ? align : 1;
    size_t power = (size_t)1 << (sizeof align * 8 - 1 - (unsigned)__builtin_clzl(align));
    power = power > SIZE_MAX / 2 ? power : power * 2;
    bz_warn_once(&warned, "alignment=%zu: not a power of two; using %zu", align, power);
    return power;
}

/* ---- allocation ---- */

BZ_COLD _Noreturn static void fail(size_t size, uintptr_t handle) {
    bz_fatal("out of memory allocating %zu bytes%s", size,
             allocator_of(handle)->traits.pinned ? " of pinned memory: ulimit -l limits it" : "");
}

/* The allocator to try next; 0: no other one. */
static uintptr_t fall_back(uintptr_t handle, size_t size) {
    const struct bomp_allocator *allocator = allocator_of(handle);
    switch (allocator->traits.fallback) {
    case BOMP_FALLBACK_DEFAULT_MEM:
        return BOMP_DEFAULT_MEM_ALLOC;
    case BOMP_FALLBACK_ALLOCATOR:
        return allocator->traits.fallback_allocator ? allocator->traits.fallback_allocator
                                                    : BOMP_DEFAULT_MEM_ALLOC;
    case BOMP_FALLBACK_ABORT:
        fail(size, handle);
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
        if (align < allocator->traits.alignment)
            align = allocator->traits.alignment; /* a fallback keeps it, as libomp's does */
        size_t takes = block_takes(size, align, allocator->traits.pinned);
        if (pool_take(allocator, takes)) {
            void *block = block_new(size, align, takes, handle, zero);
            if (bz_likely(block))
                return block;
            pool_give(allocator, takes);
        }
        handle = fall_back(handle, size);
    }
    return NULL;
}

void bomp_free(void *block) {
    if (!block)
        return;
    struct header *header = header_of(block);
    pool_give(allocator_of(header->allocator), header->takes);
    block_free(block);
}

/* The block with another size, within its allocator; NULL: no memory, and no change. */
static void *resize(void *block, size_t size) {
    const struct header *old = header_of(block);
    struct bomp_allocator *allocator = allocator_of(old->allocator);
    size_t align = allocator->traits.alignment;
    size_t takes = block_takes(size, align, allocator->traits.pinned);
    size_t more = takes > old->takes ? takes - old->takes : 0;
    size_t less = takes < old->takes ? old->takes - takes : 0;
    if (!pool_take(allocator, more))
        return NULL;
    void *resized = block_resize(block, size, align, takes);
    pool_give(allocator, resized ? less : more);
    return resized;
}

void *bomp_reallocate(void *block, size_t size, uintptr_t handle) {
    if (!block)
        return bomp_allocate(size, 1, handle, false);
    if (size == 0) {
        bomp_free(block);
        return NULL;
    }
    const struct header *old = header_of(block);
    if (handle == BOMP_NULL_ALLOCATOR || handle == old->allocator) {
        void *resized = resize(block, size);
        if (resized)
            return resized;
        handle = fall_back(old->allocator, size);
        if (handle == BOMP_NULL_ALLOCATOR)
            return NULL;
    }
    void *moved = bomp_allocate(size, 1, handle, false);
    if (moved) {
        memcpy(moved, block, size < old->size ? size : old->size);
        bomp_free(block);
    }
    return moved;
}

/* ---- for constructs ---- */

void *bomp_alloc(size_t align, size_t size, uintptr_t handle) {
    void *block = bomp_allocate(size, align, handle, false);
    if (!block && size > 0)
        fail(size, handle == BOMP_NULL_ALLOCATOR ? bomp_default_allocator() : handle);
    return block;
}

/* ---- def-allocator-var ---- */

uintptr_t bomp_default_allocator(void) {
    struct bomp_member *self = bomp_self_if_any();
    return self ? self->allocator : bomp_global()->allocator;
}

void bomp_set_default_allocator(uintptr_t handle) {
    bomp_self()->allocator = handle ? handle : BOMP_DEFAULT_MEM_ALLOC;
}
