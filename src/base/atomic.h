/* Atomics whose names say their order. A shared word is a struct with one field, so that `x++` and `x = 3` do not compile.
 * The macros take the address of any such struct. Locks of an ABI are cast to struct bz_a32. */
#ifndef BZ_ATOMIC_H
#define BZ_ATOMIC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/compiler.h"

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
/* Strong compare and swap; `expected` is a pointer, updated on failure. */
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

/* Adds one to a count that no other thread writes, in one instruction on x86-64. */
#if defined(__x86_64__) && !defined(BZ_INSTRUMENTED)
#    define bz_count_relaxed(p) __asm__("addq $1, %0" : "+m"((p)->v) : : "cc")
#    define bz_count_release(p) __asm__ volatile("addq $1, %0" : "+m"((p)->v) : : "cc", "memory")
#else
#    define bz_count_relaxed(p) bz_store_relaxed(p, (p)->v + 1)
#    define bz_count_release(p) bz_store_release(p, (p)->v + 1)
#endif

/* Enough for the child of a fork, which sees the stores of other threads in program order. */
static inline void bz_signal_fence(void) {
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/* For Dekker-like protocols: a comment names the accesses that it orders and the outcome that it forbids. */
static inline void bz_fence_seq_cst(void) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/* Hints to the CPU, not the kernel, that this is a wait loop. */
static inline void bz_cpu_relax(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#else
    __asm__ volatile("isb" ::: "memory");
#endif
}

#endif
