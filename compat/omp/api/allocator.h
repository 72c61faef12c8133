/* Allocators: memory with traits. A header in front of a block names its allocator, so any thread can free it. A block's
 * alignment is at least 16.
 *
 * Handles: 0 is the calling thread's default allocator. 1 to BOMP_ALLOCATORS are the predefined ones, of ordinary memory,
 * as GCC's and LLVM's for memory that devices also see; GCC's other one has pinned memory. bomp_allocator_new returns
 * greater handles.
 *
 * Any thread may call all functions, also at the same time, except bomp_allocator_destroy. None blocks longer than
 * malloc. */
#ifndef BOMP_ALLOCATOR_H
#define BOMP_ALLOCATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "omp/icv/icv.h"

#define BOMP_NULL_ALLOCATOR ((uintptr_t)0)
#define BOMP_DEFAULT_MEM_ALLOC ((uintptr_t)1)
#define BOMP_PINNED_MEM_ALLOC ((uintptr_t)BOMP_GNU_ALLOCATOR)  /* ompx_gnu_pinned_mem_alloc */
#define BOMP_TARGET_MEM_ALLOC ((uintptr_t)BOMP_LLVM_ALLOCATOR) /* the first of llvm_omp_target_*_mem_alloc */
#define BOMP_MANAGED_MEM_ALLOC ((uintptr_t)BOMP_GNU_ALLOCATOR + 1) /* ompx_gnu_managed_mem_alloc */

/* Without memory, or without room in the pool: */
enum bomp_fallback {
    BOMP_FALLBACK_DEFAULT_MEM = 11, /* tries ordinary memory; as the trait's value */
    BOMP_FALLBACK_NULL,             /* returns NULL */
    BOMP_FALLBACK_ABORT,            /* ends the program with one line */
    BOMP_FALLBACK_ALLOCATOR         /* tries another allocator */
};

struct bomp_allocator_traits {
    size_t alignment; /* the least, a power of two */
    size_t pool_size; /* most bytes of all blocks, with headers and malloc's rounding; SIZE_MAX: any */
    enum bomp_fallback fallback;
    uintptr_t fallback_allocator; /* of BOMP_FALLBACK_ALLOCATOR; 0: the predefined default one */
    bool pinned;                  /* blocks are never swapped out: locked pages */
};

/* The handle of a new allocator; 0: no memory. */
uintptr_t bomp_allocator_new(const struct bomp_allocator_traits *traits);

/* The rest is in bomp.h, for entry points. */

#endif
