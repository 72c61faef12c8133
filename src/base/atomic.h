/* Named-order atomics.
 *
 * A shared word is a struct with one field, so that `x++` or `x = 3` do not compile and every access says its order by
 * name. The macros take the address of any one-field struct; a typed pointer is declared in place as
 * `struct { struct bz_worker *v; } owner`. Words owned by user code (locks of an ABI) are cast to struct bz_a32.
 *
 * Convention: every access that is not relaxed carries a label `X1` and names its partner with `pairs with X2`. */
#ifndef BZ_ATOMIC_H
#define BZ_ATOMIC_H

#include <stdbool.h>
#include <stdint.h>

struct bz_a32 {
    uint32_t v;
};
struct bz_a64 {
    uint64_t v;
};
struct bz_ai64 {
    int64_t v;
};
struct bz_aflag {
    bool v;
};

#define bz_load_relaxed(p) __atomic_load_n(&(p)->v, __ATOMIC_RELAXED)
#define bz_load_acquire(p) __atomic_load_n(&(p)->v, __ATOMIC_ACQUIRE)
#define bz_load_seq_cst(p) __atomic_load_n(&(p)->v, __ATOMIC_SEQ_CST)
#define bz_store_relaxed(p, x) __atomic_store_n(&(p)->v, (x), __ATOMIC_RELAXED)
#define bz_store_release(p, x) __atomic_store_n(&(p)->v, (x), __ATOMIC_RELEASE)
#define bz_exchange_relaxed(p, x) __atomic_exchange_n(&(p)->v, (x), __ATOMIC_RELAXED)
#define bz_exchange_acquire(p, x) __atomic_exchange_n(&(p)->v, (x), __ATOMIC_ACQUIRE)
#define bz_exchange_release(p, x) __atomic_exchange_n(&(p)->v, (x), __ATOMIC_RELEASE)
#define bz_exchange_acq_rel(p, x) __atomic_exchange_n(&(p)->v, (x), __ATOMIC_ACQ_REL)
#define bz_exchange_seq_cst(p, x) __atomic_exchange_n(&(p)->v, (x), __ATOMIC_SEQ_CST)
#define bz_fetch_add_relaxed(p, x) __atomic_fetch_add(&(p)->v, (x), __ATOMIC_RELAXED)
#define bz_fetch_add_release(p, x) __atomic_fetch_add(&(p)->v, (x), __ATOMIC_RELEASE)
#define bz_fetch_add_acq_rel(p, x) __atomic_fetch_add(&(p)->v, (x), __ATOMIC_ACQ_REL)
#define bz_fetch_add_seq_cst(p, x) __atomic_fetch_add(&(p)->v, (x), __ATOMIC_SEQ_CST)
#define bz_fetch_sub_relaxed(p, x) __atomic_fetch_sub(&(p)->v, (x), __ATOMIC_RELAXED)
#define bz_fetch_sub_release(p, x) __atomic_fetch_sub(&(p)->v, (x), __ATOMIC_RELEASE)
#define bz_fetch_sub_acq_rel(p, x) __atomic_fetch_sub(&(p)->v, (x), __ATOMIC_ACQ_REL)
#define bz_fetch_sub_seq_cst(p, x) __atomic_fetch_sub(&(p)->v, (x), __ATOMIC_SEQ_CST)
#define bz_fetch_and_relaxed(p, x) __atomic_fetch_and(&(p)->v, (x), __ATOMIC_RELAXED)
#define bz_fetch_or_relaxed(p, x) __atomic_fetch_or(&(p)->v, (x), __ATOMIC_RELAXED)
#define bz_fetch_or_acq_rel(p, x) __atomic_fetch_or(&(p)->v, (x), __ATOMIC_ACQ_REL)
/* Strong compare and swap; `expected` is a pointer, updated on failure. A failed one is relaxed unless it says so. */
#define bz_cas_relaxed(p, expected, x)                                                                       \
    __atomic_compare_exchange_n(&(p)->v, (expected), (x), false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)
#define bz_cas_acquire(p, expected, x)                                                                       \
    __atomic_compare_exchange_n(&(p)->v, (expected), (x), false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)
#define bz_cas_release(p, expected, x)                                                                       \
    __atomic_compare_exchange_n(&(p)->v, (expected), (x), false, __ATOMIC_RELEASE, __ATOMIC_RELAXED)
#define bz_cas_acq_rel(p, expected, x)                                                                       \
    __atomic_compare_exchange_n(&(p)->v, (expected), (x), false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)
#define bz_cas_seq_cst(p, expected, x)                                                                       \
    __atomic_compare_exchange_n(&(p)->v, (expected), (x), false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)

/* Raise a count that no other thread writes by one: by one instruction where an addition in memory is a load and a store as
 * good as any. ThreadSanitizer has to see both. */
#if defined(__has_feature)
#    if __has_feature(thread_sanitizer)
#        define BZ_COUNTS_SEEN 1
#    endif
#endif
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__) && !defined(BZ_COUNTS_SEEN)
#    define bz_count_relaxed(p) __asm__("addq $1, %0" : "+m"((p)->v) : : "cc")
#    define bz_count_release(p) __asm__ volatile("addq $1, %0" : "+m"((p)->v) : : "cc", "memory")
#else
#    define bz_count_relaxed(p) bz_store_relaxed(p, (p)->v + 1)
#    define bz_count_release(p) bz_store_release(p, (p)->v + 1)
#endif

/* Keeps the compiler from moving stores across it. A fork's child sees the stores of another thread up to some moment of
 * that thread, in program order, so it needs no more. */
static inline void bz_signal_fence(void) {
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/* The fence of Dekker-like protocols. Its comment names the two accesses it orders and the outcome that it forbids. */
static inline void bz_fence_seq_cst(void) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/* Tell the CPU (not the kernel) that this is a wait loop. */
static inline void bz_cpu_relax(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb" ::: "memory");
#else
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
#endif
}

#endif
