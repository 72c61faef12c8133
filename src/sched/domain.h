/* A domain: a set of workers that steal only from each other, with the sleep counters and the injector that they share.
 * Teams and native pools are domains. */
#ifndef BZ_DOMAIN_H
#define BZ_DOMAIN_H

#include <stddef.h>

#include "base/atomic.h"
#include "base/compiler.h"
#include "sched/counters.h"
#include "sched/inject.h"
#include "sched/pqueue.h"
#include "wait/fence.h"

struct bz_worker;

struct bz_worker_slot {
    struct bz_worker *v;
};

struct bz_domain {
    /* Read by every push, written when workers start or stop searching. */
    BZ_ALIGN_LINE struct bz_counters counters;
    /* S1 and S2 are full fences, and no worker of several has private jobs. Constant while workers run. */
    bool full_fences;

    /* workers[0 .. count) may be stolen from, and meet; written by the owner of the domain */
    BZ_ALIGN_LINE struct bz_a32 count;
    uint32_t capacity; /* constant */
    bool host;         /* of a host thread outside of all regions: no team; constant */
    /* The same in domains that are nested in one another, and in no others, ever; constant. */
    uint64_t root;
    uint64_t spin_ns; /* how long an idle worker spins before it parks; constant while workers run */
    /* `capacity` entries; NULL until entered; an entry never changes while in use. */
    struct bz_worker_slot *slots;
    /* Behind the slots, a bit for each: whether a worker at that index has ever queued a job. Set by the worker, before its
     * first job (bz_deque_mark), read by searching threads. */
    struct bz_a64 *queued;
    /* Behind these an eventcount for each 32 slots: advanced by a thread that has set latches of sleepers, read by workers
     * that are about to sleep. */
    struct bz_a32 *eventcounts;

    struct bz_injector injector;
    struct bz_pqueue pqueue;

    /* Threads from outside that may touch the domain after its workers are done with their part: raised and lowered by
     * them, awaited by the thread that frees it. */
    struct bz_a32 external;

    /* In the child of a fork, constant from then on. */
    bool alone;    /* one thread is left of a team's */
    bool orphaned; /* a thread was inside: jobs that others had taken from it never end */

    /* The JEC of an announcement whose worker has fenced (S2), or 1: of no announcement. Written and read by workers that
     * are about to sleep. */
    struct bz_a32 fenced;

    /* Clock when an event for several last met sleepers: written by the thread that made it happen, read by its waiters. A
     * hint. */
    struct bz_a64 last_wake;

    struct bz_domain *next, *previous; /* all domains; under the list's lock */

    /* Starts one more of the threads that the counters show as sleepers before they exist (a pool's). False: no such thread
     * is left. NULL: all workers exist. Constant. */
    bool (*start)(struct bz_domain *domain);
};

/* Room for `capacity` workers (1 to BZ_DOMAIN_MAX). 0 or ENOMEM. spin_ns as in the struct. */
int bz_domain_init(struct bz_domain *domain, uint32_t capacity, uint64_t spin_ns);
/* In the child of a fork: drops what lost threads were about to do to domains. */
void bz_domain_forget(void);
/* In the child of a fork: only `self` remains of the domain's workers. */
void bz_domain_keep_only(struct bz_domain *domain, struct bz_worker *self);
/* Whether bz_domain_keep_only was called. Then only queued jobs keep the domain from being quiet. */
static inline bool bz_domain_is_alone(const struct bz_domain *domain) {
    return domain->alone;
}
/* No worker may be left in it. */
void bz_domain_destroy(struct bz_domain *domain);

/* Enters a worker at its index (owner of the domain only; visible to thieves at once). */
void bz_domain_enter(struct bz_domain *domain, struct bz_worker *worker);

/* Only workers[0 .. count) take part from now on; all of them are entered, the domain is quiet, and those beyond have left
 * their last wait. */
void bz_domain_limit(struct bz_domain *domain, uint32_t count);

/* Wakes a sleeper for jobs that are visible, in the deque of `self` (or NULL), unless a worker searches already. `word` is
 * what bz_counters_post returned after them. */
void bz_domain_wake_for(struct bz_domain *domain, struct bz_worker *self, uint64_t word);
/* The same for bz_domain_posted. */
void bz_domain_posted_slow(struct bz_domain *domain, struct bz_worker *self);

