/* A pool: a domain whose workers are n threads, fewer those that call in from outside. Threads start when work is
 * posted and nobody is awake to take it.
 *
 * A place is a worker of the pool with whoever works there: one of the pool's threads, or an external
 * thread for as long as its outermost call lasts (its bz_self is switched to the place meanwhile). Places are
 * kept when they become free, so that thieves may look at them at any time, and used again by the next comer.
 *
 *   busy = threads + external - away            away: those of both that are inside another pool, or block, or are on
 *                                          their way out; each once
 *   unstarted = max(0, size + lent - busy)      shown as that many sleepers in the counters: to wake one is to start it
 *   surplus = max(0, busy - size - lent)        that many threads leave when they are between two jobs; if that is
 *                                          because of external threads, only when it lasts or comes again and again
 *
 * One external thread, which comes often and for a short while, is left out of the count until somebody needs to know:
 * see entry.md.
 */
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

/* In the place of a frame's or scope's worker. */
#define BZ_NOBODY ((struct bz_worker *)1) /* there was none: all is done at once */
#define BZ_OVER ((struct bz_worker *)2)   /* it is synced, or waited for */

/* In blitz_pool.entry. */
#define BZ_ENTRY_IN 1u

struct bz_place {
    struct bz_worker worker; /* first: a worker of a pool is a place */
    struct blitz_pool *pool; /* constant */

    /* Under the pool's lock. */
    struct bz_place *next; /* in the free list, or in that of the lost */
    const void *holder;    /* the address of its thread's bz_self; NULL: free */
    bool is_thread;        /* a thread of the pool's own */
    bool is_lent;          /* an external thread that works for the pool (lend.c) */
    bool stopping;         /* a thread on its way out, which counts as away until it is */
    bool stranded; /* that came along at a fork: when it has nothing to do it goes, and the process ends */

    /* Its thread only. */
    struct bz_worker *outer; /* an external thread's bz_self outside */
    uint64_t surplus_since;  /* when a thread first saw that the pool has too many; 0: it has not */
    bool returns;  /* an external thread that keeps the place when it leaves, if it can (external.c) */
    bool by_entry; /* it came in uncounted; it may have been counted since */
    unsigned
        open; /* what keeps it here: for an external thread, verbs that are not over; for a thread never 0 */
    struct bz_duty duty;      /* over the function of the program that runs, as far as there is one */
    struct bz_opened *opened; /* with BLITZ_DEBUG: what keeps it here, by address; NULL: nothing yet */

    struct {
        struct bz_broadcast *v;
    } mail; /* set by the broadcaster, under the lock; taken by the place's thread, which alone clears it */
    struct {
        struct bz_scope *v;
    } serving; /* scope.h: written by the place's thread, read by those who wait for the scope */
};

struct blitz_pool {
    struct bz_domain domain; /* first */

    BZ_ALIGN_LINE struct bz_a32 lock; /* guards what follows, but for the hints */
    struct bz_a32 size;               /* workers wanted; read by reports without the lock */
    unsigned
        told; /* the last answer of blitz_pool_workers, beyond which the size does not follow the budget; 0: none yet */
    unsigned threads;
    unsigned external;
    unsigned lent; /* of these, workers in addition to the pool's size */
    unsigned away;
    unsigned stopping; /* of the threads, those on their way out, where they run its hook: away, too */
    unsigned unstarted;
    unsigned places;          /* made so far */
    struct bz_place *free;    /* last come, first taken */
    unsigned skips;           /* this many more short entries are counted: one turned out to be none */
    uint64_t refused;         /* when a thread could not be had; 0: never */
    uint64_t surplus_changed; /* when a surplus last began or ceased */
    uint64_t surplus_ns;      /* with one, less those without, of late: from 0 to twice what a thread bears */
    bool closing;
    struct bz_a64 life; /* BZ_POOL_ALIVE until it has ended: changed by whoever ends it, read by all verbs */
    /* Constant. */
    bool serial; /* everything runs where it is called, in program order: no threads, sealed deques */
    bool pinned;
    void (*on_start)(unsigned index, void *arg);
    void (*on_stop)(unsigned index, void *arg);
    void *hook_arg;
    char name[BZ_POOL_NAME_MAX];

