/* What ThreadSanitizer is told. A program that is built with it brings its runtime along, which sees the program's own
 * accesses but not the atomics and futexes in here: it would call a race what we have ordered. So every place where OpenMP
 * or blitz.h promise an order says so: the one side says that it was *before* a key, which is an address that nobody else
 * uses for that; the other side says later that it is *after* it, and is then after all that was before. The list is in
 * tools.md.
 *
 * Valgrind's drd and helgrind are told the same, at the same places: what is said of ThreadSanitizer here holds for them.
 * They see our own accesses, too, which a file of suppressions takes out (cmake/valgrind.supp).
 *
 * Without ThreadSanitizer, and in a library that is itself instrumented (its atomics are seen), there is only the test
 * of one word, and that not on hot paths. */
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

/* What is ours in this memory is touched by the program's own code, too, which blitz/cilk.h has put there. */
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
