/* The seam's second part, included by bomp.h. */
#ifndef BOMP_API_H
#define BOMP_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "omp/base/export.h"

/* ---- locks ---- */

/* In memory of the program: a plain lock is a word, zero when free, a nestable one 8 bytes. Destroy and the hint are for
 * tools. The task that holds a nestable one may set and test it again; test returns how often it holds it, or 0. */
BOMP_NAMED void bomp_lock_init(uint32_t *lock, unsigned hint);
BOMP_NAMED void bomp_lock_destroy(uint32_t *lock);
BOMP_NAMED void bomp_lock_set(uint32_t *lock);
BOMP_NAMED void bomp_lock_unset(uint32_t *lock);
BOMP_NAMED int bomp_lock_test(uint32_t *lock);
BOMP_NAMED void bomp_nestable_init(void *lock, unsigned hint);
BOMP_NAMED void bomp_nestable_destroy(void *lock);
BOMP_NAMED void bomp_nestable_set(void *lock);
BOMP_NAMED void bomp_nestable_unset(void *lock);
BOMP_NAMED int bomp_nestable_test(void *lock);

/* ---- threadprivate variables ---- */

/* How copies are made and end; any may be NULL. Without the first two, a copy begins as the variable was at the first
 * request. */
struct bomp_private_kind {
    void (*construct)(void *copy, size_t count);
    void (*copy)(void *copy, void *original, size_t count);
    void (*destroy)(void *copy, size_t count); /* when its thread ends */
    size_t count;
};

/* Before the first request for a copy. */
void bomp_private_register(const void *original, const struct bomp_private_kind *kind);
/* The caller's: for the initial thread the variable itself, for another a copy of `size` bytes, aligned to 64, until it
 * ends. *cache, at first NULL, becomes an array of them by bomp_thread_id, below BOMP_PRIVATE_MOST; cache may be NULL. */
void *bomp_private(const void *original, size_t size, void ***cache);

/* ---- memory ---- */

/* A block of `size` bytes, aligned to `align`, of an allocator (allocator.h); NULL for size 0. No memory is fatal. */
BOMP_NAMED void *bomp_alloc(size_t align, size_t size, uintptr_t handle);
BOMP_NAMED void bomp_free(void *block);

/* A new allocator of a memory space, with `count` traits as omp_alloctrait_t; 0: bad arguments, or no memory. */
BOMP_NAMED uintptr_t bomp_allocator_init(uintptr_t space, int count, const void *traits);
/* It has no blocks left, and no other allocator falls back on it. Ignores 0, and, with a message, predefined ones. */
BOMP_NAMED void bomp_allocator_destroy(uintptr_t handle);

/* A block of `size` bytes, zeroed if `zero`, aligned to `align` (rounded up to a power of two) or as the traits say.
 * NULL: size is 0, or no memory and the fallback allows that. */
void *bomp_allocate(size_t size, size_t align, uintptr_t handle, bool zero);

/* With another size, of another allocator (0: the block's own); it may move. NULL: as for bomp_allocate; the block is
 * freed if size is 0, else it stays. block NULL: a new one. */
void *bomp_reallocate(void *block, size_t size, uintptr_t handle);
/* Bytes of an array. More than there is: asked for all the same, so that the allocator's fallback decides. */
static inline size_t bomp_product(size_t count, size_t size) {
    size_t bytes;
    return __builtin_mul_overflow(count, size, &bytes) ? SIZE_MAX : bytes;
}

/* def-allocator-var of the caller's implicit task, inherited by its regions. 0: the predefined default one. */
BOMP_NAMED uintptr_t bomp_default_allocator(void);
BOMP_NAMED void bomp_set_default_allocator(uintptr_t handle);

/* A set of blocks: adds one (no memory is fatal); removes one, and whether it was in; whether an address is in. Any
 * thread. */
BOMP_NAMED void bomp_allocated_add(void *block);
BOMP_NAMED bool bomp_allocated_remove(void *block);
bool bomp_allocated_has(const void *address);

/* ---- places ---- */

/* The number of places; the caller's (-1: none); the CPUs of one; the places of the caller's regions. The last two
 * return a count, and store the numbers unless NULL. Unbound threads have none, or with `whole` one of all CPUs, unless
 * KMP_AFFINITY disables that. */
unsigned bomp_place_count(bool whole);
int bomp_place_of_caller(bool whole);
unsigned bomp_place_procs(int num, int *ids, bool whole);
unsigned bomp_place_partition(int *nums, bool whole);

/* ---- settings of the process ---- */

/* Bytes of the stacks of new threads. */
BOMP_NAMED size_t bomp_stack_size(void);
BOMP_NAMED void bomp_set_stack_size(size_t bytes);
/* Milliseconds of search before a thread sleeps; INT_MAX: forever. */
BOMP_NAMED int bomp_blocktime(void);
BOMP_NAMED void bomp_set_blocktime(int ms);
/* 1 serial, 2 turnaround, 3 throughput. */
BOMP_NAMED int bomp_library(void);
BOMP_NAMED void bomp_set_library(int kind);
/* Variables of the environment, "NAME=value|...", that can still be set; for the calling task and new threads. */
BOMP_NAMED void bomp_set_defaults(const char *list, size_t length);
/* Whether to print warnings. */
void bomp_set_warnings(bool on);

/* Sets of CPUs, as kmp_affinity_mask_t: a new empty one, for bomp_scratch_free; the number of CPUs that one holds. */
void *bomp_cpu_mask_new(void);
BOMP_NAMED int bomp_cpu_mask_size(void);
/* Whether a CPU is in; adds or removes it. -1: there is no such CPU; -2: the process may not use it. */
int bomp_cpu_mask_has(const void *mask, int cpu);
int bomp_cpu_mask_change(void *mask, int cpu, bool in);
/* The CPUs of the calling thread; NULL: those that the process was started with. 0, or an errno value. */
int bomp_cpu_mask_get(void *mask);
int bomp_cpu_mask_set(const void *mask);

#endif
