/* A worker: a thread's role in one domain. bz_self is the innermost domain's. */
#ifndef BZ_WORKER_H
#define BZ_WORKER_H

#include "base/rng.h"
#include "sched/deque.h"
#include "sched/domain.h"
#include "sched/latch.h"
#include "sched/slab.h"
#include "wait/placement.h"
#include "wait/spin.h"

/* By the owner, read by all: relaxed, statistics. */
struct bz_worker_stats {
    unsigned turns;     /* chances to take injected jobs first; owner only */
    struct bz_a64 jobs; /* run by bz_worker_run */
    struct bz_a64 stolen;
    struct bz_a64 tries; /* searches of other deques */
    struct bz_a64 parks;
    struct bz_a64 wakes;    /* of other workers */
    struct bz_a64 injected; /* jobs taken from the injector */
};

/* A stolen job's victim, and its index there. */
struct bz_theft {
    struct bz_worker *robbed; /* NULL: not stolen */
    int64_t index;
};

/* The job that runs. */
struct bz_running {
    struct bz_theft theft; /* the last one (bz_worker_take_theft); owner only */
    /* A job that it is about to run without a theft (cilk.c); owner only. */
    const struct bz_job *in_place;
    /* The job is unrelated to those below it on the stack. Written by the owner (help.c), read by waiting threads. */
    struct bz_a32 helping;
};

/* A worker's views of reducers (views.h); owner only. */
struct bz_worker_views {
    struct bz_view *top;        /* NULL: none */
    struct bz_view *aside;      /* those after the job that it just popped */
    int64_t aside_index;        /* of that job */
    int64_t done_from, done_to; /* these jobs are done, if the deque ends at done_to */
};

/* Its coroutines (coroutine.h); owner only. */
struct bz_worker_row {
    struct bz_coroutines *coroutines; /* NULL: it never had two */
    unsigned suspended;               /* all but the running one */
};

/* Of its thread; owner only. */
struct bz_worker_stack {
    uintptr_t limit;       /* lowest address that the thread should use */
    struct bz_stack *more; /* kept for bz_stack_more, or NULL */
};

/* A thread that is a solo worker for a while (adopt.h); owner only. */
struct bz_isolation {
    struct bz_worker *worker; /* that solo worker, kept between uses */
    struct bz_worker *from;   /* of the solo worker, in use: the thread's usual one */
};

/* Its sleep (sleep.h). */
struct bz_sleeper {
    struct bz_core_latch latch;
    struct bz_aflag filtered; /* it waits with a filter: by the owner, a hint to wakers */
    bool stole;               /* a job, since its last heavy fence on the way to sleep; owner only */
    /* With a predictor, clock of the last wake: by the waker, a hint to the owner. */
    struct bz_a64 woken;
};

/* Units of work. The domain is quiet when the sums are equal; the reader sums all `ended`, then all `begun`. By the
 * owner only. Proof: barrier.md. */
struct bz_quiet_pair {
    struct bz_a64 begun;
    struct bz_a64 ended;
    uint64_t last_reported; /* `begun` at its last arrival at a meeting; owner only */
};

/* Why its thread sleeps or spins long, for debuggers (compat/gdb). Written by the owner. */
struct bz_awaited {
    const char *what; /* NULL: it does neither */
    const void *on;   /* the lock or future */
};

struct bz_worker {
    struct bz_deque deque; /* first: blitz/cilk.h relies on its place */

    /* Owner's line. */
    BZ_ALIGN_LINE void *context;    /* of the layer above; owner only */
    void (*release)(void *context); /* when the worker ends, or NULL */
    struct bz_domain *domain;       /* constant while other threads can see the worker */
    struct bz_team *inner;          /* for nested regions, kept between them; owner only */
    struct bz_running running;
    struct bz_worker_row row;
    unsigned index; /* in the domain; constant */
    /* Of its next wait; by the owner, or by its team's leader (thread_team.c). */
    enum bz_spin_policy spin_policy;
    unsigned handed_over; /* successive waits that a yield ended; owner only */
    uint8_t doublings;    /* for its next wait (spin.h); owner only */
    uint8_t hold_skips; /* opportunities to pass up before it keeps its CPU at a barrier again; owner only */
    struct bz_awaited awaited;
    struct bz_rng rng; /* owner only */
    struct bz_worker_stack stack;
    struct bz_worker_views views;
    struct bz_quiet_pair quiet;
    struct bz_worker_stats stats;
    struct bz_slabs slabs; /* memory for what it pushes */

