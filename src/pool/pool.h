/* A pool: a domain whose workers are n threads, minus the external threads that are inside. Threads start when work is
 * posted and no worker is awake to take it.
 *
 * A place is a worker of the pool and the thread that uses it: one of the pool's own, or an external thread during its
 * outermost call, whose bz_self is the place meanwhile. Free places stay, so that thieves may read them at any time, and
 * are reused.
 *
 *   busy = threads + external - away       away: those that are inside another pool, block, or stop; each once
 *   unstarted = max(0, size + lent - busy) the counters show them as sleepers: waking one starts a thread
 *   surplus = max(0, busy - size - lent)   this many threads leave between two jobs; if external threads cause it, only
 *                                          when the surplus lasts or recurs */
#ifndef BZ_POOL_H
#define BZ_POOL_H

#include "base/hooks.h"
#include "blitz.h"
#include "env/error.h"
#include "pool/duty.h"
#include "sched/worker.h"
#include "team/budget.h"

struct bz_broadcast;
struct bz_pool_link {
    struct blitz_pool *v;
};

/* Places of a pool: its threads and external ones. */
#define BZ_POOL_PLACES BLITZ_WORKER_INDEX_END
#define BZ_POOL_NAME_MAX                                                                                     \
    10 /* bytes of a name, terminator included: a thread's name has 15 and ends in "-8191" */

/* In blitz_pool.life, while it can be used. */
#define BZ_POOL_ALIVE UINT64_C(0x626c69747a506f6f)

/* Instead of the worker of a frame or scope: it has no worker, and calls run at once; it is synced or waited for. */
#define BZ_NOBODY ((struct bz_worker *)1)
#define BZ_OVER ((struct bz_worker *)2)

struct bz_place {
    struct bz_worker worker; /* first: a worker of a pool is a place */
    struct blitz_pool *pool; /* constant */

    /* Under the pool's lock. */
    struct bz_place *next; /* in the free list, or in the list of lost places */
    const void *holder;    /* the address of its thread's bz_self; NULL: free */
    bool is_thread;        /* of the pool's own */
    bool is_lent;          /* an external thread that works for the pool (lend.c) */
    bool stopping;         /* a thread that leaves, and counts as away until it has left */
    bool stranded;         /* it survived a fork: once idle it leaves, and the process ends */

    /* Its thread only. */
    struct bz_worker *outer;  /* an external thread's bz_self outside */
    uint64_t surplus_since;   /* when the thread first saw a surplus; 0: it sees none */
    unsigned open;            /* verbs that an external thread has not completed; never 0 for a thread */
    struct bz_duty duty;      /* of the function of the program that runs */
    struct bz_opened *opened; /* with BLITZ_DEBUG: the objects of these verbs; NULL: none yet */

    struct {
        struct bz_broadcast *v;
    } mail; /* set by the broadcaster, under the lock; read and cleared by the place's thread */
    struct {
        struct bz_scope *v;
    } serving; /* scope.h: written by the place's thread, read by the scope's waiter */
};

struct blitz_pool {
    struct bz_domain domain; /* first */

    BZ_ALIGN_LINE struct bz_a32 lock; /* guards what follows except the hints */
    struct bz_a32 size;               /* workers wanted; read by reports without the lock */
    unsigned told; /* last answer of blitz_pool_workers, which the size does not exceed on its own; 0: none */
    unsigned threads;
    unsigned external;
    unsigned lent; /* of these: workers in addition to the size */
    unsigned away;
    unsigned
        stopping; /* of the threads: those that leave and run the pool's hook, which also count as away */
    unsigned unstarted;
    unsigned places;          /* made so far */
    struct bz_place *free;    /* last in, first out */
    uint64_t refused;         /* when the system refused a thread; 0: never */
    uint64_t surplus_changed; /* when a surplus last began or ended */
    uint64_t surplus_ns;      /* recent time with a surplus minus time without, in [0, 2 * LINGER_NS] */
    bool closing;
    struct bz_a64
        life; /* BZ_POOL_ALIVE until it has ended; written by the thread that ends it, read by all verbs */
    /* Constant. */
    bool serial; /* no threads, sealed deques: each call runs at once, in program order */
    bool pinned;
    void (*on_start)(unsigned index, void *arg);
    void (*on_stop)(unsigned index, void *arg);
    void *hook_arg;
    char name[BZ_POOL_NAME_MAX];

