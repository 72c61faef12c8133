/* The seam's second part, included by bomp.h: what an ABI's functions need that programs call by their names, and compilers
 * for variables: locks, copies of variables, memory, settings, what depends on a task. */
#ifndef BOMP_API_H
#define BOMP_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "omp/base/export.h"

/* ---- locks ---- */

/* Locks of the API, in memory of the program: a plain one is a word, zero when free, a nestable one takes 8 bytes. There is
 * nothing to destroy, but tools are notified; `hint` is for them, an omp_sync_hint_t. A task that holds a nestable one may
 * set and test it again; test returns how often it holds it then, or 0. */
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

/* ---- variables of which each thread has its own ---- */

/* How copies are made and end; any may be NULL. `count` is passed on. Without the first two, a copy begins as the
 * variable was when a thread first asked for its own. */
struct bomp_private_kind {
    void (*construct)(void *copy, size_t count);
    void (*copy)(void *copy, void *original, size_t count);
    void (*destroy)(void *copy, size_t count); /* when its thread ends */
    size_t count;
};

/* What is known of the variable, before anybody asks for a copy. */
void bomp_private_register(const void *original, const struct bomp_private_kind *kind);
/* The calling thread's: the variable itself for the initial thread, for another one a copy of `size` bytes that it has until
 * it ends, aligned to 64. *cache is NULL at first, and the same for all that ask for the variable, or cache is: it
 * becomes an array of what has been returned, by bomp_thread_id, to threads with numbers below BOMP_PRIVATE_MOST
 * (tuning.h). Cost: with a cache a few loads, after the first time; for other threads a search in their own list. */
void *bomp_private(const void *original, size_t size, void ***cache);

/* ---- memory ---- */

/* A block of `size` bytes, aligned to `align`, of the allocator with this handle (allocator.h); NULL for size 0. No
 * memory is fatal. */
BOMP_NAMED void *bomp_alloc(size_t align, size_t size, uintptr_t handle);
/* Gives a block back. NULL is ignored. */
BOMP_NAMED void bomp_free(void *block);

/* The handle of a new allocator of a memory space, with `count` traits as omp_alloctrait_t; 0: no such, or no memory. */
BOMP_NAMED uintptr_t bomp_allocator_init(uintptr_t space, int count, const void *traits);
/* No block of it is left, nor another allocator that falls back on it. Handle 0 is ignored; a predefined one is ignored
 * with a message. */
BOMP_NAMED void bomp_allocator_destroy(uintptr_t handle);

/* A block of `size` bytes, zeroed if `zero`, aligned to `align` (0, 1: as the allocator's traits say; other numbers are
 * rounded up to a power of two) or more. NULL: size is 0, or no memory and the fallback allows that answer. Cost: malloc's
 * or calloc's, and for an allocator with a pool one atomic operation; of pinned memory, two system calls. */
void *bomp_allocate(size_t size, size_t align, uintptr_t handle, bool zero);

/* The block with another size, in memory of another allocator (0: the block's own); it may move. Its contents stay up to
 * the smaller size. NULL: as for bomp_allocate; the block is given back if size is 0, and stays as it was otherwise.
 * block == NULL: a new one. */
void *bomp_reallocate(void *block, size_t size, uintptr_t handle);

/* def-allocator-var, which is the calling thread's in its team (of its implicit task): inherited by regions that it opens,
 * gone at the end of its own. Setting 0 means the predefined default one. */
BOMP_NAMED uintptr_t bomp_default_allocator(void);
BOMP_NAMED void bomp_set_default_allocator(uintptr_t handle);

/* A set of blocks that are known to come from bomp_alloc: adds one; takes one out, if it is in; whether an address is that
 * of one. No memory is fatal. Any thread. */
BOMP_NAMED void bomp_allocated_add(void *block);
BOMP_NAMED bool bomp_allocated_remove(void *block);
bool bomp_allocated_has(const void *address);

/* ---- places ---- */

/* How many there are, that of the calling thread (-1: none), and its CPUs, whose numbers are stored in `ids` if that is not
 * NULL; likewise the places that regions which the thread opens may use. Threads that are not bound have no places, or with
 * `whole` one, numbered 0, of all CPUs of the process, unless KMP_AFFINITY disables that. */
unsigned bomp_place_count(bool whole);
int bomp_place_of_caller(bool whole);
unsigned bomp_place_procs(int num, int *ids, bool whole);
unsigned bomp_place_partition(int *nums, bool whole);

/* ---- settings of the process ---- */

/* Bytes of the stack of a thread that is made from now on. */
size_t bomp_stack_size(void);
void bomp_set_stack_size(size_t bytes);
/* For how many milliseconds a thread looks for work before it sleeps; INT_MAX: forever. */
int bomp_blocktime(void);
void bomp_set_blocktime(int ms);
/* 1 serial, 2 turnaround, 3 throughput. */
int bomp_library(void);
void bomp_set_library(int kind);
/* Variables of the environment, "NAME=value|NAME=value", as far as they can still be set; for the calling task and threads
 * that are made later. */
void bomp_set_defaults(const char *list, size_t length);
/* Whether messages are given that end nothing. */
void bomp_set_warnings(bool on);

/* Sets of CPUs, as kmp_affinity_mask_t has them: new and empty, freed, and the number of CPUs that one has room for. */
void *bomp_cpu_mask_new(void);
void bomp_cpu_mask_free(void *mask);
int bomp_cpu_mask_size(void);
/* Whether a CPU is in; puts it in, takes it out. -1: there is no such CPU, -2: the process may
 * not use it. */
int bomp_cpu_mask_has(const void *mask, int cpu);
int bomp_cpu_mask_change(void *mask, int cpu, bool in);
/* The CPUs that the calling thread may run on, told and set; NULL: those that the process was started with. 0, or an errno
 * value. */
int bomp_cpu_mask_get(void *mask);
int bomp_cpu_mask_set(const void *mask);

#endif
