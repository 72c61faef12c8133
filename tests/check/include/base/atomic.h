/* Replaces src/base/atomic.h for checked sources: each access calls the checker, which chooses the next thread and the
 * value of a load. Names and types are those of the original. */
#ifndef BZ_ATOMIC_H
#define BZ_ATOMIC_H

#include <stdbool.h>
#include <stddef.h>
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

enum check_order { CHECK_RELAXED, CHECK_ACQUIRE, CHECK_RELEASE, CHECK_ACQ_REL, CHECK_SEQ_CST };
enum check_access {
    CHECK_LOAD,
    CHECK_STORE,
    CHECK_EXCHANGE,
    CHECK_ADD,
    CHECK_AND,
    CHECK_OR,
    CHECK_CAS,
    CHECK_FENCE
};

/* The place and kind of an access; one for each access. */
struct check_site {
    const char *file, *function;
    int line;
    enum check_access access;
    enum check_order order, failed; /* `failed`: of a compare and swap */
    uint64_t tests;                 /* for the checker: the tests that have reached it, a bit each */
    enum check_order weak;          /* for the checker: the order that it applies */
};

uint64_t check_atomic(struct check_site *site, void *word, size_t size, uint64_t operand, uint64_t expected);
void check_relax(bool yields);

#define CHECK_SITE(access, order, failed)                                                                    \
    ({                                                                                                       \
        static struct check_site check_here = {                                                              \
            __FILE__, __func__, __LINE__, access, order, failed, 0, order};                                  \
        &check_here;                                                                                         \
    })
#define CHECK_DO(p, access, order, x)                                                                        \
    ((__typeof__((p)->v))check_atomic(CHECK_SITE(access, order, order), (void *)(uintptr_t) & (p)->v,        \
                                      sizeof(p)->v, (uint64_t)(x), 0))
/* *expected is the caller's. */
#define CHECK_SWAP(p, expected, x, order, failed)                                                            \
    ({                                                                                                       \
        __typeof__(&(p)->v) check_expected = (expected);                                                     \
        uint64_t check_old = (uint64_t)*check_expected;                                                      \
        *check_expected = (__typeof__((p)->v))check_atomic(                                                  \
            CHECK_SITE(CHECK_CAS, order, failed), (void *)&(p)->v, sizeof(p)->v, (uint64_t)(x), check_old);  \
        (uint64_t) * check_expected == check_old;                                                            \
    })

#define bz_load_relaxed(p) CHECK_DO(p, CHECK_LOAD, CHECK_RELAXED, 0)
#define bz_load_acquire(p) CHECK_DO(p, CHECK_LOAD, CHECK_ACQUIRE, 0)
#define bz_load_seq_cst(p) CHECK_DO(p, CHECK_LOAD, CHECK_SEQ_CST, 0)
#define bz_store_relaxed(p, x) ((void)CHECK_DO(p, CHECK_STORE, CHECK_RELAXED, x))
#define bz_store_release(p, x) ((void)CHECK_DO(p, CHECK_STORE, CHECK_RELEASE, x))
#define bz_exchange_relaxed(p, x) CHECK_DO(p, CHECK_EXCHANGE, CHECK_RELAXED, x)
#define bz_exchange_acquire(p, x) CHECK_DO(p, CHECK_EXCHANGE, CHECK_ACQUIRE, x)
#define bz_exchange_release(p, x) CHECK_DO(p, CHECK_EXCHANGE, CHECK_RELEASE, x)
#define bz_exchange_acq_rel(p, x) CHECK_DO(p, CHECK_EXCHANGE, CHECK_ACQ_REL, x)
#define bz_exchange_seq_cst(p, x) CHECK_DO(p, CHECK_EXCHANGE, CHECK_SEQ_CST, x)
#define bz_fetch_add_relaxed(p, x) CHECK_DO(p, CHECK_ADD, CHECK_RELAXED, x)
#define bz_fetch_add_release(p, x) CHECK_DO(p, CHECK_ADD, CHECK_RELEASE, x)
#define bz_fetch_add_acq_rel(p, x) CHECK_DO(p, CHECK_ADD, CHECK_ACQ_REL, x)
#define bz_fetch_add_seq_cst(p, x) CHECK_DO(p, CHECK_ADD, CHECK_SEQ_CST, x)
#define bz_fetch_sub_relaxed(p, x) CHECK_DO(p, CHECK_ADD, CHECK_RELAXED, -(uint64_t)(x))
#define bz_fetch_sub_release(p, x) CHECK_DO(p, CHECK_ADD, CHECK_RELEASE, -(uint64_t)(x))
#define bz_fetch_sub_acq_rel(p, x) CHECK_DO(p, CHECK_ADD, CHECK_ACQ_REL, -(uint64_t)(x))
#define bz_fetch_sub_seq_cst(p, x) CHECK_DO(p, CHECK_ADD, CHECK_SEQ_CST, -(uint64_t)(x))
#define bz_fetch_and_relaxed(p, x) CHECK_DO(p, CHECK_AND, CHECK_RELAXED, x)
#define bz_fetch_or_relaxed(p, x) CHECK_DO(p, CHECK_OR, CHECK_RELAXED, x)
#define bz_fetch_or_acq_rel(p, x) CHECK_DO(p, CHECK_OR, CHECK_ACQ_REL, x)
#define bz_cas_relaxed(p, expected, x) CHECK_SWAP(p, expected, x, CHECK_RELAXED, CHECK_RELAXED)
#define bz_cas_acquire(p, expected, x) CHECK_SWAP(p, expected, x, CHECK_ACQUIRE, CHECK_RELAXED)
#define bz_cas_release(p, expected, x) CHECK_SWAP(p, expected, x, CHECK_RELEASE, CHECK_RELAXED)
#define bz_cas_acq_rel(p, expected, x) CHECK_SWAP(p, expected, x, CHECK_ACQ_REL, CHECK_ACQUIRE)
#define bz_cas_seq_cst(p, expected, x) CHECK_SWAP(p, expected, x, CHECK_SEQ_CST, CHECK_SEQ_CST)

#define bz_count_relaxed(p) bz_store_relaxed(p, (p)->v + 1)
#define bz_count_release(p) bz_store_release(p, (p)->v + 1)

/* The compiler may not move accesses across it: the checker never does. */
#define bz_signal_fence() ((void)0)
#define check_fence(order) ((void)check_atomic(CHECK_SITE(CHECK_FENCE, order, order), NULL, 0, 0, 0))
#define bz_fence_seq_cst() check_fence(CHECK_SEQ_CST)

#define bz_cpu_relax() check_relax(false)

#endif