    /* Hints: written under the lock, read by anyone. */
    struct bz_a32 surplus;
    struct bz_a32
        budget; /* which the size follows (team/budget.h); 0: the program or the user set the size */
    struct bz_aflag urgent; /* the surplus is permanent: the pool shrank, or ends */
    struct bz_aflag often;  /* the surplus recurs: threads that find no job from outside leave */
    struct bz_a32 present;  /* busy: these attend before they leave or block */
    struct bz_aflag
        usable; /* it has a place, so that jobs can run even when memory is exhausted; never reset */
    struct bz_a32 recalls; /* of lent threads, so far */

    struct bz_a32 lenders; /* threads in blitz_pool_lend; changed by them, read by the end of the pool */

    BZ_ALIGN_LINE struct bz_a32
        pending; /* submitted and not done; changed by submitters and by the threads that run them */
    struct bz_a32 idle_waiters; /* threads in blitz_wait_idle; changed by them */
    struct bz_a32 broadcasting; /* a lock: one broadcast at a time */

    struct bz_pool_link next_pool; /* all pools; written under the list's lock, read by anyone */
};

static inline struct bz_place *bz_place_of(struct bz_worker *worker) {
    return (struct bz_place *)worker;
}
static inline struct blitz_pool *bz_pool_of(struct bz_worker *worker) {
    return (struct blitz_pool *)worker->domain;
}

/* ---- duty.h ---- */

/* Reports misuse if the running function of the program was left, as seen from the caller's frame. */
BZ_INLINE void bz_duty_look(const struct bz_place *place, const char *verb) {
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
    if (bz_unlikely(frame >= place->duty.frame) && place->duty.frame)
        bz_duty_left(&place->duty, verb, frame);
}

/* Enclose a call of a function of the program. */
BZ_INLINE struct bz_duty_before bz_duty_begin(struct bz_place *place, uintptr_t fn) {
    struct bz_duty_before before = {place->duty, place->open};
    place->duty.frame = (uintptr_t)__builtin_frame_address(0);
    place->duty.fn = (const void *)fn;
    return before;
}
BZ_INLINE void bz_duty_end(struct bz_place *place, struct bz_duty_before before, const char *verb) {
    if (bz_unlikely(place->open > before.open))
        bz_duty_unsynced(place, verb, place->duty.fn);
    place->duty = before.outer;
}

/* Calls fn(arg). */
BZ_INLINE void bz_duty_call(struct bz_worker *self, const char *verb, blitz_fn *fn, void *arg) {
    struct bz_duty_before before = bz_duty_begin(bz_place_of(self), bz_watched_named(fn, arg));
    fn(arg);
    bz_duty_end(bz_place_of(self), before, verb);
}

/* With BLITZ_DEBUG and in a pool the same, else a plain call. */
BZ_INLINE void bz_duty_call_if(struct bz_worker *self, const char *verb, blitz_fn *fn, void *arg) {
    if (BLITZ_DEBUG >= 1 && self->domain->start)
        bz_duty_call(self, verb, fn, arg);
    else
        fn(arg);
}

/* The calling thread's worker in a pool; NULL: it is outside. */
BZ_INLINE struct bz_worker *bz_pool_self(void) {
    struct bz_worker *self = bz_self;
    if (bz_unlikely(!self || !self->domain->start))
        return NULL;
    if (BLITZ_DEBUG >= 1)
        bz_duty_look(bz_place_of(self), "a verb");
    return self;
}

/* Whether no other worker could take a job, now or once started. A hint. */
static inline bool bz_pool_is_alone(struct bz_worker *self) {
    struct blitz_pool *pool = bz_pool_of(self);
    /* relaxed, both: a worker that arrives later gets a job one piece later */
    return bz_load_relaxed(&pool->present) == 1 &&
           bz_counters_inactive(bz_load_relaxed(&pool->domain.counters.word)) == 0;
}

/* ---- pool.c ---- */

/* The global pool, made on demand; NULL: out of memory. The last one is for verbs that take a pool or NULL: misuse is
 * reported if the pool has ended. */
struct blitz_pool *bz_pool_global(void);
struct blitz_pool *bz_pool_global_if_any(void);
struct blitz_pool *bz_pool_or_global(struct blitz_pool *pool, const char *verb);

/* Whether this is the worker of a pool; and the holder of its place. */
bool bz_pool_has_worker(const struct bz_worker *worker, const void **holder);

/* Starts all threads that the pool may have. 0, or the error of the one that did not start. */
int bz_pool_start_all(struct blitz_pool *pool);

/* Before a thread leaves: run the jobs of its deque; and, if the pool has no other thread, all jobs from outside. */
void bz_pool_run_own_jobs(struct bz_worker *self);
void bz_pool_run_injected(struct bz_worker *self);

