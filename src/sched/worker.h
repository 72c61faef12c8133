/* A worker: a thread's role in one domain. It has a deque, a latch to park on, and a slot for the context that the layer
 * above keeps for the running job. A thread may be a worker of several domains, one inside the other (a nested region);
 * bz_self is the innermost. */
#ifndef BZ_WORKER_H
#define BZ_WORKER_H

#include <stddef.h>

#include "base/rng.h"
#include "sched/deque.h"
#include "sched/domain.h"
#include "sched/latch.h"
#include "sched/quiet.h"
#include "sched/slab.h"
#include "wait/placement.h"
#include "wait/spin.h"

struct bz_team;
struct bz_stack;
struct bz_coroutines;
struct bz_view;

/* Written by the worker's own thread, read by anyone: relaxed, for statistics only. */
struct bz_worker_stats {
    struct bz_a64 jobs;     /* jobs taken and run, its own and stolen, by bz_worker_run */
    struct bz_a64 stolen;   /* taken out of another worker's deque */
    struct bz_a64 tries;    /* searches of others' deques */
    struct bz_a64 parks;    /* times it slept on its latch */
    struct bz_a64 wakes;    /* workers that it woke */
    struct bz_a64 injected; /* jobs taken from the injector */
};

/* The victim of a stolen job, and the job's index in its deque. */
struct bz_theft {
    struct bz_worker *robbed; /* NULL: it was not stolen */
    int64_t index;
};

/* A worker's views of reducers (views.h); owner only. */
struct bz_worker_views {
    struct bz_view *top;        /* NULL: it has none */
    struct bz_view *aside;      /* those after the job that it just popped */
    int64_t aside_index;        /* that job's index */
    int64_t done_from, done_to; /* jobs of these indices are done, if the deque ends at done_to */
};

struct bz_worker {
    struct bz_deque deque; /* first: blitz/cilk.h relies on its place */

    /* Owner's line. */
    BZ_ALIGN_LINE void *context;    /* what the layer above runs here; owner only */
    void (*release)(void *context); /* frees the context when the worker goes; NULL: nothing to free */
    struct bz_domain *domain;       /* constant while any thread can see the worker */
    struct bz_team *inner; /* the team for regions nested in this worker, kept between them; owner only */
    struct bz_theft theft; /* of the job that it stole last; see bz_worker_take_theft. Owner only */
    /* What it runs is unrelated to what lies below it on the stack. Written by the owner in help.c, read by threads that
     * wait for one of its jobs. */
    struct bz_a32 helping;
    /* For bz_worker_isolate, kept between its uses; NULL: never used. Owner only. */
    struct bz_worker *isolated;
    struct bz_coroutines *coroutines; /* its coroutines; NULL: it never had two. Owner only */
    unsigned suspended;               /* of these, but for the one that runs; owner only */
    unsigned index;                   /* its place in the domain; constant */
    /* Of its next wait; written by the owner, or by the thread that ends its team (thread_team.c). */
    enum bz_spin_policy spin_policy;
    unsigned handed_over; /* successive waits that a yield ended; owner only */
    uint8_t doublings;    /* by failed yields of its last waits, for its next (spin.h); owner only */
    uint8_t hold_skips; /* opportunities to pass up before it keeps its CPU at a barrier again; owner only */
    bool thorough;      /* it searches all workers that may have a job, not some; owner only */
    /* What its thread sleeps or spins long for, in words for a user, and the lock or future if it is one. NULL: it
     * does neither.
     * Written by the owner, read by debuggers (compat/gdb). */
    const char *awaits;
    const void *awaited;
    unsigned ticks; /* searches since the last batch of injected jobs, for BZ_INJECT_INTERVAL; owner only */
    unsigned urgent_ticks;       /* searches while there were urgent jobs, for BZ_INJECT_FAIR; owner only */
    struct bz_rng rng;           /* owner only */
    uintptr_t stack_limit;       /* lowest address that its thread should use; owner only */
    struct bz_stack *more_stack; /* kept for bz_stack_more, or NULL; owner only */
    struct bz_worker_views views;
    struct bz_quiet_pair quiet; /* written by the owner, read by all (quiet.h) */
    struct bz_worker_stats stats;
    struct bz_slabs slabs; /* memory for what it pushes */

    /* Written by wakers. */
    BZ_ALIGN_LINE struct bz_core_latch latch;
    /* 1: it wakes the others of its group as it wakes up. Set by its waker; cleared by the worker, or by that waker. */
    struct bz_a32 wakes_group;
    struct bz_aflag filtered; /* it waits with a filter; written by the owner, read by wakers as a hint */
    /* Clock when a thread was about to wake it: written by the waker, read by the worker. A hint; only with a predictor. */
    struct bz_a64 woken;
    /* Of its waits; NULL: none is predicted. Constant; owner only. */
    struct bz_predictor *predictor;
    struct bz_placement placement; /* its CPU, and the other members of its team on that CPU */
    /* A job that it is about to run in place of its spawner: the deque had no room for it, or its sync has taken it
     * (cilk.c). Owner only. */
    const struct bz_job *in_place;
    struct bz_worker *isolated_from; /* the worker that it is isolated from; NULL: it is not. Owner only */
};