/* S1, the side of a poster, and S2, that of a worker that may sleep. In a team that sleeps at each wait S2 is hot. */
static inline void bz_domain_fence_poster(const struct bz_domain *domain) {
    if (bz_unlikely(domain->full_fences))
        bz_fence_seq_cst(); /* S1: pairs with S2 */
    else
        bz_fence_light(); /* S1: pairs with S2 */
}
static inline void bz_domain_fence_sleeper(const struct bz_domain *domain) {
    if (domain->full_fences)
        bz_fence_seq_cst(); /* S2: pairs with S1 */
    else
        bz_fence_heavy(); /* S2: pairs with S1 */
}

/* Whether thieves may expose a worker's private jobs (deque.md, "Exposing from outside"). */
static inline bool bz_domain_may_expose(const struct bz_domain *domain) {
    return !bz_load_relaxed(&bz_fence_symmetric) && !domain->full_fences; /* relaxed: as light fences do */
}

/* Jobs became visible in the deque of `self` (a worker of the domain), or a unit of work for any worker. Follows the store
 * that made it visible. One relaxed load when no worker sleeps. */
static inline void bz_domain_posted(struct bz_domain *domain, struct bz_worker *self) {
    bz_domain_fence_poster(domain); /* S1: either we see the announcement or the sleeper our job */
    if (bz_unlikely(!bz_counters_all_awake(bz_load_relaxed(&domain->counters.word))))
        bz_domain_posted_slow(domain, self);
}

/* The slow half of bz_domain_stop_looking: chains the wake if there is work and no worker searches. */
void bz_domain_chain_wake(struct bz_domain *domain, struct bz_worker *self);

/* A worker or thread became available that was not when jobs became visible, in any deque: wakes or starts one if there are
 * jobs. Follows the change of the counters that says so. Cost: a barrier on all threads. */
void bz_domain_offer(struct bz_domain *domain, struct bz_worker *self);

/* `self` begins to search for work; and stops, because it found some or its wait is over. While it searches, posters do not
 * wake the sleepers: the last worker to stop wakes one if work is left. */
static inline void bz_domain_start_looking(struct bz_domain *domain) {
    bz_counters_add_inactive(&domain->counters);
}
static inline void bz_domain_stop_looking(struct bz_domain *domain, struct bz_worker *self) {
    uint64_t word = bz_counters_sub_inactive(&domain->counters);
    unsigned sleeping = bz_counters_sleeping(word);
    if (bz_unlikely(sleeping > 0 && bz_counters_inactive(word) <= sleeping))
        bz_domain_chain_wake(domain, self);
}

/* Wakes a worker that sleeps or is about to; skips an active one. True if it will search again. The caller's fence (S4)
 * precedes this check of the worker. */
bool bz_domain_wake_if_asleep(struct bz_worker *worker);

/* Where the worker with that index sleeps, and the bit that names it there. */
static inline struct bz_a32 *bz_domain_eventcount(const struct bz_domain *domain, uint32_t index) {
    return &domain->eventcounts[index / 32];
}
static inline uint32_t bz_domain_event_bit(uint32_t index) {
    return UINT32_C(1) << index % 32;
}
/* Wakes the sleepers in `bits`, whose latches the caller has set. Cost: one system call. */
void bz_domain_advance(struct bz_a32 *eventcount, uint32_t bits);

/* The same for workers[0 .. count), except `self`, or NULL. True if any was asleep. */
bool bz_domain_wake_all(const struct bz_domain *domain, const struct bz_worker *self, uint32_t count);

/* A job for the priority queue, from a worker of the domain. Wakes a sleeper unless a worker searches already. */
void bz_domain_put(struct bz_domain *domain, struct bz_worker *self, struct bz_pqueue_item *item);

/* A job for the priority queue from any thread: wakes all sleepers, since it may be for one of them only. A thread that is
 * no worker of the domain is inside it as an external one meanwhile: from before the job's work could end without it, until
 * it has posted. */
void bz_domain_put_from_outside(struct bz_domain *domain, struct bz_pqueue_item *item);

/* In the child of a fork, while it has one thread: the same, before bz_domain_forget. */
void bz_domain_put_in_child(struct bz_domain *domain, struct bz_pqueue_item *item);

