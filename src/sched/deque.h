/* The work-stealing deque: Chase and Lev, "Dynamic Circular Work-Stealing Deque" (SPAA 2005), with the C11 orders of Le,
 * Pop, Cohen and Zappa Nardelli (PPoPP 2013), split into a public part that thieves see and a private part that only the
 * owner sees (van Dijk and van de Pol, "Lace", 2014).
 *
 *      top            split           bottom          indices only grow, except by the owner's pops
 *       |--- public ---|--- private ---|
 *     thieves take here        owner pushes and pops here
 *
 * The public part is a plain Chase-Lev deque whose bottom is `split`. A push or pop of the private part is a few plain
 * instructions and no fence. Invariants, seen by the owner:
 *   top <= split + 1, split <= bottom, bottom - top <= capacity
 *   `fast` is `split`, and pops from there on check no other word; or a steal is requested, and none is fast
 *   a steal is requested  =>  `bound` is 0 or about to be, by the requesting thread: no push of blitz/cilk.h is fast
 *   the public part is empty  =>  a steal is requested or about to be, by the thread that emptied it: the owner's next push
 *                                 or pop exposes
 *   public_split differs from `split`, or is asked  =>  a steal is requested: the owner's next pop reconciles them
 * While an owner is busy for long, a thief exposes *from outside* (bz_deque_expose_for). An *eager* deque (all pushes by
 * bz_deque_push_public) keeps the private part empty: no pushed job waits for its owner.
 *
 * Fences: the owner's pop of a public job stores split, then reads top; a thief reads top, then split. The two seq_cst
 * fences (D4, D7) forbid that both see the old value and take the same job. The proof is in deque.md. Check:
 * tests/check/deque.c.
 *
 * Growth doubles the buffer. Old buffers live until the deque dies (their sum is below the live one's size), so a thief
 * that holds one reads stale but valid memory; its slot is still right, since the owner never writes to an old buffer. */
#ifndef BZ_DEQUE_H
#define BZ_DEQUE_H

#include "base/atomic.h"
#include "base/compiler.h"
#include "sched/job.h"
#include "wait/fence.h"

struct bz_slot {
    struct bz_job *v;
};

struct bz_buffer {
    struct bz_buffer *older; /* retired, freed with the deque; owner only */
    int64_t mask;            /* capacity - 1; constant */
    struct bz_slot slots[];  /* written by the owner, read by thieves */
};

struct bz_deque {
    /* Next free index; written by the owner, read by exposing threads as well. */
    struct bz_ai64 bottom;
    /* Owner only. */
    /* The owner's copy of public_split: never more, and less only while a steal is requested. */
    int64_t split;
    /* bottom may grow to here without a check of top: not at all before the first job; 0: sealed. */
    int64_t limit;
    /* Copies from buffer_own: a push through it would wait for two more loads, one after the other. */
    int64_t mask;
    struct bz_slot *slots;
    struct bz_buffer *buffer_own; /* the owner's copy of buffer */
    int64_t top_seen;             /* top when the owner last read it: never more than it is now */
    uint32_t slow_pops;           /* reasons for slow-pop mode: see bz_deque_begin_slow_pops */
    bool stopped;                 /* `fast` is BZ_DEQUE_REQUESTED, and has been since its owner stored that */
    bool alone;                   /* no thief is there: all jobs are private, and split is top */

    /* Written by thieves (and the owner taking the last public job). */
    BZ_ALIGN_LINE struct bz_ai64 top;
    /* From `fast` on pops are fast, up to `bound` pushes of blitz/cilk.h: the owner's split and limit, stored by it. Or
     * BZ_DEQUE_REQUESTED, and then 0: stored by a thief that found or left nothing public, or exposes, and by the owner. */
    struct bz_ai64 fast, bound;
    struct bz_aflag exposer; /* a try-lock of exposing threads */

