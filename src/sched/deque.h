/* The work-stealing deque of Chase and Lev (2005), split as in Lace (2014). Proof: deque.md. Check:
 * tests/check/deque.c.
 *
 *      top            split           bottom          indices only grow, except by the owner's pops
 *       |--- public ---|--- private ---|
 *     thieves take here        owner pushes and pops here
 *
 * Invariants, seen by the owner:
 *   top <= split + 1, split <= bottom, bottom - top <= capacity
 *   `fast` is `split`, and pops from there on check no other word; or a steal is requested, and none is fast
 *   a steal is requested  =>  `bound` is 0 or about to be: no push of blitz/cilk.h is fast
 *   the public part is empty  =>  a steal is requested or about to be, by the thread that emptied it
 *   public_split differs from `split`, or is asked  =>  a steal is requested: the owner's next pop reconciles them */
#ifndef BZ_DEQUE_H
#define BZ_DEQUE_H

#include "base/atomic.h"
#include "base/compiler.h"
#include "sched/job.h"
#include "wait/fence.h"

struct bz_slot {
    struct bz_job *v;
};

/* Stays until the deque ends. The owner never writes to an older one. */
struct bz_buffer {
    struct bz_buffer *older; /* owner only */
    int64_t mask;            /* capacity - 1 */
    struct bz_slot slots[];  /* written by the owner, read by thieves */
};

struct bz_deque {
    /* Next free index: by the owner, read by exposing threads. */
    struct bz_ai64 bottom;
    /* Owner only. */
    /* Its copy of public_split: never more, and less only while a steal is requested. */
    int64_t split;
    /* bottom may grow to here without a check of top; 0: sealed. */
    int64_t limit;
    /* Those of buffer_own. */
    int64_t mask;
    struct bz_slot *slots;
    struct bz_buffer *buffer_own; /* its copy of buffer */
    int64_t top_seen;             /* top when last read: at most top */
    uint32_t slow_pops;           /* reasons for slow-pop mode (bz_deque_begin_slow_pops) */
    bool stopped;                 /* the owner has stored BZ_DEQUE_REQUESTED last */
    bool alone;                   /* there is no thief: all jobs are private, and split is top */

    /* Written by thieves (and the owner taking the last public job). */
    BZ_ALIGN_LINE struct bz_ai64 top;
    /* From `fast` on pops are fast, up to `bound` pushes of blitz/cilk.h. Split and limit, by the owner; or
     * BZ_DEQUE_REQUESTED, then 0, by a thief that found or left nothing public or that exposes, and by the owner. */
    struct bz_ai64 fast, bound;
    struct bz_aflag exposer; /* try-lock of exposing threads */

    /* By the owner and by exposing threads; read by thieves. */
    BZ_ALIGN_LINE struct bz_ai64 public_split; /* with BZ_DEQUE_ASKED */
    struct {
        struct bz_buffer *v;
    } buffer;
    /* Where its first job sets `mark_bit`; NULL: nowhere, or done. Owner only. */
    struct bz_a64 *mark;
    uint64_t mark_bit;
};

/* In public_split: an exposer is about to raise it. */
#define BZ_DEQUE_ASKED INT64_MIN

/* In `fast`: a steal is requested. Above all indices as an unsigned number. */
#define BZ_DEQUE_REQUESTED INT64_MIN

static inline int64_t bz_deque_split_of(int64_t public_split) {
    return public_split & ~BZ_DEQUE_ASKED;
}

static inline bool bz_deque_is_requested(const struct bz_deque *deque) {
    return bz_load_relaxed(&deque->fast) < 0; /* relaxed: a hint */
}

static inline int64_t bz_deque_bottom(const struct bz_deque *deque) {
    return bz_load_relaxed(&deque->bottom); /* relaxed: own store */
}

/* Its first job allocates `capacity` slots, a power of two. */
void bz_deque_init(struct bz_deque *deque, int64_t capacity);
/* For a new one: its first job sets bit `index` in `marks`, which is visible when the job is. */
static inline void bz_deque_mark(struct bz_deque *deque, struct bz_a64 *marks, uint32_t index) {
    deque->mark = &marks[index / 64];
    deque->mark_bit = UINT64_C(1) << index % 64;
}
void bz_deque_destroy(struct bz_deque *deque);

