/* A pool: a domain of n threads, minus the external threads inside. Threads start when work is posted and no worker is
 * awake. A place is a worker and its thread; free ones stay, since thieves may read them.
 *
 *   busy = threads + external - away       away: inside another pool, or blocked
 *   unstarted = max(0, size + lent - busy) count as sleepers: waking one starts a thread
 *   surplus = max(0, busy - size - lent)   threads to leave, from `leave_at` on: most external threads are inside briefly */
#ifndef BZ_POOL_H
#define BZ_POOL_H

#include "base/hooks.h"
#include "blitz.h"
#include "env/error.h"
#include "pool/strict.h"
#include "sched/worker.h"
#include "team/budget.h"

struct bz_pool_link {
    struct blitz_pool *v;
};

#define BZ_POOL_PLACES BLITZ_WORKER_INDEX_END
#define BZ_POOL_NAME_MAX 10 /* bytes, with the terminator: a thread's name, up to 15, ends in "-8191" */

/* Threads leave once there was a surplus for so much of the recent time: leaving and returning costs two futex wakes. */
#define BZ_POOL_LINGER_NS UINT64_C(1000000)

/* In blitz_pool.life of a usable pool. */
#define BZ_POOL_ALIVE UINT64_C(0x626c69747a506f6f)

/* As the worker of a frame or scope: none, so calls run at once; it is complete. */
#define BZ_NOBODY ((struct bz_worker *)1)
#define BZ_OVER ((struct bz_worker *)2)

struct bz_place {
    struct bz_worker worker; /* first: a worker of a pool is a place */

    /* Under the pool's lock. */
    struct bz_place *next; /* in the list of free or of lost places */
    const void *holder;    /* address of its thread's bz_self; NULL: free */
    bool is_thread;        /* its thread is the pool's own */
    bool is_lent;          /* ...is lent (lend.c) */
    bool stopping;         /* ...leaves, and no longer counts */
    bool stranded;         /* ...survived a fork: once idle it ends the process */

    /* Its thread only. */
    struct bz_worker *outer;  /* an external thread's bz_self outside */
    unsigned open;            /* verbs that an external thread has not completed; never 0 for a thread */
    struct bz_strict strict;  /* of the program's function that runs */
    struct bz_opened *opened; /* with BLITZ_DEBUG: these verbs' objects; NULL: none yet */

    struct {
        struct bz_broadcast *v;
    } mail; /* set by a broadcaster under the lock; read and cleared by the place's thread */
    struct {
        struct bz_scope *v;
    } serving; /* scope.h: written by the place's thread, read by scopes' waiters */
};

struct blitz_pool {
    struct bz_domain domain; /* first */

    BZ_ALIGN_LINE struct bz_a32 lock; /* guards what follows, except hints */
    struct bz_a32 size;               /* workers wanted; reports read it without the lock */
    /* The last result of blitz_pool_workers, or 0: the limit of a size that follows the budget. */
    unsigned reported;
    unsigned threads;
    unsigned external;
    unsigned lent; /* of these: in addition to the size */
    unsigned away;
    unsigned stopping; /* threads that leave, and no longer count */
    unsigned unstarted;
    unsigned places;          /* made so far */
    struct bz_place *free;    /* last in, first out */
    uint64_t refused;         /* clock when the system refused a thread, or 0 */
    unsigned surplus;         /* busy threads beyond the wanted ones */
    uint64_t surplus_changed; /* clock when a surplus last began or ended */
    uint64_t surplus_ns;      /* recent time with a surplus minus time without: 0 to 2 * BZ_POOL_LINGER_NS */
    bool closing;
    /* BZ_POOL_ALIVE until the pool ends: written by the ending thread, read by all verbs. */
    struct bz_a64 life;
    /* Constant, but in the child of a fork. */
    bool serial; /* no threads, sealed deques: calls run at once, in program order */
    bool pinned;
    void (*on_start)(unsigned index, void *arg);
    void (*on_stop)(unsigned index, void *arg);
    void *hook_arg;
    char name[BZ_POOL_NAME_MAX];

    /* Hints: written under the lock, read by all. */
    struct bz_a64 leave_at; /* clock from which threads leave for the surplus; 0: there is none */
    struct bz_a32 budget;   /* which the size follows (team/budget.h); 0: the size is set */
    struct bz_a32 present;  /* busy: they attend before they leave or block */
    struct bz_a32 recalls;  /* of lent threads */

