/* A domain: workers that steal only from each other. Teams and pools are domains. */
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
    /* Read by each push. */
    BZ_ALIGN_LINE struct bz_counters counters;
    /* S1 and S2 are full fences; with several workers no job is private. Constant in runs. */
    bool full_fences;

    /* slots[0 .. count) take part; written by the owner of the domain. */
    BZ_ALIGN_LINE struct bz_a32 count;
    uint32_t capacity; /* constant */
    bool host;         /* of a host thread outside all regions; constant */
    bool grouped;      /* its workers arrive at barriers in groups (barrier.h); constant in runs */
    uint64_t root;     /* shared by nested domains; constant */
    uint64_t spin_ns;  /* of an idle worker; constant in runs */
    /* `capacity` entries, NULL until entered. */
    struct bz_worker_slot *slots;
    /* A bit for each slot: its worker has queued a job (bz_deque_mark). */
    struct bz_a64 *queued;
    /* For each 32 slots: advanced by wakers, read by workers before they sleep. */
    struct bz_a32 *eventcounts;

    struct bz_injector injector;
    struct bz_pqueue pqueue;

    /* Threads from outside that access it: by them, read by the thread that frees it. */
    struct bz_a32 external;

    /* Of the child of a fork; constant. */
    bool alone;    /* of a team's threads one is left */
    bool orphaned; /* jobs that others had taken never end */

    /* The JEC of the last announcement that one S2 served, or 1. By workers before they sleep. */
    struct bz_a32 fenced;

    struct bz_domain *next, *previous; /* of all domains; under the list's lock */

    /* A pool's: starts a thread that is counted as a sleeper. False: none is left. Constant. */
    bool (*start)(struct bz_domain *domain);
};

/* Room for `capacity` workers (1 to BZ_DOMAIN_MAX). 0 or ENOMEM. */
int bz_domain_init(struct bz_domain *domain, uint32_t capacity, uint64_t spin_ns);
/* In the child of a fork: all domains forget the lost threads; only `self` remains of the workers. */
void bz_domain_forget(void);
void bz_domain_keep_only(struct bz_domain *domain, struct bz_worker *self);
static inline bool bz_domain_is_alone(const struct bz_domain *domain) {
    return domain->alone;
}
void bz_domain_destroy(struct bz_domain *domain);

/* By the owner of the domain. */
void bz_domain_enter(struct bz_domain *domain, struct bz_worker *worker);

/* Changes the count. The domain is quiet, and workers beyond have left their last wait. */
void bz_domain_limit(struct bz_domain *domain, uint32_t count);

/* After jobs became visible: wakes a sleeper, unless a worker searches. `self`: the poster, or NULL. */
void bz_domain_posted_slow(struct bz_domain *domain, struct bz_worker *self);

/* S1, of a poster, and S2, of a worker that may sleep. */
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

/* Whether thieves expose private jobs. */
static inline bool bz_domain_may_expose(const struct bz_domain *domain) {
    return !bz_load_relaxed(&bz_fence_symmetric) && !domain->full_fences; /* relaxed: as light fences do */
}

/* After the store that made work for any worker visible. One relaxed load if none sleeps. */
static inline void bz_domain_posted(struct bz_domain *domain, struct bz_worker *self) {
    bz_domain_fence_poster(domain); /* S1: either we see the announcement or the sleeper our job */
    if (bz_unlikely(!bz_counters_all_awake(bz_load_relaxed(&domain->counters.word))))
        bz_domain_posted_slow(domain, self);
}

void bz_domain_chain_wake(struct bz_domain *domain, struct bz_worker *self);

/* A worker can be started that could not when jobs became visible: starts or wakes one. Cost: a barrier on all threads. */
void bz_domain_recheck(struct bz_domain *domain, struct bz_worker *self);

/* While a worker searches (bz_counters_add_inactive), posters wake no sleeper: the last one to stop wakes one if work is
 * left. */
static inline void bz_domain_stop_searching(struct bz_domain *domain, struct bz_worker *self) {
    uint64_t word = bz_counters_sub_inactive(&domain->counters);
    unsigned sleeping = bz_counters_sleeping(word);
    if (bz_unlikely(sleeping > 0 && bz_counters_inactive(word) <= sleeping))
        bz_domain_chain_wake(domain, self);
}

/* After the caller's fence (S4): wakes one that sleeps or is about to. */
bool bz_domain_wake_if_asleep(struct bz_worker *worker);

