#include "join.h"

#include "error.h"
#include "pool.h"
#include "sanitizer.h"
#include "views.h"

BZ_COLD void bz_taken(struct bz_job *job, struct bz_worker *self) {
    (void)job, (void)self;
    bz_assert_fail(__FILE__, __LINE__, "a taken job is not run again");
}

BZ_COLD void bz_done(struct bz_job *job, struct bz_worker *self) {
    (void)job, (void)self;
    bz_assert_fail(__FILE__, __LINE__, "a done job is not run again");
}

struct bz_theft bz_future_begin(struct bz_future *future, struct bz_worker *self) {
    struct bz_theft theft = bz_worker_take_theft(self);
    if (bz_unlikely(self->views != NULL) && theft.robbed)
        bz_views_mark(self);
    bz_store_relaxed(&future->thief, self);              /* relaxed: published by F1 */
    bz_store_release(bz_future_state(future), bz_taken); /* F1: pairs with F2 */
    bz_tsan_after(future);                               /* released when it was published */
    return theft;
}

/* What the owner of a stolen job finds in `thief`. */
static struct bz_worker *leave_views(int64_t index) {
    struct bz_view *left = bz_unlikely(bz_self->views != NULL) ? bz_views_take(bz_self) : NULL;
    if (!left)
        return (struct bz_worker *)((uintptr_t)index << 2 | BZ_LEFT_NOTHING);
    left->level = index;
    return (struct bz_worker *)((uintptr_t)left | BZ_LEFT_VIEWS);
}

void bz_future_end(struct bz_future *future, struct bz_theft theft) {
    if (theft.robbed)
        bz_store_relaxed(&future->thief, leave_views(theft.index)); /* relaxed: published by F3 */
    bz_tsan_before(future);
    bz_store_release(bz_future_state(future), bz_done); /* F3: pairs with F2; the future may be gone now */
    if (theft.robbed)
        bz_worker_wake(theft.robbed);
}

/* The wait for a stolen job. */
struct join {
    struct bz_wait wait;
    struct bz_worker *self;
    struct bz_future *future;
};

static bool is_done(void *arg) {
    struct join *join = arg;
    void (*state)(struct bz_job *, struct bz_worker *) =
        bz_load_acquire(bz_future_state(join->future)); /* F2: pairs with F1 and F3 */
    if (state == bz_done)
        return true;
    /* Until the thief is known there is nobody to steal from. relaxed: F2 */
    struct bz_worker *thief = state == bz_taken ? bz_load_relaxed(&join->future->thief) : join->self;
    join->wait.filter.victim =
        (uintptr_t)thief & BZ_LEFT_MASK ? join->self : thief; /* else it is about to end */
    return false;
}

/* Whatever the thief has in its deque while it still runs our job was made by our job, unless it helps. */
static bool is_related(const struct bz_job *job, const void *arg) {
    const struct join *join = arg;
    (void)job;
    if (bz_load_acquire(
            &join->wait.filter.victim->helping)) /* F5: pairs with F4: first, so that 0 means done */
        return false;
    return bz_load_acquire(bz_future_state(join->future)) != bz_done; /* F2: pairs with F3 */
}

BZ_COLD static void wait_for_thief(struct bz_worker *self, struct bz_future *future) {
    struct join join = {.self = self, .future = future};
    join.wait = (struct bz_wait){
        .done = is_done, .arg = &join, .filter = {.may_take = is_related, .arg = &join, .victim = self}};
    bz_worker_wait_until(self, &join.wait);
}

/* Jobs above ours in the deque were left there by something less strict (a scope's tasks): they are younger than
 * ours, so they may run now. */
__attribute__((noinline)) bool bz_future_claim_slow(struct bz_worker *self, struct bz_future *future) {
    bz_assert(1, self == bz_self);
    while (bz_load_acquire(bz_future_state(future)) != bz_done) { /* F2: pairs with F3 */
        int64_t index = bz_deque_bottom(&self->deque) - 1;
        struct bz_job *job = bz_worker_pop(self);
        if (job && bz_unlikely(self->views != NULL) && bz_views_set_aside(self, index))
            bz_views_run(self, job);
        else if (job == &future->job)
            return true;
        else if (job)
            bz_worker_run(self, job);
        else
            wait_for_thief(self, future);
    }
    bz_tsan_after(future);
    return false;
}