    /* Hints: written under the lock, read by anyone. */
    struct bz_a32 surplus;
    struct bz_a32
        budget; /* that the size follows (team/budget.h); 0: the program or the user has set the size */
    struct bz_aflag urgent; /* the surplus is there to stay: the pool was made smaller, or ends */
    struct bz_aflag often;  /* it comes again and again: whoever finds no job from outside goes */
    struct bz_a32 present;  /* threads - stopping + external */
    /* There is a place, for good: without memory, too, someone can run what is handed in. */
    struct bz_aflag usable;
    struct bz_a32 recalls; /* of lent threads, so far */

    /* Which thread may come in without the lock, uncounted: its key, with BZ_ENTRY_IN while it is inside; 0: none. Made
     * so by that thread, closed by anyone, both under the lock, and only while a thread could be started (unstarted >
     * 0); changed by that thread as it comes in and leaves. */
    struct bz_a64 entry;
    struct {
        struct bz_place *v;
    } cached; /* the place that it comes in to; changed by that thread, under the lock, while the entry is closed */

    /* Threads in blitz_pool_lend; changed by them, waited for by whoever ends the pool. */
    struct bz_a32 lenders;

    BZ_ALIGN_LINE struct bz_a32
        pending;                /* submitted and not done: raised by submitters, lowered by whoever ran one */
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

/* Whether the running function of the program has been left, as seen from the caller's frame. */
BZ_INLINE void bz_duty_look(const struct bz_place *place, const char *verb) {
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
    if (bz_unlikely(frame >= place->duty.frame) && place->duty.frame)
        bz_duty_left(&place->duty, verb, frame);
}

/* Around a call of a function of the program. Begin returns what end needs. */
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

/* The same, but a plain call without BLITZ_DEBUG, or if the worker is none of a pool. */
BZ_INLINE void bz_duty_call_if(struct bz_worker *self, const char *verb, blitz_fn *fn, void *arg) {
    if (BLITZ_DEBUG >= 1 && self->domain->start)
        bz_duty_call(self, verb, fn, arg);
    else
        fn(arg);
}

/* The calling thread's worker if it is inside a pool, else NULL. */
BZ_INLINE struct bz_worker *bz_pool_self(void) {
    struct bz_worker *self = bz_self;
    if (bz_unlikely(!self || !self->domain->start))
        return NULL;
    if (BLITZ_DEBUG >= 1)
        bz_duty_look(bz_place_of(self), "a verb");
    return self;
}

/* Whether there is nobody but this worker who could take something, now or once started. A hint. */
static inline bool bz_pool_is_alone(struct bz_worker *self) {
    struct blitz_pool *pool = bz_pool_of(self);
    /* relaxed, both: whoever comes later finds something public a piece later */
    return bz_load_relaxed(&pool->present) == 1 &&
           bz_counters_inactive(bz_load_relaxed(&pool->domain.counters.word)) == 0;
}

/* ---- pool.c ---- */

/* The global pool, made now if need be; NULL: no memory. And what NULL means to a verb that takes a pool; any other one must
 * not have ended. */
struct blitz_pool *bz_pool_global(void);
struct blitz_pool *bz_pool_global_if_any(void);
struct blitz_pool *bz_pool_or_global(struct blitz_pool *pool, const char *verb);

/* Whether it is the worker of a pool, and whose thread has its place. */
bool bz_pool_has_worker(const struct bz_worker *worker, const void **holder);

/* Starts all threads that the pool may have. 0, or why there are fewer. */
int bz_pool_start_all(struct blitz_pool *pool);

/* Before a thread leaves: what it has in its deque. And when nobody else is there: all that it finds. */
void bz_pool_run_own_jobs(struct bz_worker *self);
void bz_pool_run_injected(struct bz_worker *self);

/* Of the cached place. */
static inline const void *bz_pool_holder_by(uint64_t entry) {
    return entry & BZ_ENTRY_IN ? (const void *)(uintptr_t)(entry - BZ_ENTRY_IN) : NULL;
}

/* With the lock held. */
void bz_pool_wake_workers(struct blitz_pool *pool); /* the threads, lent ones included */
void bz_pool_balance(struct blitz_pool *pool); /* after a change of size, threads, external, away, closing */
struct bz_place *bz_pool_take_place(struct blitz_pool *pool); /* NULL: full, or no memory */
void bz_pool_free_place(struct bz_place *place);
void bz_pool_close_entry(struct blitz_pool *pool); /* nobody is inside uncounted, or may come in so */

/* Wakes or starts a thread if there are jobs from outside. Returns false if there are and nobody is in the pool. */
bool bz_pool_attend(struct blitz_pool *pool);

/* ---- size.c ---- */

/* The workers for a wanted number, 0 being the default; and the budget for it that pool->budget wants. */
unsigned bz_pool_size(unsigned wanted);
uint32_t bz_pool_budget(const struct blitz_pool *pool, unsigned wanted);

void bz_pool_follow_slow(struct blitz_pool *pool);

/* Before a call from outside. Cost: some 5 ns unless the process's CPUs have changed. */
static inline void bz_pool_follow_budget(struct blitz_pool *pool) {
    uint32_t budget = bz_load_relaxed(&pool->budget); /* relaxed: a hint */
    if (bz_unlikely(budget != 0 && budget != bz_budget()))
        bz_pool_follow_slow(pool);
}

/* ---- pool_fork.c ---- */

/* In the child of a fork, for the list of all pools. */
void bz_pools_leave_behind(struct blitz_pool *first);

/* ---- external.c ---- */

/* Runs fn(arg) inside the pool (NULL: the current one, or the global one), on this thread if there is a place for it.
 * 0; or ENOMEM, and nothing has run: there is no memory for the pool, or for the first place in it. The duty is that of
 * `named`, the function that the program has given to `verb`. */
int bz_pool_run(struct blitz_pool *pool, blitz_fn *fn, void *arg, const char *verb, uintptr_t named);

/* The calling thread's worker in the pool from now on, until bz_pool_close; NULL: there is no place. */
struct bz_worker *bz_pool_enter(struct blitz_pool *pool);

/* The same in the global pool for what is probably short and forks nothing: whoever comes often need not be counted. */
struct bz_worker *bz_pool_enter_briefly(void);

/* For verbs that are over only when another one is called: the calling thread's worker, which stays in its pool until
 * as many calls of close. From outside: in the global pool. NULL: no place there. */
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

/* Around a wait of the calling thread, for something that is none of its pool's business: the pool goes on without
 * it. */
void bz_pool_leave_outer(void);
void bz_pool_return_to_outer(void);

/* Sees to it that jobs from outside are run: by the pool's threads, or, if there are none to be had, here. For whoever has
 * tried to start a thread, which counted as present, so that others relied on it. */
void bz_pool_serve(struct blitz_pool *pool);

/* Whether the pool has a place; makes the first one. False: there is no memory for it, and so for nobody to run jobs. */
bool bz_pool_make_usable(struct blitz_pool *pool);
static inline bool bz_pool_is_usable(struct blitz_pool *pool) {
    return bz_likely(bz_load_relaxed(&pool->usable)) || bz_pool_make_usable(pool); /* relaxed: it stays */
}

/* Hands a job in to a pool that is usable; someone will run it, if nobody else then the caller. */
void bz_pool_inject(struct blitz_pool *pool, struct bz_inject_node *node);

/* The pool whose worker this is, or NULL: a team's, a solo one, none. */
static inline struct blitz_pool *bz_pool_of_outer(struct bz_worker *outer) {
    return outer && outer->domain->start ? bz_pool_of(outer) : NULL;
}

/* Whether the worker is one of a pool's, in a place that nobody has. */
bool bz_pool_is_free(struct bz_worker *worker);

/* Returns when no external thread is inside. The process ends with a line if that takes long. */
void bz_pool_wait_for_external(struct blitz_pool *pool);

/* Whether the calling thread, which is in this verb, is inside the pool, or would be if it returned from another one. */
BZ_INLINE bool bz_pool_is_inside(const struct blitz_pool *pool, const char *verb) {
    for (struct bz_worker *at = bz_self; bz_pool_of_outer(at); at = bz_place_of(at)->outer) {
        bz_duty_look(bz_place_of(at), verb);
        if (bz_pool_of_outer(at) == pool)
            return true;
    }
    return false;
}

#endif
