#include "base/sanitizer.h"

#include <stdlib.h>

#include "base/valgrind.h"

bool bz_tsan, bz_attended;

/* Defined by ThreadSanitizer's runtime. */
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);
__attribute__((weak)) void AnnotateIgnoreWritesBegin(const char *file, int line);
__attribute__((weak)) void AnnotateIgnoreWritesEnd(const char *file, int line);

/* bz_tsan is for ThreadSanitizer, not for a tool of valgrind. Constant after the constructor. */
static bool is_tsan;

/* An instrumented library needs no annotations. */
#ifndef BZ_INSTRUMENTED
__attribute__((constructor)) static void find_tool(void) {
    is_tsan = __tsan_acquire && __tsan_release && AnnotateIgnoreWritesBegin && AnnotateIgnoreWritesEnd;
    bz_attended = bz_tsan = is_tsan || bz_valgrind_runs();
}
#endif

BZ_COLD void bz_tsan_after_slow(const void *key) {
    if (is_tsan)
        __tsan_acquire((void *)key);
    else
        bz_valgrind_request(BZ_VALGRIND_AFTER, key, 0);
}

BZ_COLD void bz_tsan_before_slow(const void *key) {
    if (is_tsan)
        __tsan_release((void *)key);
    else
        bz_valgrind_request(BZ_VALGRIND_BEFORE, key, 0);
}

/* blitz/cilk.h itself annotates for ThreadSanitizer. */
BZ_COLD void bz_tsan_ignore(const void *memory, size_t size) {
    if (!bz_tsan || is_tsan)
        return;
    (void)bz_valgrind_request(BZ_VALGRIND_IGNORE, memory, size);
    (void)bz_valgrind_request(BZ_VALGRIND_IGNORE_DRD, memory, size);
}

BZ_COLD void bz_tsan_new_slow(const void *memory, size_t size) {
    if (!is_tsan)
        (void)bz_valgrind_request(BZ_VALGRIND_NEW, memory, size);
}

void bz_sanitized_free(void *memory) {
    if (bz_likely(!is_tsan)) {
        free(memory);
        return;
    }
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
    free(memory);
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
}