static inline struct bz_a32 *bz_domain_eventcount(const struct bz_domain *domain, uint32_t index) {
    return &domain->eventcounts[index / 32];
}
static inline uint32_t bz_domain_event_bit(uint32_t index) {
    return UINT32_C(1) << index % 32;
}
/* Wakes the sleepers in `bits`, whose latches are set. Cost: a system call. */
void bz_domain_advance(struct bz_a32 *eventcount, uint32_t bits);

/* The same for slots[0 .. count), except `self` (or NULL). True: any was asleep. */
bool bz_domain_wake_all(const struct bz_domain *domain, const struct bz_worker *self, uint32_t count);

/* By a worker of the domain. Wakes a sleeper unless a worker searches. */
void bz_domain_put(struct bz_domain *domain, struct bz_worker *self, struct bz_pqueue_item *item);

/* Any thread. Wakes all sleepers, since the job may be for one of them alone. A caller from outside has entered before the
 * job's work could end without it. */
void bz_domain_put_from_outside(struct bz_domain *domain, struct bz_pqueue_item *item);

/* In the child of a fork: the same before bz_domain_forget. */
void bz_domain_put_in_child(struct bz_domain *domain, struct bz_pqueue_item *item);

/* Any thread. NULL: none that may_take allows. */
static inline struct bz_job *bz_domain_take_put(struct bz_domain *domain, bz_may_take *may_take) {
    return bz_pqueue_take(&domain->pqueue, may_take, NULL);
}

static inline void bz_domain_enter_external(struct bz_domain *domain) {
    /* relaxed: the thread that frees the domain acquires what this one does next */
    bz_fetch_add_relaxed(&domain->external, 1);
}
/* The domain may be gone afterwards. */
static inline void bz_domain_leave_external(struct bz_domain *domain) {
    bz_fetch_sub_release(&domain->external, 1); /* W3: pairs with W4 */
}
/* Before its workers are freed, when no external thread enters any more. */
void bz_domain_wait_external(struct bz_domain *domain);

/* After an event that any of slots[0 .. count), except `self`, may wait for. One relaxed load if none sleeps. */
void bz_domain_wake_first_slow(struct bz_domain *domain, struct bz_worker *self, uint32_t count);
static inline void bz_domain_wake_first(struct bz_domain *domain, struct bz_worker *self, uint32_t count) {
    bz_domain_fence_poster(domain); /* S1: either we see the announcement or the sleeper the event */
    if (bz_unlikely(!bz_counters_all_awake(bz_load_relaxed(&domain->counters.word))))
        bz_domain_wake_first_slow(domain, self, count);
}

void bz_domain_inject(struct bz_domain *domain, struct bz_inject_node *node);

/* ---- hints; relaxed, all ---- */

static inline bool bz_domain_others_search(const struct bz_domain *domain) {
    uint64_t word = bz_load_relaxed(&domain->counters.word);
    return bz_counters_inactive(word) > bz_counters_sleeping(word);
}
static inline uint32_t bz_domain_put_count(const struct bz_domain *domain) {
    return bz_pqueue_count(&domain->pqueue);
}

/* ---- searching for jobs ---- */

/* A walk over the workers that ever queued a job, from an index on and around. */
struct bz_walk {
    const struct bz_domain *domain;
    uint32_t start, count;
    uint32_t passed; /* slots */
};

static inline struct bz_walk bz_walk_begin(const struct bz_domain *domain, uint32_t start, uint32_t count) {
    return (struct bz_walk){domain, start, count, 0};
}

/* NULL: that was all. */
static inline struct bz_worker *bz_walk_next(struct bz_walk *walk) {
    struct bz_worker *worker = NULL;
    while (!worker && walk->passed < walk->count) {
        uint32_t at = walk->start + walk->passed;
        at = at < walk->count ? at : at - walk->count;
        uint64_t bits =
            bz_load_relaxed(&walk->domain->queued[at / 64]) >> at % 64; /* relaxed: bz_deque_mark */
        uint32_t left = walk->count - at, next = bits != 0 ? (uint32_t)__builtin_ctzll(bits) : 64 - at % 64;
        walk->passed += next < left ? next : left;
        if (bits != 0 && next < left && walk->passed++ < walk->count)
            worker = bz_load_acquire(&walk->domain->slots[at + next]); /* W2: pairs with W1 */
    }
    return worker;
}

/* Whether each unit that began has ended (bz_quiet_pair). */
bool bz_domain_quiet(const struct bz_domain *domain);

#endif