/* ---- what a stolen job did to reducers ---- */

/* True if there is something to do: the job was stolen, and one of both has views. */
static bool left_by_thief(struct bz_worker *self, const struct bz_future *future, int64_t *index,
                          struct bz_view **left) {
    uintptr_t thief = (uintptr_t)future->thief.v; /* F2 was before */
    *left = thief & BZ_LEFT_VIEWS ? (struct bz_view *)(thief & ~BZ_LEFT_MASK) : NULL;
    *index = *left ? (*left)->level : (int64_t)(thief >> 2);
    return (thief & BZ_LEFT_MASK) && (*left || self->views);
}

void bz_future_views_before(struct bz_worker *self, struct bz_future *future) {
    struct bz_view *left;
    int64_t index;
    if (left_by_thief(self, future, &index, &left))
        bz_views_join(self, index, left);
}

void bz_future_views_after(struct bz_worker *self, struct bz_future *future) {
    struct bz_view *left;
    int64_t index;
    if (left_by_thief(self, future, &index, &left))
        bz_views_join_after(self, index, left);
}

BZ_COLD void bz_future_fold_slow(struct bz_worker *self, int64_t index) {
    bz_views_fold(self, index);
}

/* ---- calls ---- */

static void run_call(struct bz_job *job, struct bz_worker *self) {
    struct bz_call *call = (struct bz_call *)job;
    struct bz_theft theft = bz_future_begin(&call->future, self);
    call->fn(call->arg);
    bz_future_end(&call->future, theft);
}

void bz_call_fork(struct bz_worker *self, struct bz_call *call, blitz_fn *fn, void *arg) {
    call->future.job.run = run_call;
    call->fn = fn;
    call->arg = arg;
    if (bz_unlikely(!bz_worker_push(self, &call->future.job))) {
        call->future.job.run = bz_done;
        call->future.thief.v = self; /* which did not steal it */
        fn(arg);
    }
}

/* ---- the public verbs ---- */

_Static_assert(sizeof(struct bz_call) <= sizeof(blitz_future), "a future has room for a call");

static void nothing(void *arg) {
    (void)arg;
}

/* warned: the verb's own. */
static blitz_fn *checked(blitz_fn *fn, const char *verb, struct bz_aflag *warned) {
    if (bz_likely(fn != NULL))
        return fn;
    bz_warn_once(warned, "%s: the function is NULL, skipped", verb);
    return nothing;
}

struct pair {
    blitz_fn *fa, *fb;
    void *a, *b;
};

static void join_outside(void *arg) {
    struct pair *pair = arg;
    blitz_join(pair->fa, pair->a, pair->fb, pair->b);
}

void blitz_join(blitz_fn *fa, void *a, blitz_fn *fb, void *b) {
    static struct bz_aflag warned;
    struct bz_worker *self = bz_pool_self();
    fa = checked(fa, "blitz_join", &warned);
    fb = checked(fb, "blitz_join", &warned);
    if (bz_unlikely(!self)) {
        struct pair pair = {fa, fb, a, b};
        if (bz_pool_run(NULL, join_outside, &pair)) { /* no memory for a pool */
            fa(a);
            fb(b);
        }
        return;
    }
    struct bz_call call = {.future.job.run = run_call, .fn = fb, .arg = b};
    int64_t index = bz_deque_bottom(&self->deque);
    bool forked = bz_worker_push(self, &call.future.job);
    fa(a);
    if (bz_unlikely(!forked))
        fb(b);
    else
        bz_call_sync_after(self, &call, index);
}

void blitz_fork(blitz_future *future, blitz_fn *fn, void *arg) {
    static struct bz_aflag warned;
    struct bz_call *call = (struct bz_call *)future;
    struct bz_worker *self = bz_pool_open();
    fn = checked(fn, "blitz_fork", &warned);
    if (bz_likely(self != NULL)) {
        call->self = self;
        bz_call_fork(self, call, fn, arg);
        return;
    }
    call->self = NULL;
    fn(arg);
}

void blitz_sync(blitz_future *future) {
    struct bz_call *call = (struct bz_call *)future;
    struct bz_worker *self = call->self;
    if (bz_unlikely(!self))
        return;
    bz_call_sync(self, call);
    bz_pool_close(self);
}
