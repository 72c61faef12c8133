#include "api/future.h"

#include <limits.h>

#include "base/hooks.h"
#include "base/sanitizer.h"
#include "env/error.h"
#include "os/os.h"
#include "pool/pool.h"
#include "pool/spawn.h"
#include "pool/token.h"
#include "sched/stack.h"
#include "sched/views.h"
#include "wait/thread.h"
#include "wait/waiter.h"

static void release(struct blitz_future *future) {
    bz_tsan_before(&future->holders);
    if (bz_fetch_sub_acq_rel(&future->holders, 1) != 1) /* U3: pairs with U3; the future may be gone now */
        return;
    bz_tsan_after(&future->holders);
    if (bz_unlikely(future->record))
        bz_hooks->forgets(future->record);
    bz_free(future);
}

/* Reports a dropped handle, unless its memory is used again. */
static void check(const struct blitz_future *future, const char *verb) {
    if (bz_unlikely(bz_load_relaxed(&future->life) != BZ_FUTURE_HELD)) /* relaxed: only an error changes it */
        bz_misuse(verb, "future", future, "was already dropped; use it only before its drop");
}

/* ---- the job ---- */

/* True: the caller runs it. */
static bool begin(struct blitz_future *future) {
    uint32_t state =
        bz_load_relaxed(&future->state); /* relaxed, all: the queue or the handle orders the job */
    while ((state & BZ_FUTURE_PHASE) == BZ_FUTURE_PENDING)
        if (bz_cas_relaxed(&future->state, &state, state | BZ_FUTURE_RUNNING)) {
            bz_store_relaxed(&future->runner, bz_thread_number());
            return true;
        }
    return false;
}

static intptr_t call(struct bz_worker *self, struct blitz_future *future) {
    struct bz_place *place = bz_place_of(self);
    struct bz_strict_before before = bz_strict_begin(place, (uintptr_t)future->fn);
    if (bz_unlikely(future->record))
        bz_hooks->begins(future->record);
    intptr_t value = future->fn(future->arg);
    if (bz_unlikely(future->record))
        bz_hooks->ends();
    bz_strict_end(place, before, "blitz_future_submit");
    return value;
}

static void run(void *arg) {
    struct blitz_future *future = arg;
    struct bz_worker *self = bz_self;
    bz_tsan_after(future);
    bz_views_enter(self);
    if (bz_token_is_cancelled(future->token)) {
        future->error = ECANCELED;
        if (bz_unlikely(future->record))
            bz_hooks->skipped(future->record);
    } else {
        future->value = call(self, future);
    }
    bz_views_leave(self, "a task with a future");
    bz_tsan_before(future);
    if (bz_exchange_release(&future->state, BZ_FUTURE_DONE) & BZ_FUTURE_WAITED) /* U1: pairs with U2 */
        bz_os_futex_wake(&future->state.v, INT_MAX);
}

/* For a queue, which holds the future. After a fork, pending jobs are the parent's. */
static void run_submitted(struct bz_job *job, struct bz_worker *self) {
    struct blitz_future *future = (struct blitz_future *)job;
    struct blitz_pool *pool = future->pool;
    uint32_t generation = future->generation;
    self->running.theft.robbed = NULL; /* not a theft */
    if (generation == bz_fork_generation() && begin(future))
        run(future);
    release(future);
    bz_submitted_end(pool, generation);
}

/* A waiting worker of the pool runs a pending job. The job counts as submitted twice meanwhile, since a queue still has
 * it. */
static bool run_waited(struct blitz_future *future) {
    struct blitz_pool *pool = future->pool;
    uint32_t generation = bz_fork_generation();
    bz_fetch_add_relaxed(&pool->pending, 1); /* relaxed: the queue's count stays until the job ends */
    bool begun = begin(future);
    if (begun && bz_likely(bz_stack_is_left(bz_self)))
        run(future);
    else if (begun) /* it may wait for others, and those for others */
        bz_stack_more(bz_self, run, future);
    bz_submitted_end(pool, generation);
    return begun;
}

/* ---- the wait ---- */

static bool is_done(const struct blitz_future *future) {
    return (bz_load_acquire(&future->state) & BZ_FUTURE_PHASE) == BZ_FUTURE_DONE; /* U2: pairs with U1 */
}

static bool is_waiter_done(void *arg) {
    bool done = is_done(arg);
    if (!done)
        bz_cpu_relax();
    return done;
}

static bool parks_on_future(void *arg, uint32_t *value) {
    struct blitz_future *future = arg;
    for (;;) {
        uint32_t state = bz_load_acquire(&future->state); /* U2: pairs with U1 */
        if ((state & BZ_FUTURE_PHASE) == BZ_FUTURE_DONE)
            return false;
        *value = state | BZ_FUTURE_WAITED;
        if (state == *value || bz_cas_relaxed(&future->state, &state, *value)) /* relaxed: or U2 is next */
            return true;
    }
}

/* The pool continues without the thread. */
static void count_away(void *arg, bool in) {
    (void)arg;
    if (in)
        bz_pool_leave_outer();
    else
        bz_pool_return_to_outer();
}

/* Waits without running jobs. Spins as long as an idle worker does, but not forever inside a pool, which lacks a worker
 * meanwhile. */
