/* Attributes and hints that gcc and clang share. */
#ifndef BZ_COMPILER_H
#define BZ_COMPILER_H

/* Defined when this library itself is instrumented by ThreadSanitizer. */
#if defined(__SANITIZE_THREAD__)
#    define BZ_INSTRUMENTED 1
#elif defined(__has_feature)
#    if __has_feature(thread_sanitizer)
#        define BZ_INSTRUMENTED 1
#    endif
#endif

#define bz_likely(x) __builtin_expect(!!(x), 1)
#define bz_unlikely(x) __builtin_expect(!!(x), 0)

/* Out of the hot path: never inlined, placed with the other cold code. */
#define BZ_COLD __attribute__((cold, noinline))
#define BZ_INLINE static inline __attribute__((always_inline))

/* A cache line. 128 bytes gained nothing measurable. */
#define BZ_LINE 64
#define BZ_ALIGN_LINE _Alignas(BZ_LINE)

/* Aligns a function, so that its speed does not depend on the functions before it (bench/decisions.md#tasks). */
#define BZ_LINE_START __attribute__((aligned(BZ_LINE)))

/* The version as text, where blitz.h is included. */
#define BZ_TEXT_OF(x) #x
#define BZ_TEXT(x) BZ_TEXT_OF(x)
#define BZ_VERSION                                                                                           \
    BZ_TEXT(BLITZ_VERSION_MAJOR) "." BZ_TEXT(BLITZ_VERSION_MINOR) "." BZ_TEXT(BLITZ_VERSION_PATCH)

#define bz_container_of(ptr, type, member) ((type *)((char *)(ptr)-offsetof(type, member)))

#endif
