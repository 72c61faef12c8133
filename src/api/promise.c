#include "api/promise.h"

#include <errno.h>
#include <limits.h>

#include "base/sanitizer.h"
#include "env/error.h"
#include "os/os.h"
#include "pool/help.h"
#include "pool/pool.h"
#include "pool/spawn.h"
#include "pool/token.h"
#include "sched/stack.h"
#include "sched/views.h"
#include "wait/thread.h"
#include "wait/tuning.h"
#include "wait/waiter.h"

static void let_go(struct blitz_promise *promise) {
    bz_tsan_before(&promise->holders);
    if (bz_fetch_sub_acq_rel(&promise->holders, 1) != 1) /* U3: pairs with U3; the promise may be gone now */
        return;
    bz_tsan_after(&promise->holders);
    bz_free(promise);
}

/* A handle that was dropped is seen as such as long as nobody else has got its memory. */
static void look_at(const struct blitz_promise *promise, const char *verb) {
    if (bz_unlikely(bz_load_relaxed(&promise->life) !=
                    BZ_PROMISE_HELD)) /* relaxed: only an error changes it */
        bz_misuse(verb, "promise", promise, "was dropped before");
}

/* ---- the job ---- */

/* True: the caller shall run it. */
static bool begin(struct blitz_promise *promise) {
    uint32_t state =
        bz_load_relaxed(&promise->state); /* relaxed, all: the caller has the job from a queue or */
    while ((state & BZ_PROMISE_PHASE) == BZ_PROMISE_PENDING) /* a handle, and what it needs with that */
        if (bz_cas_relaxed(&promise->state, &state, state | BZ_PROMISE_RUNNING)) {
            bz_store_relaxed(&promise->runner, bz_thread_number());
            return true;
        }
    return false;
}

static intptr_t call(struct bz_worker *self, struct blitz_promise *promise) {
    struct bz_place *place = bz_place_of(self);
    struct bz_duty_before before = bz_duty_begin(place, (uintptr_t)promise->fn);
    intptr_t value = promise->fn(promise->arg);
    bz_duty_end(place, before, "blitz_promise_submit");
    return value;
}

static void run(struct blitz_promise *promise) {
    struct bz_worker *self = bz_self;
    bz_tsan_after(promise);
    bz_views_enter(self);
    if (bz_token_is_cancelled(promise->token))
        promise->error = ECANCELED;
    else
        promise->value = call(self, promise);
    bz_views_leave(self, "a promised job");
    bz_tsan_before(promise);
    if (bz_exchange_acq_rel(&promise->state, BZ_PROMISE_DONE) & BZ_PROMISE_WAITED) /* U1: pairs with U2 */
        bz_os_futex_wake(&promise->state.v, INT_MAX);
}

static void run_taken(struct bz_job *job, struct bz_worker *self) {
    struct blitz_promise *promise = (struct blitz_promise *)job;
    struct blitz_pool *pool = promise->pool;
    uint32_t generation = promise->generation;
    self->theft.robbed = NULL;                                /* nobody asks for it */
    if (generation == bz_fork_generation() && begin(promise)) /* else it is the parent's */
        run(promise);
    let_go(promise);
    bz_submitted_end(pool, generation);
}

static void run_there(void *promise) {
    run(promise);
}

/* A worker of the pool that waits: runs the job if nobody has begun it. It counts as submitted twice meanwhile, since a
 * queue still has it. */
static bool run_waited(struct blitz_promise *promise) {
    struct blitz_pool *pool = promise->pool;
    uint32_t generation = bz_fork_generation();
    bz_submitted_begin(pool);
    bool begun = begin(promise);
    if (begun && bz_likely(bz_stack_is_left(bz_self)))
        run(promise);
    else if (begun) /* it may wait for another one, and so on */
        bz_stack_more(bz_self, run_there, promise);
    bz_submitted_end(pool, generation);
    return begun;
}

/* ---- the wait ---- */

static bool is_done(const struct blitz_promise *promise) {
    return (bz_load_acquire(&promise->state) & BZ_PROMISE_PHASE) == BZ_PROMISE_DONE; /* U2: pairs with U1 */
}

static bool is_waiter_done(void *arg) {
    bool done = is_done(arg);
    if (!done)
        bz_cpu_relax();
    return done;
}

static bool parks_on_promise(void *arg, uint32_t *value) {
    struct blitz_promise *promise = arg;
    for (;;) {
        uint32_t state = bz_load_acquire(&promise->state); /* U2: pairs with U1 */
        if ((state & BZ_PROMISE_PHASE) == BZ_PROMISE_DONE)
            return false;
        *value = state | BZ_PROMISE_WAITED;
        if (state == *value || bz_cas_relaxed(&promise->state, &state, *value)) /* relaxed: or U2 is next */
            return true;
    }
}

/* The pool that the thread works in goes on without it. */
static void count_away(void *arg, bool in) {
    (void)arg;
    if (in)
        bz_pool_leave_outer();
    else
        bz_pool_return_to_outer();
}

/* Waits without running anything. Spins for as long as an idle worker does; but not forever inside a pool, where nobody
 * works in its stead meanwhile. */
