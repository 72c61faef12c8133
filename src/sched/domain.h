/* A domain: a set of workers that steal only from each other, with the sleep counters and the injector that they share.
 * A team is a domain, a native pool is one. */
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
    /* Read by every push, written when workers start or stop looking. */
    BZ_ALIGN_LINE struct bz_counters counters;
    /* S1 and S2 are full fences, no worker with others beside it has private jobs, and all sleep on eventcounts. Constant
     * while workers run. */
    bool full_fences;

    BZ_ALIGN_LINE struct bz_a32
        count; /* workers[0 .. count) may be stolen from, and meet; written by whoever enters workers */
    uint32_t capacity; /* constant */
    bool host;         /* of a host thread outside of all regions: no team; constant */
    /* The same for domains that are nested in one another, and for no others, ever; constant. */
    uint64_t root;
    uint64_t spin_ns; /* how long an idle worker spins before it parks; constant while workers run */
    /* `capacity` entries; NULL until entered; an entry never changes while in use. */
    struct bz_worker_slot *slots;
    /* Behind the slots, a bit for each: whether a worker at that index has ever queued a job; and behind these a bit for
     * each 64 of them: whether one has. Both set by the worker, before its first job (bz_deque_mark), read by whoever looks
     * for jobs. */
    struct bz_a64 *queued, *queued_groups;
    /* Behind these an eventcount for each 32 slots: advanced by a thread that has set latches of sleepers, read by those who
     * are about to sleep. */
    struct bz_a32 *eventcounts;

    struct bz_injector injector;
    struct bz_pqueue pqueue;

    /* Threads from outside that may touch the domain, although its workers may be done with what they came for: raised and
     * lowered by them, waited for by whoever frees it. */
    struct bz_a32 external;

    /* In the child of a fork, constant from then on. */
    bool alone;    /* one thread is left of a team's */
    bool orphaned; /* a thread was inside: what others had taken from it never ends */

    /* The JEC that somebody announced and fenced for (S2), or 1: nobody has. Written and read by those who are about to
     * sleep. */
    struct bz_a32 fenced;

    /* Clock when an event for several last met sleepers: written by whoever brought it about, read by those who waited
     * for it. A hint. */
    struct bz_a64 last_wake;

    struct bz_domain *next, *previous; /* all domains; under the list's lock */

    /* Starts one more of the threads that the counters show as sleepers though they do not exist yet (a pool's). False:
     * there is none. NULL: all workers exist. Constant. */
    bool (*start)(struct bz_domain *domain);
};

/* Room for `capacity` workers (1 to BZ_DOMAIN_MAX). 0 or ENOMEM. spin_ns as in the struct. */
int bz_domain_init(struct bz_domain *domain, uint32_t capacity, uint64_t spin_ns);
/* In the child of a fork: what threads that are not here were about to do to domains, nobody waits for. */
void bz_domain_forget(void);
/* In the child of a fork: of the domain's workers only `self` goes on. */
void bz_domain_keep_only(struct bz_domain *domain, struct bz_worker *self);
/* Whether that has been: what is not queued does not keep it from being quiet. */
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

/* Wakes a sleeper for jobs that are visible, in the deque of `self` (or NULL), unless somebody looks already. `word` is what
 * bz_counters_post returned after them. */
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

/* Whether thieves may expose what a worker keeps private (deque.md, "Exposing from outside"). */
static inline bool bz_domain_may_expose(const struct bz_domain *domain) {
    return !bz_load_relaxed(&bz_fence_symmetric) && !domain->full_fences; /* relaxed: as light fences do */
}

/* Jobs became visible in the deque of `self` (a worker of the domain), or a unit of work for anyone. Must follow the
 * store that made it visible. One relaxed load when nobody sleeps. */
static inline void bz_domain_posted(struct bz_domain *domain, struct bz_worker *self) {
    bz_domain_fence_poster(domain); /* S1: either we see the announcement or the sleeper our job */
    if (bz_unlikely(!bz_counters_all_awake(bz_load_relaxed(&domain->counters.word))))
        bz_domain_posted_slow(domain, self);
}

/* The slow half of bz_domain_stop_looking: chains the wake if there is work that nobody looks for. */
void bz_domain_chain_wake(struct bz_domain *domain, struct bz_worker *self);

/* Somebody can be had for jobs from now on who could not when they became visible, in whatever deque: wakes or starts one if
 * there are any. After the change of the counters that says so. Cost: a barrier on all threads. */
void bz_domain_offer(struct bz_domain *domain, struct bz_worker *self);

/* `self` begins to look for work, and stops because it found some or need not any more. While it looks, posters leave the
 * sleepers alone: the last one to stop wakes somebody if there is work left. */
static inline void bz_domain_start_looking(struct bz_domain *domain) {
    bz_counters_add_inactive(&domain->counters);
}
static inline void bz_domain_stop_looking(struct bz_domain *domain, struct bz_worker *self) {
    uint64_t word = bz_counters_sub_inactive(&domain->counters);
    unsigned sleeping = bz_counters_sleeping(word);
    if (bz_unlikely(sleeping > 0 && bz_counters_inactive(word) <= sleeping))
        bz_domain_chain_wake(domain, self);
}