    struct bz_a32 lenders; /* threads in blitz_pool_lend; changed by them, read at the pool's end */

    /* Tasks submitted and not done; changed by submitters and by the threads that run them. */
    BZ_ALIGN_LINE struct bz_a32 pending;
    struct bz_a32 idle_waiters; /* threads in blitz_wait_idle; changed by them */
    struct bz_a32 broadcasting; /* a lock */

    struct bz_pool_link next_pool; /* written under the list's lock, read by all */
};

static inline struct bz_place *bz_place_of(struct bz_worker *worker) {
    return (struct bz_place *)worker;
}
static inline struct blitz_pool *bz_pool_of(struct bz_worker *worker) {
    return (struct blitz_pool *)worker->domain;
}

/* Under the lock: place `index` of those made; NULL: a fork has lost it. */
static inline struct bz_place *bz_pool_place(const struct blitz_pool *pool, unsigned index) {
    return bz_place_of(bz_load_relaxed(&pool->domain.slots[index])); /* relaxed: entered under the lock */
}

/* ---- strict.h ---- */

/* Reports misuse if the program's function at the place was left. */
BZ_INLINE void bz_strict_check(const struct bz_place *place, const char *verb) {
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
    if (bz_unlikely(frame >= place->strict.frame) && place->strict.frame)
        bz_strict_left(&place->strict, verb, frame);
}

BZ_INLINE struct bz_strict_before bz_strict_begin(struct bz_place *place, uintptr_t fn) {
    struct bz_strict_before before = {place->strict, place->open};
    place->strict.frame = (uintptr_t)__builtin_frame_address(0);
    place->strict.fn = (const void *)fn;
    return before;
}
BZ_INLINE void bz_strict_end(struct bz_place *place, struct bz_strict_before before, const char *verb) {
    if (bz_unlikely(place->open > before.open))
        bz_strict_unsynced(place, verb, place->strict.fn);
    place->strict = before.outer;
}

/* Calls fn(arg) for `verb`, to which the program passed the function `named`. */
BZ_INLINE void bz_strict_call(struct bz_worker *self, const char *verb, uintptr_t named, blitz_fn *fn,
                              void *arg) {
    struct bz_strict_before before = bz_strict_begin(bz_place_of(self), named);
    fn(arg);
    bz_strict_end(bz_place_of(self), before, verb);
}

/* The same in a pool with BLITZ_DEBUG, else a plain call. */
BZ_INLINE void bz_strict_call_if(struct bz_worker *self, const char *verb, blitz_fn *fn, void *arg) {
    if (BLITZ_DEBUG >= 1 && self->domain->start)
        bz_strict_call(self, verb, bz_watched_named(fn, arg), fn, arg);
    else
        fn(arg);
}

/* The calling thread's worker in a pool, or NULL. */
BZ_INLINE struct bz_worker *bz_pool_self(void) {
    struct bz_worker *self = bz_self;
    if (bz_unlikely(!self || !self->domain->start))
        return NULL;
    if (BLITZ_DEBUG >= 1)
        bz_strict_check(bz_place_of(self), "a verb");
    return self;
}

/* ---- pool.c ---- */

/* The global pool, made on demand; NULL: no memory. The last one reports misuse if the pool has ended. */
struct blitz_pool *bz_pool_global(void);
struct blitz_pool *bz_pool_global_if_any(void);
struct blitz_pool *bz_pool_or_global(struct blitz_pool *pool, const char *verb);

/* Whether `worker` is a pool's, and its place's holder. */
bool bz_pool_has_worker(const struct bz_worker *worker, const void **holder);

/* 0, or an error. */
int bz_pool_start_all(struct blitz_pool *pool);

/* Before a thread leaves: its own jobs; and those from outside. */
void bz_pool_run_own_jobs(struct bz_worker *self);
void bz_pool_run_injected(struct bz_worker *self);

/* With the lock held. */
void bz_pool_wake_workers(struct blitz_pool *pool);           /* its threads and lent ones */
void bz_pool_balance(struct blitz_pool *pool);                /* after a change of the counts */
struct bz_place *bz_pool_take_place(struct blitz_pool *pool); /* NULL: full, or no memory */
void bz_pool_free_place(struct bz_place *place);
/* Whether one is free or can be made: a pool keeps one, so that its jobs can run even without memory. */
bool bz_pool_has_place(struct blitz_pool *pool);