/* With the lock held. */
void bz_pool_wake_workers(struct blitz_pool *pool); /* its threads, lent ones included */
void bz_pool_balance(struct blitz_pool *pool); /* after a change of size, threads, external, away, closing */
struct bz_place *bz_pool_take_place(struct blitz_pool *pool); /* NULL: full, or no memory */
void bz_pool_free_place(struct bz_place *place);

/* Wakes or starts a thread if there are jobs from outside. False: there are, and the pool has no thread. */
bool bz_pool_attend(struct blitz_pool *pool);

/* ---- size.c ---- */

/* The workers for a requested number (0: the default); and the value of pool->budget for it. */
unsigned bz_pool_size(unsigned wanted);
uint32_t bz_pool_budget(const struct blitz_pool *pool, unsigned wanted);

void bz_pool_follow_slow(struct blitz_pool *pool);

/* Before a call from outside. Cost: about 5 ns unless the process's CPUs have changed. */
static inline void bz_pool_follow_budget(struct blitz_pool *pool) {
    uint32_t budget = bz_load_relaxed(&pool->budget); /* relaxed: a hint */
    if (bz_unlikely(budget != 0 && budget != bz_budget()))
        bz_pool_follow_slow(pool);
}

/* ---- pool_fork.c ---- */

/* In the child of a fork: repairs all pools. */
void bz_pools_leave_behind(struct blitz_pool *first);

/* ---- external.c ---- */

/* Runs fn(arg) inside the pool (NULL: the current one, or the global one), on this thread if the pool has a place for it. 0;
 * ENOMEM: nothing ran, for lack of memory for the pool or its first place. Messages name `named`, the function that the
 * program gave to `verb`. */
int bz_pool_run(struct blitz_pool *pool, blitz_fn *fn, void *arg, const char *verb, uintptr_t named);

/* Enters the pool until bz_pool_close: the calling thread's worker there; NULL: no place. */
struct bz_worker *bz_pool_enter(struct blitz_pool *pool);

/* For verbs that another verb completes: the calling thread's worker, which stays in its pool until as many calls of close.
 * From outside: in the global pool. NULL: no place there. */
struct bz_worker *bz_pool_come(void);
void bz_pool_go(struct bz_worker *self);
BZ_INLINE struct bz_worker *bz_pool_open(void) {
    struct bz_worker *self = bz_pool_self();
    if (bz_unlikely(!self))
        return bz_pool_come();
    bz_place_of(self)->open++;
    return self;
}
static inline void bz_pool_close(struct bz_worker *self) {
    if (bz_unlikely(--bz_place_of(self)->open == 0))
        bz_pool_go(self);
}

/* Around a wait of the calling thread that its pool cannot help with: another thread may replace it meanwhile. */
void bz_pool_leave_outer(void);
void bz_pool_return_to_outer(void);

/* Ensures that jobs from outside run: on the pool's threads, or here if the system refuses threads. Called after a failed
 * start, since posters relied on the thread, which counted as present meanwhile. */
void bz_pool_serve(struct blitz_pool *pool);

/* Whether the pool has a place; makes the first one. False: out of memory, so that no thread could run jobs. */
bool bz_pool_make_usable(struct blitz_pool *pool);
static inline bool bz_pool_is_usable(struct blitz_pool *pool) {
    return bz_likely(bz_load_relaxed(&pool->usable)) || bz_pool_make_usable(pool); /* relaxed: it stays */
}

/* Hands a job to a usable pool. One of its threads runs it, or the caller. */
void bz_pool_inject(struct blitz_pool *pool, struct bz_inject_node *node);

/* The pool of this worker; NULL: it belongs to a team or to one thread, or is NULL. */
static inline struct blitz_pool *bz_pool_of_outer(struct bz_worker *outer) {
    return outer && outer->domain->start ? bz_pool_of(outer) : NULL;
}

/* Whether the worker belongs to a pool and its place is free. */
bool bz_pool_is_free(struct bz_worker *worker);

/* Returns when no external thread is inside. If that takes long, it is misuse. */
void bz_pool_wait_for_external(struct blitz_pool *pool);

/* Whether the calling thread is inside the pool, or entered another one from there. */
BZ_INLINE bool bz_pool_is_inside(const struct blitz_pool *pool, const char *verb) {
    for (struct bz_worker *at = bz_self; bz_pool_of_outer(at); at = bz_place_of(at)->outer) {
        bz_duty_look(bz_place_of(at), verb);
        if (bz_pool_of_outer(at) == pool)
            return true;
    }
    return false;
}

#endif