    /* Written by wakers. */
    BZ_ALIGN_LINE struct bz_sleeper sleeper;
    /* Of its waits, or NULL. Constant, read by wakers; its contents are the owner's. */
    struct bz_predictor *predictor;
    struct bz_placement placement;
    struct bz_isolation isolation;

    /* Of the first worker of a barrier's group: pending count (16 bits), arrivals (16). Written by the group's workers. */
    BZ_ALIGN_LINE struct bz_a32 group_word;
};

/* The calling thread's worker, or NULL, and a copy of its context. */
extern _Thread_local struct bz_worker *bz_self __attribute__((tls_model("initial-exec")));
extern _Thread_local void *bz_context __attribute__((tls_model("initial-exec")));

static inline void bz_become(struct bz_worker *worker) {
    bz_self = worker;
    bz_context = worker ? worker->context : NULL;
}

/* Whether a thread with this worker (NULL: none) is outside of all pools and regions. */
static inline bool bz_is_outside(const struct bz_worker *worker) {
    return !worker || worker->domain->host;
}

static inline void bz_note_wait(const char *what, const void *on) {
    if (bz_self)
        bz_self->awaited = (struct bz_awaited){what, on};
}

/* Does not enter the domain. */
void bz_worker_init(struct bz_worker *worker, struct bz_domain *domain, unsigned index);
/* But for its isolated worker (adopt.h). */
void bz_worker_destroy(struct bz_worker *worker);
/* Its first part: releases the context. */
void bz_worker_retire(struct bz_worker *worker);

/* As a floor: coroutines have run since, so the worker asks about each job. */
#define BZ_FLOOR_MIXED INT64_MAX

/* Which jobs a waiting worker may run. */
struct bz_filter {
    int64_t floor;         /* own jobs below this index stay (0: none), or BZ_FLOOR_MIXED */
    bz_may_take *may_take; /* for other jobs, by the rules of deque.h; NULL: any */
    const void *arg;       /* for may_take */
    bool until_over;       /* may_take allows all until the wait is over: posters rely on this worker */
    /* Steal only from this worker, and take nothing from the priority queue; NULL: from all. */
    struct bz_worker *victim;
    bool own_only; /* take only own jobs */
    bool injected; /* may take injected jobs */
    bool oldest;   /* bz_worker_find_anywhere: its own oldest job first */
};

/* NULL: none that the filter allows. */
struct bz_job *bz_worker_find(struct bz_worker *self, const struct bz_filter *filter);

/* The same where suspended coroutines must allow the job as well. Searches its whole deque. */
struct bz_job *bz_worker_find_anywhere(struct bz_worker *self, const struct bz_filter *filter);

/* After a failed search: exposes jobs of another worker; of all where the filter may refuse them. True: search
 * again. */
bool bz_worker_expose_others(struct bz_worker *self, const struct bz_filter *filter);

/* NULL: none whose turn it is. */
struct bz_job *bz_worker_take_injected(struct bz_worker *self);

bool bz_worker_pqueue_has_allowed(struct bz_worker *self, const struct bz_filter *filter);

/* A wait, which runs jobs until it is over. The thread that ends it then wakes this worker. */
struct bz_wait {
    bool (*done)(void *arg);       /* cheap; it may change the filter */
    bool (*slow_check)(void *arg); /* after failed searches; it may have effects. NULL: none */
    void *arg;
    struct bz_filter filter;
    uint64_t deadline_ns; /* no sleep is longer; 0: no deadline */
    const void *site;     /* in the program, for predictions; NULL, or with a deadline: none */
    const char *what;     /* for `awaited` */
};

static inline bool bz_wait_over(const struct bz_wait *wait) {
    return wait->done(wait->arg) || (wait->slow_check && wait->slow_check(wait->arg));
}

void bz_worker_wait_until(struct bz_worker *self, struct bz_wait *wait);