/* For jobs from outside. False: no thread is present for them. */
bool bz_pool_attend(struct blitz_pool *pool);

/* ---- size.c ---- */

/* The size for a requested number (0: the default), and its value of pool->budget. */
unsigned bz_pool_size(unsigned wanted);
uint32_t bz_pool_budget(const struct blitz_pool *pool, unsigned wanted);

/* Returns the size. `reports`: the program learns it. */
unsigned bz_pool_refresh(struct blitz_pool *pool, bool reports);

/* Before a call from outside. Cost: 5 ns unless the CPUs have changed. */
static inline void bz_pool_follow_budget(struct blitz_pool *pool) {
    uint32_t budget = bz_load_relaxed(&pool->budget); /* relaxed: a hint */
    if (bz_unlikely(budget != 0 && budget != bz_budget()))
        (void)bz_pool_refresh(pool, false);
}

/* ---- pool_fork.c ---- */

void bz_pools_leave_behind(struct blitz_pool *first);

/* ---- pins.c ---- */

/* Whether such a configuration pins threads. Its first pool queries the CPUs; bz_pins_take returns an error of that. Any
 * thread. */
bool bz_pins_find(const blitz_config *config);

/* Pins the calling thread to CPU number `index`, modulo their count, until bz_unpin. 0, ENOMEM, or the system's error. After
 * bz_pins_find. Cost: a system call. */
int bz_pins_take(unsigned index);

/* ---- stats.c ---- */

#define BZ_STATS_LINE 256 /* bytes of a line at most */

/* blitz_stats_line of a pool with that many workers. */
int bz_stats_line(blitz_pool *pool, unsigned workers, char *line, size_t size);

/* The global pool's, on standard error. */
void bz_stats_print_at_exit(void);

/* Calls fn(line, arg) for each pool (blitz_stats_line), without a lock, for signal handlers: pools that begin or end
 * meanwhile may be missing. fn must not end a pool. */
void bz_stats_each_pool(void (*fn)(const char *line, void *arg), void *arg);

/* ---- broadcast.c ---- */

/* The place's thread. */
void bz_broadcast_serve(struct bz_place *place);

/* ---- help.c ---- */

/* Runs one job of the worker's pool that it did not make. False: it found none. Its own deque stays as it is: syncs rely on
 * the positions of forks. */
bool bz_help_once(struct bz_worker *self);

/* ---- external.c ---- */

/* Why bz_pool_enter has failed: EAGAIN, all places are taken, or ENOMEM. */
int bz_pool_no_place(struct blitz_pool *pool);

/* Runs fn(arg) inside the pool (NULL: the current or the global one). 0; or as above, and nothing ran. Messages name the
 * function that the program passed to `verb`. */
int bz_pool_run(struct blitz_pool *pool, blitz_fn *fn, void *arg, const char *verb, uintptr_t named);

/* Until bz_pool_close. NULL: no place. */
struct bz_worker *bz_pool_enter(struct blitz_pool *pool);

/* For verbs that another verb completes: the thread's worker, or one of the global pool, until as many calls of close. NULL:
 * no place. */
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

/* Around a wait outside the thread's pool: another thread may replace it there. */
void bz_pool_leave_outer(void);
void bz_pool_return_to_outer(void);

/* Sees to jobs from outside: on the pool's threads, or here if the system refuses threads. */
void bz_pool_serve(struct blitz_pool *pool);

void bz_pool_inject(struct blitz_pool *pool, struct bz_inject_node *node);

static inline struct blitz_pool *bz_pool_of_outer(struct bz_worker *outer) {
    return outer && outer->domain->start ? bz_pool_of(outer) : NULL;
}

/* Until no external thread is inside; after a second it is misuse. */
void bz_pool_wait_for_external(struct blitz_pool *pool);

/* Whether the calling thread is inside the pool, perhaps in another one that it entered there. */
BZ_INLINE bool bz_pool_is_inside(const struct blitz_pool *pool, const char *verb) {
    for (struct bz_worker *at = bz_self; bz_pool_of_outer(at); at = bz_place_of(at)->outer) {
        bz_strict_check(bz_place_of(at), verb);
        if (bz_pool_of_outer(at) == pool)
            return true;
    }
    return false;
}

#endif
