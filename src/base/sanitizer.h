/* Declares the library's order to ThreadSanitizer. A program built with it sees its own accesses, but not the library's
 * atomics and futexes: it would report races where the library orders accesses. So each place where OpenMP or blitz.h
 * promise an order declares it: one side is *before* a key, an address with no other use for that; the other side is
 * later *after* it, and so after all that was before. The list is in tools.md.
 *
 * The same calls serve valgrind's drd and helgrind. These see the library's own accesses as well; a file of suppressions
 * removes their reports (cmake/valgrind.supp).
 *
 * Without ThreadSanitizer, and in a library that is itself instrumented (its atomics are seen), there is only the test of
 * one word, and that not on hot paths. */
#ifndef BZ_SANITIZER_H
#define BZ_SANITIZER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/compiler.h"

/* The program runs under ThreadSanitizer, which does not see inside this library, or under one of these two. Set while it is
 * loaded; constant. */
extern bool bz_tsan __attribute__((visibility("hidden")));

/* That, or the layer above wants to hear of all that takes locks: owned ones are then taken and given back on the slow path
 * (wait/thread.h). Set once, before the process has a second thread of ours. */
extern bool bz_attended __attribute__((visibility("hidden")));

void bz_tsan_after_slow(const void *key);
void bz_tsan_before_slow(const void *key);

void bz_tsan_ignore_slow(const void *memory, size_t size);
void bz_tsan_new_slow(const void *memory, size_t size);

static inline void bz_tsan_after(const void *key) {
    if (bz_unlikely(bz_tsan))
        bz_tsan_after_slow(key);
}
static inline void bz_tsan_before(const void *key) {
    if (bz_unlikely(bz_tsan))
        bz_tsan_before_slow(key);
}

/* The program's own code accesses this memory of ours as well, in what blitz/cilk.h compiles into it. */
static inline void bz_tsan_ignore(const void *memory, size_t size) {
    if (bz_unlikely(bz_tsan))
        bz_tsan_ignore_slow(memory, size);
}

/* This memory, which the program's code will touch, is given out: what others have done with it before is over.
 * ThreadSanitizer knows that from malloc. */
static inline void bz_tsan_new(const void *memory, size_t size) {
    if (bz_unlikely(bz_tsan))
        bz_tsan_new_slow(memory, size);
}

/* A sanitizer's malloc is there, which knows where each block lies, who may look into it and what leads to it. Constant. */
size_t __sanitizer_get_allocated_size(const void *block) __attribute__((weak));
static inline bool bz_sanitized(void) {
    return __sanitizer_get_allocated_size;
}

/* free() of memory that the program has nothing to do with: malloc and free are seen, what orders them is not. */
void bz_sanitized_free(void *memory);

#endif
