/* Allocators: memory with traits. Every block has a small header in front, so that it can be given back by any thread
 * without saying where it came from. A block's alignment is at least 16.
 *
 * An allocator is named by its handle: 0 stands for the calling thread's default one, 1 to BOMP_ALLOCATORS are the
 * predefined ones, which all hand out ordinary memory, and so do GCC's and LLVM's own for memory that devices also
 * see; GCC's other own one hands out pinned memory. Greater handles are what bomp_allocator_new returns.
 *
 * All functions may be called by any thread, also at the same time with the same allocator, but for
 * bomp_allocator_destroy. None blocks but as malloc does. */
#ifndef BOMP_ALLOCATOR_H
#define BOMP_ALLOCATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "omp/bomp.h"
#include "omp/icv/icv.h"

#define BOMP_NULL_ALLOCATOR ((uintptr_t)0)
#define BOMP_DEFAULT_MEM_ALLOC ((uintptr_t)1)
#define BOMP_PINNED_MEM_ALLOC ((uintptr_t)BOMP_GNU_ALLOCATOR)  /* ompx_gnu_pinned_mem_alloc */
#define BOMP_TARGET_MEM_ALLOC ((uintptr_t)BOMP_LLVM_ALLOCATOR) /* the first of llvm_omp_target_*_mem_alloc */
#define BOMP_MANAGED_MEM_ALLOC ((uintptr_t)BOMP_GNU_ALLOCATOR + 1) /* ompx_gnu_managed_mem_alloc */

/* Without memory, or without room in the pool: */
enum bomp_fallback {
    BOMP_FALLBACK_DEFAULT_MEM, /* memory of no pool is tried */
    BOMP_FALLBACK_NULL,        /* NULL is the answer */
    BOMP_FALLBACK_ABORT,       /* the program ends with one line */
    BOMP_FALLBACK_ALLOCATOR    /* another allocator is asked */
};

struct bomp_allocator_traits {
    size_t alignment; /* bytes, a power of two: what blocks have at least */
    /* Bytes that blocks may take at any time, headers and malloc's rounding included; SIZE_MAX: any. */
    size_t pool_size;
    enum bomp_fallback fallback;
    uintptr_t fallback_allocator; /* of BOMP_FALLBACK_ALLOCATOR; 0: the predefined default one */
    bool pinned;                  /* blocks are never swapped out: locked pages */
};

/* The handle of a new allocator; 0: no memory. */
uintptr_t bomp_allocator_new(const struct bomp_allocator_traits *traits);

/* The rest is in bomp.h, for entry points. */

#endif