/* A job of the priority queue that the filter allows, for a thread that is no worker of the domain. NULL: no such job. */
static inline struct bz_job *bz_domain_take_from_outside(struct bz_domain *domain, bz_may_take *may_take,
                                                         const void *arg) {
    return bz_pqueue_count(&domain->pqueue) == 0 ? NULL : bz_pqueue_take(&domain->pqueue, may_take, arg);
}

static inline void bz_domain_enter_external(struct bz_domain *domain) {
    /* relaxed: the thread that frees the domain sees it, since it acquires what this one does next */
    bz_fetch_add_relaxed(&domain->external, 1);
}
/* The domain may be gone afterwards. */
static inline void bz_domain_leave_external(struct bz_domain *domain) {
    bz_fetch_sub_release(&domain->external, 1); /* W3: pairs with W4 */
}
/* Before its workers are freed: no external thread has a reason to enter any more. */
void bz_domain_wait_external(struct bz_domain *domain);

/* Wakes the sleepers of workers[0 .. count), except `self`, after an event that any of them may wait for. One relaxed load
 * when no worker has announced that it may sleep. */
void bz_domain_wake_first_slow(struct bz_domain *domain, struct bz_worker *self, uint32_t count);
static inline void bz_domain_wake_first(struct bz_domain *domain, struct bz_worker *self, uint32_t count) {
    bz_domain_fence_poster(domain); /* S1: either we see the announcement or the sleeper the event */
    if (bz_unlikely(!bz_counters_all_awake(bz_load_relaxed(&domain->counters.word))))
        bz_domain_wake_first_slow(domain, self, count);
}

/* A job from outside the domain: any thread. */
void bz_domain_inject(struct bz_domain *domain, struct bz_inject_node *node);

/* ---- hints of what other workers do, for any thread that the domain outlives; relaxed, all ---- */

/* Whether a worker searches for any work, and does not sleep. */
static inline bool bz_domain_others_look(const struct bz_domain *domain) {
    uint64_t word = bz_load_relaxed(&domain->counters.word);
    return bz_counters_inactive(word) > bz_counters_sleeping(word);
}
/* Jobs in the priority queue. */
static inline uint32_t bz_domain_put_count(const struct bz_domain *domain) {
    return bz_pqueue_count(&domain->pqueue);
}

/* ---- searching for jobs ----
 *
 * In a team of thousands all search, and few ever have jobs: a search skips workers that never queued one. Cost: that of
 * the others, and a 64th of the skipped ones. */

/* A walk over the workers that have ever queued a job, from an index on and around. */
struct bz_walk {
    const struct bz_domain *domain;
    uint32_t start, count;
    uint32_t word, left; /* the current word; the words to come, the first one for a second time */
    uint64_t bits;       /* the rest of that word */
};

static inline uint64_t bz_walk_bits(const struct bz_walk *walk) {
    return bz_load_relaxed(&walk->domain->queued[walk->word]); /* relaxed: see bz_deque_mark */
}

static inline struct bz_walk bz_walk_begin(const struct bz_domain *domain, uint32_t start, uint32_t count) {
    struct bz_walk walk = {domain, start, count, start / 64, (count + 63) / 64, 0};
    walk.bits = bz_walk_bits(&walk) & UINT64_MAX << start % 64;
    return walk;
}

/* The next one; NULL: that was all. */
static inline struct bz_worker *bz_walk_next(struct bz_walk *walk) {
    struct bz_worker *worker = NULL;
    while (!worker) {
        while (walk->bits == 0) {
            if (walk->left == 0)
                return NULL;
            walk->left--;
            walk->word = (walk->word + 1) * 64 < walk->count ? walk->word + 1 : 0;
            walk->bits = bz_walk_bits(walk);
            if (walk->left == 0)
                walk->bits &= ~(UINT64_MAX << walk->start % 64);
        }
        uint32_t at = walk->word * 64 + (uint32_t)__builtin_ctzll(walk->bits);
        walk->bits &= walk->bits - 1;
        if (at < walk->count)
            worker = bz_load_acquire(&walk->domain->slots[at]); /* W2: pairs with W1 */
    }
    return worker;
}

/* Whether every unit that began has ended; quiet.h says when that is meaningful. */
bool bz_domain_quiet(const struct bz_domain *domain);

#endif