/* The calling thread's worker, or NULL, and a copy of its context: two words of initial-exec TLS. A caller that gives its
 * own worker another context calls bz_become again. A caller that gives one to another thread's worker does so before that
 * worker's next run. */
extern _Thread_local struct bz_worker *bz_self __attribute__((tls_model("initial-exec")));
extern _Thread_local void *bz_context __attribute__((tls_model("initial-exec")));

/* From now on `worker` is the calling thread's. NULL: none. */
static inline void bz_become(struct bz_worker *worker) {
    bz_self = worker;
    bz_context = worker ? worker->context : NULL;
}

/* The calling thread, if it is a worker, is about to sleep or spin long for `what`; NULL: that is over. */
static inline void bz_note_wait(const char *what, const void *on) {
    if (bz_self) {
        bz_self->awaited = on;
        bz_self->awaits = what;
    }
}

/* Prepares a worker for place `index` of the domain; does not enter it into the domain. */
void bz_worker_init(struct bz_worker *worker, struct bz_domain *domain, unsigned index);
/* Leaves the worker that its thread was while isolated from it (adopt.h). */
void bz_worker_destroy(struct bz_worker *worker);
/* Its first part: frees the context. */
void bz_worker_retire(struct bz_worker *worker);

/* As a floor: the index says nothing, since coroutines have run in between. The worker asks about its own jobs one by
 * one. */
#define BZ_FLOOR_MIXED INT64_MAX

/* Which jobs a waiting worker may run: the wait filter. */
struct bz_filter {
    int64_t floor; /* own jobs below this index of its deque stay (0: any); BZ_FLOOR_MIXED: see below */
    bz_may_take *may_take; /* others' jobs and the priority queue's: NULL any; must follow deque.h's rules */
    const void *arg;       /* for may_take */
    bool until_over; /* may_take refuses nothing before the wait is over: posters may rely on this worker */
    /* Steal only from this worker, and nothing from the priority queue; NULL: from all. */
    struct bz_worker *victim;
    bool own_only; /* steal nothing, and nothing from the priority queue */
    bool injected; /* may take injected jobs */
    bool oldest;   /* bz_worker_find_anywhere: of its own jobs the oldest first */
    bool several;  /* from a long queue it may steal more than it runs: they go to its own deque */
};

/* Takes a job that the filter allows: from the priority queue first, then its own, then stolen, then injected. NULL: it
 * found no such job. */
struct bz_job *bz_worker_find(struct bz_worker *self, const struct bz_filter *filter);

/* The same for a worker that may have suspended coroutines (coroutine.h): a job that the filter and they allow, wherever it
 * is. `floor` says nothing there, so its own deque is searched as well. */
struct bz_job *bz_worker_find_anywhere(struct bz_worker *self, const struct bz_filter *filter);

/* After a search that found nothing: makes some of the jobs public that other workers keep private. True: another search
 * may find one. */
bool bz_worker_expose_others(struct bz_worker *self);

/* The oldest injected job, of the priority whose turn it is; of normal ones with more, up to `most` (0 to BZ_INJECT_BATCH)
 * in all, which go to the own deque. NULL: none. */
struct bz_job *bz_worker_take_injected(struct bz_worker *self, unsigned most);

/* Whether there is a job in the domain's priority queue that the filter allows. */
bool bz_worker_pqueue_offers(struct bz_worker *self, const struct bz_filter *filter);

/* A wait: runs jobs until it is over. The thread that ends it must then wake this worker (bz_worker_wake, or by posting
 * work). The worker asks both questions again after each wake and after it announces sleep.
 *   done        cheap, asked at every pause. It may change the filter (a leapfrogging join does).
 *   slow_check  may be more expensive or have effects; asked after a failed search only. NULL: there is no such check. */
struct bz_wait {
    bool (*done)(void *arg);
    bool (*slow_check)(void *arg);
    void *arg;
    struct bz_filter filter;
    uint64_t deadline_ns; /* the wait is over at this time, and no sleep is longer; 0: no deadline */
    /* The call site in the program, for predictions (waiting.md); NULL: not predicted. Without a deadline. */
    const void *site;
    const char *what; /* as in a worker's `awaits`; NULL: debuggers need not say */
};

static inline bool bz_wait_over(const struct bz_wait *wait) {
    return wait->done(wait->arg) || (wait->slow_check && wait->slow_check(wait->arg));
}