static bool block(struct blitz_promise *promise, uint64_t timeout_ns, uint64_t deadline) {
    struct bz_worker *self = bz_pool_self();
    const struct bz_waiter waiter = {.done = is_waiter_done,
                                     .parks = parks_on_promise,
                                     .count = count_away,
                                     .word = &promise->state.v,
                                     .arg = promise};
    uint64_t spin_ns = self && promise->spin_ns > BZ_SPIN_NS ? BZ_SPIN_NS : promise->spin_ns;
    if (spin_ns > timeout_ns)
        spin_ns = timeout_ns;
    struct bz_spin spin = {.limit_ns = spin_ns, .crowded_ns = spin_ns};
    if (self && bz_deque_expose_all(&self->deque))
        bz_worker_notify(self);
    return bz_waiter_spin(&waiter, &spin) || bz_waiter_park(&waiter, deadline) || waiter.done(waiter.arg);
}

static int result(const struct blitz_promise *promise, intptr_t *value) {
    bz_tsan_after(promise);
    if (value && !promise->error)
        *value = promise->value;
    return promise->error;
}

/* Why a wait for what is not done would never end; 0: it will. */
static int refusal(const struct blitz_promise *promise) {
    if (bz_load_relaxed(&promise->runner) ==
        bz_thread_number()) /* relaxed: only the own store is of interest */
        return is_done(promise) ? 0 : EDEADLK;
    return promise->generation != bz_fork_generation() ? ECANCELED : 0;
}

static bool is_inside(const struct blitz_promise *promise) {
    struct bz_worker *self = bz_pool_self();
    return self && bz_pool_of(self) == promise->pool;
}

static int wait_for(struct blitz_promise *promise, uint64_t timeout_ns, bool helps, intptr_t *value) {
    int error;
    if (!promise)
        return EINVAL;
    look_at(promise, helps ? "blitz_promise_help" : "blitz_promise_wait");
    if (is_done(promise))
        return result(promise, value);
    if ((error = refusal(promise)))
        return error;
    if (timeout_ns == BLITZ_FOREVER && is_inside(promise)) { /* what has begun cannot end in time */
        if (run_waited(promise))
            return result(promise, value);
        while (helps && !is_done(promise) && bz_help_once(bz_pool_self()))
            ;
    }
    if (timeout_ns == 0)
        return ETIMEDOUT;
    uint64_t now = timeout_ns == BLITZ_FOREVER ? 0 : bz_os_now_ns();
    uint64_t deadline = timeout_ns < BLITZ_FOREVER - now ? now + timeout_ns : 0; /* 0: never */
    return block(promise, timeout_ns, deadline) ? result(promise, value) : ETIMEDOUT;
}

/* ---- the public verbs ---- */

static void run_serial(void *arg) {
    struct blitz_promise *promise = arg;
    struct blitz_pool *pool = promise->pool;
    uint32_t generation = promise->generation;
    bz_submitted_begin(pool);
    if (begin(promise))
        run(promise);
    let_go(promise);
    bz_submitted_end(pool, generation);
}

static int submit(struct blitz_promise *promise) {
    struct blitz_pool *pool = promise->pool;
    bz_store_relaxed(&promise->holders, 2); /* relaxed: handed out later */
    if (pool->serial)
        return bz_pool_run(pool, run_serial, promise, "blitz_promise_submit", (uintptr_t)promise->fn);
    if (!bz_pool_is_usable(pool))
        return ENOMEM;
    bz_submitted_begin(pool);
    bz_tsan_before(promise);
    bz_pool_inject(pool, &promise->node);
    return 0;
}

int blitz_promise_submit(blitz_pool *pool, const blitz_job_options *options, blitz_value_fn *fn, void *arg,
                         blitz_promise **promise) {
    unsigned priority;
    const blitz_token *token;
    if (!fn || !promise || !bz_job_options_read(options, &priority, &token))
        return EINVAL;
    struct blitz_promise *made = NULL;
    if (!(pool = bz_pool_or_global(pool, "blitz_promise_submit")) || !(made = bz_alloc(sizeof *made)))
        return ENOMEM;
    *made = (struct blitz_promise){
        .node = {.job.run = run_taken, .priority = priority},
        .fn = fn,
        .arg = arg,
        .pool = pool,
        .token = token,
        .spin_ns = pool->domain.spin_ns,
        .generation = bz_fork_generation(),
        .holders = {1},
        .life = {BZ_PROMISE_HELD},
    };
    *promise = made; /* before the job can ask for it */
    int error = submit(made);
    if (error) {
        *promise = NULL;
        bz_free(made);
    }
    return error;
}

int blitz_promise_is_done(const blitz_promise *promise) {
    if (!promise)
        return 0;
    look_at(promise, "blitz_promise_is_done");
    if (!is_done(promise))
        return refusal(promise) == ECANCELED;
    bz_tsan_after(promise);
    return 1;
}

int blitz_promise_wait(blitz_promise *promise, intptr_t *value) {
    return wait_for(promise, BLITZ_FOREVER, false, value);
}

int blitz_promise_wait_for(blitz_promise *promise, uint64_t timeout_ns, intptr_t *value) {
    return wait_for(promise, timeout_ns, false, value);
}

int blitz_promise_help(blitz_promise *promise, intptr_t *value) {
    return wait_for(promise, BLITZ_FOREVER, true, value);
}

void blitz_promise_drop(blitz_promise *promise) {
    if (!promise)
        return;
    look_at(promise, "blitz_promise_drop");
    bz_store_relaxed(&promise->life, 0); /* relaxed: whoever reads it is in error */
    let_go(promise);
}
