/* The work-stealing deque: Chase and Lev, "Dynamic Circular Work-Stealing Deque" (SPAA 2005), with the C11 orders of
 * Le, Pop, Cohen and Zappa Nardelli (PPoPP 2013), split into a public part that thieves see and a private part that
 * only the owner sees (van Dijk and van de Pol, "Lace", 2014).
 *
 *      top            split           bottom          indices only grow but for the owner's pops
 *       |--- public ---|--- private ---|
 *     thieves take here        owner pushes and pops here
 *
 * The public part is a plain Chase-Lev deque whose bottom is `split`. A push or pop of the private part is a few plain
 * instructions and no fence. Invariants, seen by the owner:
 *   top <= split + 1, split <= bottom, bottom - top <= capacity
 *   the public part is empty  =>  `hungry` is set or about to be, by whoever emptied it: the owner's next push or pop
 *                                 publishes
 * An *eager* deque (all pushes by bz_deque_push_public) keeps the private part empty: nothing that was pushed ever waits
 * for its owner to look.
 *
 * Fences: the owner's pop of a public job stores split, then reads top; a thief reads top, then split. The two seq_cst
 * fences (D4, D7) forbid that both see the old value and take the same job. The pairing table and the proof are in
 * deque.md. Model: tests/model/deque.pml.
 *
 * Growth doubles the buffer. Old buffers live until the deque dies (their sum is below the live one's size), so a thief
 * that holds one reads stale but valid memory; its slot is still right, since the owner never writes to an old buffer. */
#ifndef BZ_DEQUE_H
#define BZ_DEQUE_H

#include "atomic.h"
#include "compiler.h"
#include "job.h"

struct bz_slot {
    struct bz_job *v;
};

struct bz_buffer {
    struct bz_buffer *older; /* retired, freed with the deque; owner only */
    int64_t mask;            /* capacity - 1; constant */
    struct bz_slot slots[];  /* written by the owner, read by thieves */
};

struct bz_deque {
    /* Owner only. */
    int64_t bottom; /* next free index */
    int64_t split;  /* the owner's copy of public_split */
    int64_t limit;  /* bottom may grow to here without looking at top; 0: sealed */
    /* Copies from buffer_own: a push that went through it would wait for two more loads, one after the other. */
    int64_t mask;
    struct bz_slot *slots;
    struct bz_buffer *buffer_own; /* the owner's copy of buffer */

    /* Written by thieves (and the owner taking the last public job). */
    BZ_ALIGN_LINE struct bz_ai64 top;
    struct bz_a32
        hungry; /* set by a thief that found or left nothing public; cleared by the owner who publishes */

    /* Written by the owner, read by thieves. */
    BZ_ALIGN_LINE struct bz_ai64 public_split;
    struct {
        struct bz_buffer *v;
    } buffer;
};

/* Memory for `capacity` (a power of two) jobs. 0 or ENOMEM. */
int bz_deque_init(struct bz_deque *deque, int64_t capacity);
/* No owner and no thief may be left. */
void bz_deque_destroy(struct bz_deque *deque);

/* From now on it takes no job: every push finds no room, and the job is run in place. A new deque; for good. */
static inline void bz_deque_seal(struct bz_deque *deque) {
    deque->limit = 0;
}

/* Doubles the buffer, or finds that thieves made room. False: no memory; the caller runs the job itself. */
bool bz_deque_make_room(struct bz_deque *deque);
/* Moves the older half of the private part (at least one job) to the public part. True if anything was published:
 * the caller must tell the sleepers. */
bool bz_deque_publish(struct bz_deque *deque);
/* The public part's end of a pop: the private part is empty. */
struct bz_job *bz_deque_pop_public(struct bz_deque *deque);

/* Owner: whether thieves are hungry and there is something to give. */
static inline bool bz_deque_wanted(const struct bz_deque *deque) {
    /* relaxed: a hint; D9 is the look that counts */
    return deque->bottom != deque->split && bz_unlikely(bz_load_relaxed(&deque->hungry) != 0);
}

/* Owner: whether a push finds room without a look at top, or more memory. */
static inline bool bz_deque_has_room(const struct bz_deque *deque) {
    return deque->bottom < deque->limit;
}