/* After a wait: adapts the next one and the worker's placement. */
void bz_worker_note_wait(struct bz_worker *self, const struct bz_spin *spin);

/* Any thread. If the worker is awake, its next attempt to park fails. */
void bz_worker_wake(struct bz_worker *worker);

/* The same without the system call: its bit at its eventcount, or 0. */
uint32_t bz_worker_set_latch(struct bz_worker *worker);

static inline void bz_worker_run(struct bz_worker *self, struct bz_job *job) {
    bz_count_relaxed(&self->stats.jobs); /* relaxed: single writer, statistics */
    job->run(job, self);
}

/* For the first step of a job. Jobs of other kinds clear the theft. */
static inline struct bz_theft bz_worker_take_theft(struct bz_worker *self) {
    struct bz_theft theft = self->running.theft;
    self->running.theft.robbed = NULL;
    return theft;
}

/* After jobs became visible in its deque. */
static inline void bz_worker_notify(struct bz_worker *self) {
    bz_domain_posted(self->domain, self);
}

/* Around a unit of work: before any thread can run it, and after its last effect. */
static inline void bz_worker_begin(struct bz_worker *self) {
    bz_count_relaxed(&self->quiet.begun); /* made visible with the unit or by Q2 */
}
static inline void bz_worker_end(struct bz_worker *self) {
    bz_count_release(&self->quiet.ended); /* Q2: pairs with Q1 */
}

/* False: no memory, run it in place. */
static inline bool bz_worker_push_public(struct bz_worker *self, struct bz_job *job) {
    if (bz_unlikely(!bz_deque_push_public(&self->deque, job)))
        return false;
    bz_worker_notify(self);
    return true;
}

/* With a steal request: exposes private jobs; pushes. */
void bz_worker_answer(struct bz_worker *self);
void bz_worker_put_requested(struct bz_worker *self, struct bz_job *job);

/* Where there is room. The check follows the push: a thief that requests now may have searched too early. (With
 * symmetric fences it may miss it; then private jobs wait for their owner.) */
BZ_INLINE void bz_worker_put(struct bz_worker *self, struct bz_job *job) {
    bz_deque_put(&self->deque, job);
    bz_signal_fence(); /* S1: pairs with S2: either we see the steal request or the last search our bottom */
    if (bz_unlikely(bz_deque_is_requested(&self->deque)))
        bz_worker_answer(self);
}

/* False: no memory, run it in place. */
static inline bool bz_worker_push(struct bz_worker *self, struct bz_job *job) {
    if (bz_unlikely(!bz_deque_reserve(&self->deque)))
        return false;
    if (bz_unlikely(bz_deque_is_requested(&self->deque)))
        bz_worker_put_requested(self, job);
    else
        bz_worker_put(self, job);
    return true;
}

struct bz_job *bz_worker_pop_slow(struct bz_worker *self, int64_t bottom);

/* Pops its newest job, at index `at`, and answers a steal request. False: thieves have it. */
BZ_INLINE bool bz_worker_pop_at(struct bz_worker *self, int64_t at, struct bz_job **job) {
    *job = bz_deque_at(&self->deque, at);
    if (bz_likely(bz_deque_pop_private(&self->deque, at)))
        return true;
    *job = bz_worker_pop_slow(self, at);
    return *job;
}

/* The same, if may_take agrees. */
struct bz_job *bz_worker_pop_if_slow(struct bz_worker *self, int64_t at, bz_may_take *may_take,
                                     const void *arg);
BZ_INLINE bool bz_worker_pop_if(struct bz_worker *self, int64_t at, bz_may_take *may_take, const void *arg,
                                struct bz_job **job) {
    *job = bz_deque_at(&self->deque, at);
    if (bz_unlikely(!bz_deque_pop_private(&self->deque, at))) {
        *job = bz_worker_pop_if_slow(self, at, may_take, arg);
        return *job;
    }
    if (bz_likely(may_take(*job, arg)))
        return true;
    bz_deque_pop_undo(&self->deque, at);
    return false;
}

BZ_INLINE struct bz_job *bz_worker_pop(struct bz_worker *self) {
    struct bz_job *job;
    return bz_worker_pop_at(self, bz_deque_bottom(&self->deque) - 1, &job) ? job : NULL;
}

#endif