    /* Written by the owner and by exposing threads; read by thieves. */
    BZ_ALIGN_LINE struct bz_ai64 public_split; /* with BZ_DEQUE_ASKED */
    struct {
        struct bz_buffer *v;
    } buffer;
    /* Owner only: where to record, before the first job, that it has had one, and the bit; NULL: nowhere, or recorded. */
    struct bz_a64 *mark;
    uint64_t mark_bit;
};

/* In public_split: an exposing thread is about to raise it. The owner's next store there removes it. */
#define BZ_DEQUE_ASKED INT64_MIN

/* In `fast`: a steal is requested. As an unsigned number it is above all indices. */
#define BZ_DEQUE_REQUESTED INT64_MIN

static inline int64_t bz_deque_split_of(int64_t public_split) {
    return public_split & ~BZ_DEQUE_ASKED;
}

/* Any thread: whether a steal is requested. */
static inline bool bz_deque_is_requested(const struct bz_deque *deque) {
    return bz_load_relaxed(&deque->fast) < 0; /* relaxed: a hint */
}

/* Owner: the next free index. */
static inline int64_t bz_deque_bottom(const struct bz_deque *deque) {
    return bz_load_relaxed(&deque->bottom); /* relaxed: own store */
}

/* Its first job brings memory for `capacity` (a power of two): most workers of a large team never have one. */
void bz_deque_init(struct bz_deque *deque, int64_t capacity);
/* Of a new one, the index-th of a domain: before its first job it sets its bit in `marks`, so that thieves skip workers that
 * never queued a job. The order that makes the job visible makes the bit visible. */
static inline void bz_deque_mark(struct bz_deque *deque, struct bz_a64 *marks, uint32_t index) {
    deque->mark = &marks[index / 64];
    deque->mark_bit = UINT64_C(1) << index % 64;
}
/* No owner and no thief may be left. */
void bz_deque_destroy(struct bz_deque *deque);

/* From now on it takes no job: every push finds no room, and the job is run in place. A new deque; for good. */
static inline void bz_deque_seal(struct bz_deque *deque) {
    deque->limit = 0;
}

/* Owner: slow-pop mode: until it has ended as often as it has begun a steal stays requested, and all pops are the slow
 * ones. It is not alone from then on. */
void bz_deque_begin_slow_pops(struct bz_deque *deque);
static inline void bz_deque_end_slow_pops(struct bz_deque *deque) {
    deque->slow_pops--; /* the next time that it exposes it may clear the request */
}

/* Owner of an empty one: whether it is the only worker of its domain from now on. Then no push or pop has a fence. */
void bz_deque_set_alone(struct bz_deque *deque, bool alone);

/* Doubles the buffer, or finds that thieves made room. False: no memory; the caller runs the job itself. */
bool bz_deque_make_room(struct bz_deque *deque);
/* Moves the older half of the private part (at least one job) to the public part. True if anything was exposed: the caller
 * must notify the sleepers. */
bool bz_deque_expose(struct bz_deque *deque);
/* Adds a job for which there is room. True if anything was exposed, perhaps this job: the caller must notify them. */
bool bz_deque_put_requested(struct bz_deque *deque, struct bz_job *job);
/* Any thief, where nothing is public: exposes like bz_deque_expose, for an owner that does not answer. True: it did so, or
 * the owner has written meanwhile; then another search is worthwhile. False: nothing is private, another thief exposes, or
 * the system has no barrier on other threads. Cost: microseconds. */
bool bz_deque_expose_for(struct bz_deque *deque);
/* Any thread: whether a thief might find something private to expose. An estimate. */
static inline bool bz_deque_may_be_helped(const struct bz_deque *deque) {
    return !bz_load_relaxed(&bz_fence_symmetric) && /* relaxed, all: hints */
           bz_load_relaxed(&deque->bottom) > bz_deque_split_of(bz_load_relaxed(&deque->public_split));
}
/* The end of a pop whose bottom is stored already, unless it is a private job and no steal is requested. */
struct bz_job *bz_deque_pop_slow(struct bz_deque *deque, int64_t bottom);
/* In the child of a fork: no thief is left. */
void bz_deque_forget_thieves(struct bz_deque *deque);