/* For a new one: every push fails from now on. */
static inline void bz_deque_seal(struct bz_deque *deque) {
    deque->limit = 0;
}

/* Owner: slow-pop mode. Until it has ended as often as it has begun, a steal stays requested. Ends being alone. */
void bz_deque_begin_slow_pops(struct bz_deque *deque);
static inline void bz_deque_end_slow_pops(struct bz_deque *deque) {
    deque->slow_pops--; /* the next exposure may clear the request */
}

/* Owner, empty: whether there is no thief from now on. Then no push or pop has a fence. */
void bz_deque_set_alone(struct bz_deque *deque, bool alone);

/* False: no memory. */
bool bz_deque_make_room(struct bz_deque *deque);
/* Makes the older half of the private jobs public. True: the caller notifies sleepers. */
bool bz_deque_expose(struct bz_deque *deque);
/* The same after adding a job where there is room. */
bool bz_deque_put_requested(struct bz_deque *deque, struct bz_job *job);
/* Thief, where nothing is public: exposes for an owner that does not answer. True: search again. Cost: microseconds. */
bool bz_deque_expose_for(struct bz_deque *deque);
/* Any thread: whether there may be private jobs to expose. */
static inline bool bz_deque_may_be_helped(const struct bz_deque *deque) {
    return !bz_load_relaxed(&bz_fence_symmetric) && /* relaxed, all: hints */
           bz_load_relaxed(&deque->bottom) > bz_deque_split_of(bz_load_relaxed(&deque->public_split));
}
struct bz_job *bz_deque_pop_slow(struct bz_deque *deque, int64_t bottom);
/* In the child of a fork. */
void bz_deque_forget_thieves(struct bz_deque *deque);

static inline bool bz_deque_wanted(const struct bz_deque *deque) {
    return bz_deque_bottom(deque) != deque->split && bz_unlikely(bz_deque_is_requested(deque));
}

static inline bool bz_deque_has_room(const struct bz_deque *deque) {
    return bz_deque_bottom(deque) < deque->limit;
}

BZ_INLINE bool bz_deque_reserve(struct bz_deque *deque) {
    return bz_likely(bz_deque_has_room(deque)) || bz_deque_make_room(deque);
}

/* Owner, where there is room. */
BZ_INLINE void bz_deque_put(struct bz_deque *deque, struct bz_job *job) {
    int64_t b = bz_deque_bottom(deque);
    bz_store_relaxed(&deque->slots[b & deque->mask], job); /* relaxed: published by D1 or D12 */
    bz_store_release(&deque->bottom, b + 1);               /* D12: pairs with D14 (the slot and the job) */
}

/* The same; the caller exposes if bz_deque_wanted(). False: no memory. */
BZ_INLINE bool bz_deque_push(struct bz_deque *deque, struct bz_job *job) {
    if (bz_unlikely(!bz_deque_reserve(deque)))
        return false;
    bz_deque_put(deque, job);
    return true;
}

/* Owner, before it exposes the jobs up to `split`. */
void bz_deque_clear_request(struct bz_deque *deque, int64_t split);
/* Owner, after raising its split: `fast` follows, unless a steal is requested. */
void bz_deque_follow_split(struct bz_deque *deque);
/* Owner, after a slow push of blitz/cilk.h: the next ones are fast, unless a steal is requested. */
void bz_deque_restore_bound(struct bz_deque *deque);

BZ_INLINE void bz_deque_make_public(struct bz_deque *deque) {
    if (deque->alone)
        return;
    deque->split = bz_deque_bottom(deque);
    if (bz_unlikely(!deque->stopped))
        bz_deque_follow_split(deque);
    /* D1: pairs with D5 (the slots and the jobs' contents). A split that a thief raised is lower. */
    bz_store_release(&deque->public_split, deque->split);
}

BZ_INLINE bool bz_deque_push_public(struct bz_deque *deque, struct bz_job *job) {
    if (bz_unlikely(!bz_deque_push(deque, job)))
        return false;
    bz_deque_make_public(deque);
    return true;
}