static bool block(struct blitz_future *future, uint64_t timeout_ns, uint64_t deadline, const void *site) {
    struct bz_worker *self = bz_pool_self();
    const struct bz_waiter waiter = {.done = is_waiter_done,
                                     .parks = parks_on_future,
                                     .count = count_away,
                                     .word = &future->state.v,
                                     .arg = future};
    uint64_t spin_ns = future->spin_ns;
    if (spin_ns == BZ_SPIN_AUTO || (self && spin_ns > bz_usual_spin()))
        spin_ns = bz_usual_spin();
    struct bz_spin spin = {
        .facts = {.class = BZ_WAIT_JOIN, .chosen_ns = spin_ns < timeout_ns ? spin_ns : timeout_ns}};
    if (self && bz_deque_expose_all(&self->deque))
        bz_worker_notify(self);
    bool reported = bz_unlikely(bz_hooks) && deadline == 0; /* not a wait with a time limit */
    bz_note_wait("a pool's task", future);
    if (reported)
        bz_hooks->waits(BZ_WATCHED_FUTURE, future->record, site);
    bool done =
        bz_waiter_spin(&waiter, &spin) || bz_waiter_park(&waiter, deadline) || waiter.done(waiter.arg);
    if (reported)
        bz_hooks->goes_on(BZ_WATCHED_FUTURE);
    bz_note_wait(NULL, NULL);
    return done;
}

static int result(const struct blitz_future *future, intptr_t *value) {
    bz_tsan_after(future);
    if (value && !future->error)
        *value = future->value;
    return future->error;
}

/* The error of a wait that would never end; 0: none. */
static int refusal(const struct blitz_future *future) {
    if (bz_load_relaxed(&future->runner) == bz_thread_number()) /* relaxed: for the own store only */
        return is_done(future) ? 0 : EDEADLK;
    return future->generation != bz_fork_generation() ? ECANCELED : 0;
}

static bool is_inside(const struct blitz_future *future) {
    struct bz_worker *self = bz_pool_self();
    return self && bz_pool_of(self) == future->pool;
}

static int wait_for(struct blitz_future *future, uint64_t timeout_ns, bool helps, intptr_t *value,
                    const void *site) {
    int error;
    if (!future)
        return EINVAL;
    check(future, helps ? "blitz_future_help" : "blitz_future_wait");
    if (is_done(future))
        return result(future, value);
    if ((error = refusal(future)))
        return error;
    if (timeout_ns == BLITZ_FOREVER && is_inside(future)) {
        if (run_waited(future))
            return result(future, value);
        while (helps && !is_done(future) && bz_help_once(bz_pool_self()))
            ;
    }
    if (timeout_ns == 0)
        return ETIMEDOUT;
    uint64_t now = timeout_ns == BLITZ_FOREVER ? 0 : bz_os_now_ns();
    uint64_t deadline = timeout_ns < BLITZ_FOREVER - now ? now + timeout_ns : 0; /* 0: never */
    return block(future, timeout_ns, deadline, site) ? result(future, value) : ETIMEDOUT;
}

/* ---- the public verbs ---- */

int blitz_future_submit(blitz_pool *pool, blitz_value_fn *fn, void *arg, const blitz_options *options,
                        blitz_future **future) {
    unsigned priority;
    const blitz_token *token;
    if (!fn || !future || !bz_submit_options_read(options, &priority, &token))
        return EINVAL;
    struct blitz_future *made = NULL;
    if (!(pool = bz_pool_or_global(pool, "blitz_future_submit")) || !(made = bz_alloc(sizeof *made)))
        return ENOMEM;
    *made = (struct blitz_future){
        .node = {.job.run = run_submitted, .priority = priority},
        .fn = fn,
        .arg = arg,
        .pool = pool,
        .token = token,
        .spin_ns = pool->domain.spin_ns,
        .generation = bz_fork_generation(),
        .holders = {2},
        .life = {BZ_FUTURE_HELD},
    };
    if (bz_unlikely(bz_hooks) &&
        (made->record = bz_hooks->made((const void *)(uintptr_t)fn, __builtin_return_address(0), false)))
        made->record->is_kept = true;
    *future = made; /* before the job can read it */
    int error = bz_submit(pool, &made->node, "blitz_future_submit", (uintptr_t)fn);
    if (error) {
        *future = NULL;
        if (made->record) {
            bz_hooks->skipped(made->record);
            bz_hooks->forgets(made->record);
        }
        bz_free(made);
    }
    return error;
}

int blitz_future_is_done(const blitz_future *future) {
    if (!future)
        return 0;
    check(future, "blitz_future_is_done");
    if (!is_done(future))
        return refusal(future) == ECANCELED;
    bz_tsan_after(future);
    return 1;
}

int blitz_future_wait(blitz_future *future, intptr_t *value) {
    return wait_for(future, BLITZ_FOREVER, false, value, __builtin_return_address(0));
}

int blitz_future_wait_for(blitz_future *future, uint64_t timeout_ns, intptr_t *value) {
    return wait_for(future, timeout_ns, false, value, __builtin_return_address(0));
}

int blitz_future_help(blitz_future *future, intptr_t *value) {
    return wait_for(future, BLITZ_FOREVER, true, value, __builtin_return_address(0));
}

void blitz_future_drop(blitz_future *future) {
    if (!future)
        return;
    check(future, "blitz_future_drop");
    bz_store_relaxed(&future->life, 0); /* relaxed: a reader is in error */
    release(future);
}