/* Owner: whether there is a steal request, and something to give. */
static inline bool bz_deque_wanted(const struct bz_deque *deque) {
    return bz_deque_bottom(deque) != deque->split && bz_unlikely(bz_deque_is_requested(deque));
}

/* Owner: whether a push finds room without reading top and without more memory. */
static inline bool bz_deque_has_room(const struct bz_deque *deque) {
    return bz_deque_bottom(deque) < deque->limit;
}

/* Owner: makes room for a push. False: no memory. */
BZ_INLINE bool bz_deque_reserve(struct bz_deque *deque) {
    return bz_likely(bz_deque_has_room(deque)) || bz_deque_make_room(deque);
}

/* Owner: adds a job at the private end, where there is room. */
BZ_INLINE void bz_deque_put(struct bz_deque *deque, struct bz_job *job) {
    int64_t b = bz_deque_bottom(deque);
    bz_store_relaxed(&deque->slots[b & deque->mask], job); /* relaxed: published by D1 or D12 */
    bz_store_release(&deque->bottom, b + 1);               /* D12: pairs with D14 (the slot and the job) */
}

/* Owner: adds a job at the private end. False when there is no room and no memory. Then, if bz_deque_wanted(), the
 * caller exposes. */
BZ_INLINE bool bz_deque_push(struct bz_deque *deque, struct bz_job *job) {
    if (bz_unlikely(!bz_deque_reserve(deque)))
        return false;
    bz_deque_put(deque, job);
    return true;
}

/* Owner, before it exposes the jobs up to `split`: clears the steal request. The thief that takes the last of them stores
 * its request later. */
void bz_deque_clear_request(struct bz_deque *deque, int64_t split);
/* Owner, which has raised its split: `fast` follows, unless a steal is requested. */
void bz_deque_follow_split(struct bz_deque *deque);
/* Owner, after a push that was not fast: the next ones are, unless a steal is requested. */
void bz_deque_restore_bound(struct bz_deque *deque);

/* Owner: makes all jobs public, if there may be thieves. */
BZ_INLINE void bz_deque_make_public(struct bz_deque *deque) {
    if (deque->alone)
        return;
    deque->split = bz_deque_bottom(deque);
    if (bz_unlikely(!deque->stopped))
        bz_deque_follow_split(deque);
    /* D1: pairs with D5 (the slots and the jobs' contents). A split that a thief raised is lower. */
    bz_store_release(&deque->public_split, deque->split);
}

/* Owner: adds a job and makes it and all before it public. */
BZ_INLINE bool bz_deque_push_public(struct bz_deque *deque, struct bz_job *job) {
    if (bz_unlikely(!bz_deque_push(deque, job)))
        return false;
    bz_deque_make_public(deque);
    return true;
}

/* Owner, before it does something else for long: makes all jobs public. True if any was not: the caller must notify the
 * sleepers. */
static inline bool bz_deque_expose_all(struct bz_deque *deque) {
    if (deque->split == bz_deque_bottom(deque) || deque->alone)
        return false;
    bz_deque_make_public(deque);
    return true;
}

/* Owner: lowers the bottom by one, to b. True if the job there is private, and now the caller's. Otherwise the caller goes
 * on with bz_deque_pop_slow, or raises the bottom again. */
BZ_INLINE bool bz_deque_pop_private(struct bz_deque *deque, int64_t b) {
    bz_store_relaxed(&deque->bottom, b); /* relaxed: next */
    bz_signal_fence(); /* D13: pairs with D14: either we see the steal request or the exposer our bottom */
    return bz_likely((uint64_t)b >= (uint64_t)bz_load_relaxed(&deque->fast)); /* relaxed: D13 */
}

