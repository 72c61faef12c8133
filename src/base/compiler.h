/* Attributes and hints that gcc and clang share. */
#ifndef BZ_COMPILER_H
#define BZ_COMPILER_H

#define bz_likely(x) __builtin_expect(!!(x), 1)
#define bz_unlikely(x) __builtin_expect(!!(x), 0)

/* Out of the hot path: never inlined, placed with the other cold code. */
#define BZ_COLD __attribute__((cold, noinline))
#define BZ_INLINE static inline __attribute__((always_inline))

/* One destructive-interference unit on every CPU we target; AArch64 servers and x86's paired-line prefetch would like
 * 128, which costs memory for no difference that we could measure. */
#define BZ_LINE 64
#define BZ_ALIGN_LINE _Alignas(BZ_LINE)

/* A function that begins with a line: where its instructions lie in lines, which is up to 17 % of a task's time, does not
 * depend on what lies before it (bench/decisions.md#tasks). */
#define BZ_LINE_START __attribute__((aligned(BZ_LINE)))

#define bz_container_of(ptr, type, member) ((type *)((char *)(ptr)-offsetof(type, member)))

#endif