/* Wakes a worker that sleeps or is about to; leaves an active one alone. True if it will look again. The caller's fence
 * (S4) orders what it did before this look at the worker. */
bool bz_domain_wake_if_asleep(struct bz_worker *worker);

/* Where the worker with that index sleeps (full_fences), and the bit that names it there. */
static inline struct bz_a32 *bz_domain_eventcount(const struct bz_domain *domain, uint32_t index) {
    return &domain->eventcounts[index / 32];
}
static inline uint32_t bz_domain_event_bit(uint32_t index) {
    return UINT32_C(1) << index % 32;
}
/* Wakes the sleepers in `bits`, whose latches the caller has set. Cost: one system call. */
void bz_domain_advance(struct bz_a32 *eventcount, uint32_t bits);

/* The same for workers[0 .. count), but for `self`, or NULL. Of many the first of each group that is parked wakes the
 * others, unless they sleep on eventcounts. Whether any was asleep. */
bool bz_domain_wake_all(struct bz_domain *domain, const struct bz_worker *self, uint32_t count);

/* `self`, which has been parked, wakes its group, if whoever woke it has left that to it. */
void bz_domain_wake_group(struct bz_domain *domain, struct bz_worker *self);

/* A job for the priority queue, from a worker of the domain. Wakes a sleeper unless somebody looks already. */
void bz_domain_put(struct bz_domain *domain, struct bz_worker *self, struct bz_pqueue_item *item);

/* A job for the priority queue from any thread: wakes all who sleep, since it may be for one of them only. A thread
 * that is no worker of the domain is inside it as an external one meanwhile: from before the job's work could be over
 * without it, to when it has posted. */
void bz_domain_put_from_outside(struct bz_domain *domain, struct bz_pqueue_item *item);

/* In the child of a fork, while it has one thread: the same, before bz_domain_forget. */
void bz_domain_put_in_child(struct bz_domain *domain, struct bz_pqueue_item *item);

/* A job of the priority queue that the filter allows, for a thread that is no worker of the domain. NULL: there is none. */
static inline struct bz_job *bz_domain_take_from_outside(struct bz_domain *domain, bz_may_take *may_take,
                                                         const void *arg) {
    return bz_pqueue_count(&domain->pqueue) == 0 ? NULL : bz_pqueue_take(&domain->pqueue, may_take, arg);
}

static inline void bz_domain_enter_external(struct bz_domain *domain) {
    /* relaxed: seen by the thread that frees the domain because it acquires what this one does next */
    bz_fetch_add_relaxed(&domain->external, 1);
}
/* The domain may be gone afterwards. */
static inline void bz_domain_leave_external(struct bz_domain *domain) {
    bz_fetch_sub_release(&domain->external, 1); /* W3: pairs with W4 */
}
/* Before its workers are freed: nothing is left in it to come for. */
void bz_domain_wait_external(struct bz_domain *domain);

/* Wakes those of workers[0 .. count) that sleep, but for `self`: what any of them may wait for has come about before. One
 * relaxed load when nobody has announced that it may sleep. */
void bz_domain_wake_first_slow(struct bz_domain *domain, struct bz_worker *self, uint32_t count);
static inline void bz_domain_wake_first(struct bz_domain *domain, struct bz_worker *self, uint32_t count) {
    bz_domain_fence_poster(domain); /* S1: either we see the announcement or the sleeper what came */
    if (bz_unlikely(!bz_counters_all_awake(bz_load_relaxed(&domain->counters.word))))
        bz_domain_wake_first_slow(domain, self, count);
}

/* A job from outside the domain: any thread. */
void bz_domain_inject(struct bz_domain *domain, struct bz_inject_node *node);

/* ---- hints of what the others do, for any thread that the domain outlives; relaxed, all ---- */

/* Whether one looks for any, and does not sleep. */
static inline bool bz_domain_others_look(const struct bz_domain *domain) {
    uint64_t word = bz_load_relaxed(&domain->counters.word);
    return bz_counters_inactive(word) > bz_counters_sleeping(word);
}
/* Jobs in the priority queue. */
static inline uint32_t bz_domain_put_count(const struct bz_domain *domain) {
    return bz_pqueue_count(&domain->pqueue);
}

/* ---- looking for jobs ----
 *
 * In a team of thousands everybody looks, and hardly anybody has jobs: whoever has never queued any is not looked at. Cost:
 * that of those who have, and a 4096th of the others. */

/* A walk over the workers that have ever queued a job, from an index on and around. */
struct bz_walk {
    const struct bz_domain *domain;
    uint32_t start, count;
    uint32_t word, left; /* that it is at; those that are to come, the first one for a second time */
    uint64_t bits;       /* what is left of it */
};

static inline uint64_t bz_walk_bits(const struct bz_walk *walk) {
    return bz_load_relaxed(&walk->domain->queued[walk->word]); /* relaxed: see bz_deque_mark */
}

/* Of more than 64 workers: on to the next bits that are not 0. False: there are none. */
bool bz_walk_skip(struct bz_walk *walk);

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
            if (walk->left == 0 || (bz_unlikely(walk->count > 64) && !bz_walk_skip(walk)))
                return NULL;
            walk->left--;
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

/* Whether nothing that was begun is unended; see quiet.h for when that is meaningful. */
bool bz_domain_quiet(const struct bz_domain *domain);

#endif
