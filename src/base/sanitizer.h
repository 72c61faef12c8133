/* Declares to ThreadSanitizer, drd and helgrind each order that OpenMP or blitz.h promise (tools.md): one thread is *before*
 * a key, an address; another one is later *after* it. Without them a call tests one word. */
#ifndef BZ_SANITIZER_H
#define BZ_SANITIZER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/compiler.h"

/* The program runs under one of these tools. Written by the constructor, read by all. */
extern bool bz_tsan __attribute__((visibility("hidden")));

/* Locks take the slow path: a tool runs, or the layer above needs their events. Written before there is a second thread. */
extern bool bz_attended __attribute__((visibility("hidden")));

void bz_tsan_after_slow(const void *key);
void bz_tsan_before_slow(const void *key);

void bz_tsan_new_slow(const void *memory, size_t size);

static inline void bz_tsan_after(const void *key) {
    if (bz_unlikely(bz_tsan))
        bz_tsan_after_slow(key);
}
static inline void bz_tsan_before(const void *key) {
    if (bz_unlikely(bz_tsan))
        bz_tsan_before_slow(key);
}

/* The program accesses this memory, through blitz/cilk.h. */
void bz_tsan_ignore(const void *memory, size_t size);

/* The program gets this memory: earlier accesses are over, as after malloc. */
static inline void bz_tsan_new(const void *memory, size_t size) {
    if (bz_unlikely(bz_tsan))
        bz_tsan_new_slow(memory, size);
}

/* A sanitizer replaces malloc. Constant. */
size_t __sanitizer_get_allocated_size(const void *block) __attribute__((weak));
static inline bool bz_sanitized(void) {
    return __sanitizer_get_allocated_size;
}

/* free() of memory that the program never accesses, without a report of ThreadSanitizer. */
void bz_sanitized_free(void *memory);

#endif