/* Owner: undoes bz_deque_pop_private(deque, b). */
static inline void bz_deque_pop_undo(struct bz_deque *deque, int64_t b) {
    bz_store_release(&deque->bottom, b + 1); /* D12: pairs with D14 */
}

/* Owner: the job at an index that is its own. */
BZ_INLINE struct bz_job *bz_deque_at(const struct bz_deque *deque, int64_t index) {
    return bz_load_relaxed(&deque->slots[index & deque->mask]); /* relaxed: own store */
}

/* Owner: takes the newest job, or NULL. */
BZ_INLINE struct bz_job *bz_deque_pop(struct bz_deque *deque) {
    int64_t b = bz_deque_bottom(deque) - 1;
    return bz_deque_pop_private(deque, b) ? bz_deque_at(deque, b) : bz_deque_pop_slow(deque, b);
}

/* Owner: reads top. Thieves write to it again and again, and each access makes both wait. */
static inline void bz_deque_look(struct bz_deque *deque) {
    deque->top_seen = bz_load_relaxed(&deque->top); /* relaxed: an estimate */
}

/* Number of jobs. For the owner exact except for steals under way, for others an estimate. */
static inline int64_t bz_deque_size(const struct bz_deque *deque) {
    int64_t n = bz_deque_bottom(deque) - bz_load_relaxed(&deque->top); /* relaxed: an estimate */
    return n > 0 ? n : 0;
}

/* Any thread: how many jobs a thief would find, or a negative number; whether it would find any. Estimates. */
static inline int64_t bz_deque_public_size(const struct bz_deque *deque) {
    /* relaxed: an estimate */
    return bz_deque_split_of(bz_load_relaxed(&deque->public_split)) - bz_load_relaxed(&deque->top);
}
static inline bool bz_deque_has_public(const struct bz_deque *deque) {
    return bz_deque_public_size(deque) > 0;
}

enum bz_steal { BZ_STEAL_TAKEN, BZ_STEAL_EMPTY, BZ_STEAL_RETRY, BZ_STEAL_REFUSED };

/* Whether a thief may take a job: called on the oldest one before it is claimed, so that job may be taken, run and its
 * memory reused at the same time. It must read atomically, only memory that stays mapped, and its answer counts only if the
 * claim then succeeds. */
typedef bool bz_may_take(const struct bz_job *job, const void *arg);

/* Owner: whether there is a job that may be taken; asks about each until it finds one. Thieves may take it meanwhile. */
bool bz_deque_offers(const struct bz_deque *deque, bz_may_take *may_take, const void *arg);

/* Owner: takes the newest of its jobs that may be taken, however deep it lies, or NULL: perhaps no other worker may take
 * it. The jobs above it are taken out and put back: *moved, thieves may have missed them. NULL also if there is no memory
 * for that. */
struct bz_job *bz_deque_pick(struct bz_deque *deque, bz_may_take *may_take, const void *arg, bool *moved);

/* Owner, alone: takes a job out, wherever it lies; those above it move down. False: it is not there. */
bool bz_deque_take_out(struct bz_deque *deque, const struct bz_job *job);
/* The same of the oldest one. NULL: there is none, or it may not be taken. */
struct bz_job *bz_deque_take_oldest(struct bz_deque *deque, bz_may_take *may_take, const void *arg);

/* Any thread: takes the oldest public job, and returns its index. With may_take, only if that agrees (else REFUSED). */
enum bz_steal bz_deque_steal_at(struct bz_deque *deque, bz_may_take *may_take, const void *arg,
                                struct bz_job **job, int64_t *index);
static inline enum bz_steal bz_deque_steal(struct bz_deque *deque, bz_may_take *may_take, const void *arg,
                                           struct bz_job **job) {
    int64_t index;
    return bz_deque_steal_at(deque, may_take, arg, job, &index);
}

#endif