/* Owner: makes all jobs public. True: some were not; the caller notifies sleepers. */
static inline bool bz_deque_expose_all(struct bz_deque *deque) {
    if (deque->split == bz_deque_bottom(deque) || deque->alone)
        return false;
    bz_deque_make_public(deque);
    return true;
}

/* Owner: lowers the bottom to b. True: the job there is the caller's. False: bz_deque_pop_slow or _undo follows. */
BZ_INLINE bool bz_deque_pop_private(struct bz_deque *deque, int64_t b) {
    bz_store_relaxed(&deque->bottom, b); /* relaxed: next */
    bz_signal_fence(); /* D13: pairs with D14: either we see the steal request or the exposer our bottom */
    return bz_likely((uint64_t)b >= (uint64_t)bz_load_relaxed(&deque->fast)); /* relaxed: D13 */
}

static inline void bz_deque_pop_undo(struct bz_deque *deque, int64_t b) {
    bz_store_release(&deque->bottom, b + 1); /* D12: pairs with D14 */
}

BZ_INLINE struct bz_job *bz_deque_at(const struct bz_deque *deque, int64_t index) {
    return bz_load_relaxed(&deque->slots[index & deque->mask]); /* relaxed: own store */
}

BZ_INLINE struct bz_job *bz_deque_pop(struct bz_deque *deque) {
    int64_t b = bz_deque_bottom(deque) - 1;
    return bz_deque_pop_private(deque, b) ? bz_deque_at(deque, b) : bz_deque_pop_slow(deque, b);
}

/* Owner: updates top_seen, by a line that thieves write. */
static inline void bz_deque_read_top(struct bz_deque *deque) {
    deque->top_seen = bz_load_relaxed(&deque->top); /* relaxed: an estimate */
}

/* An estimate; for the owner exact but for steals under way. */
static inline int64_t bz_deque_size(const struct bz_deque *deque) {
    int64_t n = bz_deque_bottom(deque) - bz_load_relaxed(&deque->top); /* relaxed: an estimate */
    return n > 0 ? n : 0;
}

/* Any thread: an estimate, which may be negative. */
static inline int64_t bz_deque_public_size(const struct bz_deque *deque) {
    /* relaxed: an estimate */
    return bz_deque_split_of(bz_load_relaxed(&deque->public_split)) - bz_load_relaxed(&deque->top);
}
static inline bool bz_deque_has_public(const struct bz_deque *deque) {
    return bz_deque_public_size(deque) > 0;
}

enum bz_steal { BZ_STEAL_TAKEN, BZ_STEAL_EMPTY, BZ_STEAL_RETRY, BZ_STEAL_REFUSED };

/* Whether a thief may take a job. Called before the claim, while another thread may run the job and reuse its memory: it
 * reads atomically, and only memory that stays mapped. Its answer counts if the claim succeeds. */
typedef bool bz_may_take(const struct bz_job *job, const void *arg);

/* Owner. Thieves may take the job meanwhile. */
bool bz_deque_has_allowed(const struct bz_deque *deque, bz_may_take *may_take, const void *arg);

/* Owner: takes the newest allowed job, or NULL. *moved: thieves may have missed jobs above it. */
struct bz_job *bz_deque_pick(struct bz_deque *deque, bz_may_take *may_take, const void *arg, bool *moved);

/* Owner, alone. False: it is not queued. */
bool bz_deque_take_out(struct bz_deque *deque, const struct bz_job *job);
/* Owner, alone. NULL: none, or it may not be taken. */
struct bz_job *bz_deque_take_oldest(struct bz_deque *deque, bz_may_take *may_take, const void *arg);

/* Any thread: takes the oldest public job and its index, if may_take (NULL: always) agrees. */
enum bz_steal bz_deque_steal_at(struct bz_deque *deque, bz_may_take *may_take, const void *arg,
                                struct bz_job **job, int64_t *index);
static inline enum bz_steal bz_deque_steal(struct bz_deque *deque, bz_may_take *may_take, const void *arg,
                                           struct bz_job **job) {
    int64_t index;
    return bz_deque_steal_at(deque, may_take, arg, job, &index);
}

#endif