void bz_worker_wait_until(struct bz_worker *self, struct bz_wait *wait);

/* After a wait of its thread: adapts the next one, and checks whether another member of its team is on its CPU. */
void bz_worker_note_wait(struct bz_worker *self, const struct bz_spin *spin);

/* Wakes the worker if it is parked; otherwise its next attempt to park fails. Any thread. The worker sees the caller's
 * earlier stores when it searches again. True if it was parked. */
bool bz_worker_wake(struct bz_worker *worker);

/* The same without the system call that it needs, unless it is the caller: the bit that names it at its eventcount; 0: it
 * was not parked. */
uint32_t bz_worker_set_latch(struct bz_worker *worker);

/* A job was found and runs now. */
static inline void bz_worker_count_job(struct bz_worker *self) {
    bz_count_relaxed(&self->stats.jobs); /* relaxed: single writer, statistics */
}

/* Runs a job that was found, with its statistics. */
static inline void bz_worker_run(struct bz_worker *self, struct bz_job *job) {
    bz_worker_count_job(self);
    job->run(job, self);
}

/* For the first step of a stolen job: its victim. Jobs of other kinds forget it, so that a job that was not stolen gets
 * NULL. */
static inline struct bz_theft bz_worker_take_theft(struct bz_worker *self) {
    struct bz_theft theft = self->theft;
    self->theft.robbed = NULL;
    return theft;
}

/* Notifies the domain that jobs became visible in this worker's deque; wakes a sleeper if no worker searches. */
static inline void bz_worker_notify(struct bz_worker *self) {
    bz_domain_posted(self->domain, self);
}

/* A unit of work for bz_domain_quiet, counted on the worker that begins or ends it: begun before any thread can run it,
 * ended after its last effect. */
static inline void bz_worker_begin(struct bz_worker *self) {
    bz_count_relaxed(&self->quiet.begun); /* made visible with the unit or by Q2 */
}
static inline void bz_worker_end(struct bz_worker *self) {
    bz_count_release(&self->quiet.ended); /* Q2: pairs with Q1 */
}

/* Pushes for thieves to see at once. False: no memory, run it in place. */
static inline bool bz_worker_push_public(struct bz_worker *self, struct bz_job *job) {
    if (bz_unlikely(!bz_deque_push_public(&self->deque, job)))
        return false;
    bz_worker_notify(self);
    return true;
}

/* The slow paths after a check that has found a steal request: exposes private jobs, if any; pushes. */
void bz_worker_answer(struct bz_worker *self);
void bz_worker_put_requested(struct bz_worker *self, struct bz_job *job);

/* Pushes to the private part, where there is room; exposes when a steal is requested. The check follows the push: a thief
 * that requests at this moment may have made its last search, after S2, too early for the job. (With symmetric fences the
 * check may miss it all the same. Then private jobs wait for their owner anyway.) */
BZ_INLINE void bz_worker_put(struct bz_worker *self, struct bz_job *job) {
    bz_deque_put(&self->deque, job);
    bz_signal_fence(); /* S1: pairs with S2: either we see the steal request or the last search our bottom */
    if (bz_unlikely(bz_deque_is_requested(&self->deque)))
        bz_worker_answer(self);
}

/* The same; cheaper while a steal is requested. False: no memory, run it in place. */
static inline bool bz_worker_push(struct bz_worker *self, struct bz_job *job) {
    if (bz_unlikely(!bz_deque_reserve(&self->deque)))
        return false;
    if (bz_unlikely(bz_deque_is_requested(&self->deque)))
        bz_worker_put_requested(self, job);
    else
        bz_worker_put(self, job);
    return true;
}

/* The end of a pop that bz_deque_pop_private refused. */
struct bz_job *bz_worker_pop_slow(struct bz_worker *self, int64_t bottom);

/* Pops the newest own job, *job, whose index is `at`, and answers a steal request from the rest. False: thieves have it. */
BZ_INLINE bool bz_worker_pop_at(struct bz_worker *self, int64_t at, struct bz_job **job) {
    *job = bz_deque_at(&self->deque, at);
    if (bz_likely(bz_deque_pop_private(&self->deque, at)))
        return true;
    *job = bz_worker_pop_slow(self, at);
    return *job;
}

/* The same, if it may be taken. may_take may see a job that a thief takes at the same time, and must follow deque.h's
 * rules: the pop decides. */
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

/* The same wherever the queue ends; NULL: it is empty. */
BZ_INLINE struct bz_job *bz_worker_pop(struct bz_worker *self) {
    struct bz_job *job;
    return bz_worker_pop_at(self, bz_deque_bottom(&self->deque) - 1, &job) ? job : NULL;
}

#endif