/* Owner: adds a job at the private end, where there is room. */
BZ_INLINE void bz_deque_put(struct bz_deque *deque, struct bz_job *job) {
    int64_t b = deque->bottom;
    bz_store_relaxed(&deque->slots[b & deque->mask], job); /* relaxed: published by D1 */
    deque->bottom = b + 1;
}

/* Owner: adds a job at the private end. False when there is no room and no memory. Then, if bz_deque_wanted(), the
 * caller publishes. */
BZ_INLINE bool bz_deque_push(struct bz_deque *deque, struct bz_job *job) {
    if (bz_unlikely(!bz_deque_has_room(deque)) && !bz_deque_make_room(deque))
        return false;
    bz_deque_put(deque, job);
    return true;
}

/* Owner: makes all jobs public. */
BZ_INLINE void bz_deque_share(struct bz_deque *deque) {
    deque->split = deque->bottom;
    /* D1: pairs with D5 (the slots and the jobs' contents) */
    bz_store_release(&deque->public_split, deque->split);
}

/* Owner: adds a job and makes it and all before it public. */
BZ_INLINE bool bz_deque_push_public(struct bz_deque *deque, struct bz_job *job) {
    if (bz_unlikely(!bz_deque_push(deque, job)))
        return false;
    bz_deque_share(deque);
    return true;
}

/* Owner, before it turns to something else for long: makes all jobs public. True if any was not: the caller must tell the
 * sleepers. */
static inline bool bz_deque_publish_all(struct bz_deque *deque) {
    if (deque->split == deque->bottom)
        return false;
    bz_deque_share(deque);
    return true;
}

/* Owner: takes the newest job, or NULL. */
BZ_INLINE struct bz_job *bz_deque_pop(struct bz_deque *deque) {
    int64_t b = deque->bottom - 1;
    if (bz_unlikely(b < deque->split))
        return bz_deque_pop_public(deque);
    deque->bottom = b;
    return bz_load_relaxed(&deque->slots[b & deque->mask]); /* relaxed: own store */
}

/* Owner: number of jobs, exact but for steals under way. */
static inline int64_t bz_deque_size(const struct bz_deque *deque) {
    int64_t n = deque->bottom - bz_load_relaxed(&deque->top); /* relaxed: an estimate */
    return n > 0 ? n : 0;
}

/* Any thread: what a thief would find, negative for nothing; whether it would find something. Estimates. */
static inline int64_t bz_deque_public_size(const struct bz_deque *deque) {
    return bz_load_relaxed(&deque->public_split) - bz_load_relaxed(&deque->top); /* relaxed: an estimate */
}
static inline bool bz_deque_has_public(const struct bz_deque *deque) {
    return bz_deque_public_size(deque) > 0;
}

enum bz_steal { BZ_STEAL_TAKEN, BZ_STEAL_EMPTY, BZ_STEAL_RETRY, BZ_STEAL_REFUSED };

/* What a thief may take: called on the oldest job before it is claimed, so the job may be taken, run and its memory used
 * again at the same time. It must read atomically, only memory that stays mapped, and its answer counts only if the
 * claim then succeeds. */
typedef bool bz_may_take(const struct bz_job *job, const void *arg);

/* Owner: takes the newest of its jobs that may be taken, however deep it lies, or NULL: nobody else may be allowed to take
 * it. Those above it are taken out and put back: *moved, thieves may have missed them. NULL also without the memory to do
 * so. */
struct bz_job *bz_deque_pick(struct bz_deque *deque, bz_may_take *may_take, const void *arg, bool *moved);

/* Any thread: takes the oldest public job, and tells its index. With may_take, only if it agrees (else REFUSED). */
enum bz_steal bz_deque_steal_at(struct bz_deque *deque, bz_may_take *may_take, const void *arg,
                                struct bz_job **job, int64_t *index);
static inline enum bz_steal bz_deque_steal(struct bz_deque *deque, bz_may_take *may_take, const void *arg,
                                           struct bz_job **job) {
    int64_t index;
    return bz_deque_steal_at(deque, may_take, arg, job, &index);
}

#endif
