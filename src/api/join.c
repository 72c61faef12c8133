#include "api/join.h"

#include "base/hooks.h"
#include "base/sanitizer.h"
#include "env/error.h"
#include "os/os.h"
#include "sched/stack.h"

/* A job in a deque whose frame was left or forked again. */
static BZ_COLD _Noreturn void refuse(const struct bz_job *job) {
    bz_misuse("a fork", "task", job, "was not synced before its memory was left or reused; sync it first");
}

BZ_COLD void bz_taken(struct bz_job *job, struct bz_worker *self) {
    (void)self;
    refuse(job);
}

BZ_COLD void bz_done(struct bz_job *job, struct bz_worker *self) {
    (void)self;
    refuse(job);
}

struct bz_theft bz_frame_begin(struct bz_frame *frame, struct bz_worker *self) {
    struct bz_theft theft = bz_worker_take_theft(self);
    if (bz_unlikely(self->views.top) && theft.robbed)
        bz_views_mark(self);
    bz_store_relaxed(&frame->thief, self);             /* relaxed: published by F1 */
    bz_store_release(bz_frame_state(frame), bz_taken); /* F1: pairs with F2 */
    bz_tsan_after(frame);                              /* pairs with the push */
    return theft;
}

/* `thief` for the owner of a stolen job. */
static struct bz_worker *leave_views(int64_t index) {
    struct bz_view *left = bz_unlikely(bz_self->views.top) ? bz_views_take(bz_self) : NULL;
    if (!left)
        return (struct bz_worker *)((uintptr_t)index << 2 | BZ_LEFT_NOTHING);
    left->position = index;
    return (struct bz_worker *)((uintptr_t)left | BZ_LEFT_VIEWS);
}

void bz_frame_end(struct bz_frame *frame, struct bz_theft theft) {
    if (theft.robbed)
        bz_store_relaxed(&frame->thief, leave_views(theft.index)); /* relaxed: published by F3 */
    bz_tsan_before(frame);
    bz_store_release(bz_frame_state(frame), bz_done); /* F3: pairs with F2; the frame may be gone now */
    if (theft.robbed)
        bz_worker_wake(theft.robbed);
}

/* ---- the wait for a stolen job ---- */

struct join {
    struct bz_wait wait;
    struct bz_worker *self;
    struct bz_frame *frame;
};

typedef void state(struct bz_job *job, struct bz_worker *self);

static state *state_of(struct bz_frame *frame) {
    return bz_load_acquire(bz_frame_state(frame)); /* F2: pairs with F1 and F3 */
}

static bool is_done(void *arg) {
    struct join *join = arg;
    state *now = state_of(join->frame);
    if (now == bz_done)
        return true;
    /* Steals from the thief from the begin of the job to its end. relaxed: F2 */
    struct bz_worker *thief = now == bz_taken ? bz_load_relaxed(&join->frame->thief) : join->self;
    join->wait.filter.victim = (uintptr_t)thief & BZ_LEFT_MASK ? join->self : thief;
    return false;
}

/* While the thief runs our job without helping, our job has made all jobs in its deque. */
static bool is_related(const struct bz_job *job, const void *arg) {
    const struct join *join = arg;
    (void)job;
    if (bz_load_acquire(
            &join->wait.filter.victim->running.helping)) /* F5: pairs with F4. First, so that 0 means done */
        return false;
    return state_of(join->frame) != bz_done;
}

BZ_COLD static void wait_for_thief(struct bz_worker *self, struct bz_frame *frame, const void *site) {
    struct join join = {.self = self, .frame = frame};
    join.wait = (struct bz_wait){.what = "a call that another thread has taken",
                                 .done = is_done,
                                 .arg = &join,
                                 .filter = {.may_take = is_related, .arg = &join, .victim = self}};
    bz_watched_waits(BZ_WATCHED_SYNC, NULL, site);
    bz_worker_wait_until(self, &join.wait);
    bz_watched_goes_on(BZ_WATCHED_SYNC);
}

/* ---- the wait for the begin of a job that is in no deque ---- */

/* A thief with CPU time begins a job at once. The owner polls this often. */
#define BEGIN_NS UINT64_C(50000000)

static bool is_pending(struct bz_frame *frame) {
    state *now = bz_load_relaxed(bz_frame_state(frame)); /* relaxed: its callers read it again */
    return now != bz_taken && now != bz_done;
}

static bool has_begun(void *arg) {
    struct join *join = arg;
    return !is_pending(join->frame) || bz_os_now_ns() >= join->wait.deadline_ns;
}

/* Whether no other worker has entered: then no thief has the job. */
static bool is_alone(const struct bz_worker *self) {
    struct bz_domain *domain = self->domain;
    bool alone = !domain->orphaned;
    for (uint32_t i = 0; i < bz_load_relaxed(&domain->count); i++) { /* relaxed, both: set long ago */
        struct bz_worker *worker = bz_load_relaxed(&domain->slots[i]);
        alone &= !worker || worker == self;
    }
    return alone;
}

static BZ_COLD void wait_for_begin(struct bz_worker *self, struct bz_frame *frame) {
    struct join join = {.frame = frame};
    join.wait = (struct bz_wait){.what = "a call that another thread has taken",
                                 .done = has_begun,
                                 .arg = &join,
                                 .filter = {.floor = INT64_MAX - 1, .own_only = true},
                                 .deadline_ns = bz_os_now_ns() + BEGIN_NS};
    bz_worker_wait_until(self, &join.wait);
    if (is_pending(frame) && is_alone(self))
        bz_misuse(
            "a sync", "task", frame,
            "is neither queued nor running: it was already synced, or never forked; sync each fork once");
}

/* ---- the claim ---- */

/* Whether the job is in a left frame of the running stack; known on the thread's first stack only. */
static bool is_left(const struct bz_worker *self, const struct bz_job *job) {
    uintptr_t now = bz_stack_now(), place = (uintptr_t)job;
    bool maybe = place > self->stack.limit && place < now;
    return bz_unlikely(maybe) && bz_os_stack_holds(place) && bz_os_stack_holds(now);
}

/* In the sync of the frame, with views set aside. */
static void run_with_views(struct bz_worker *self, struct bz_frame *frame, struct bz_job *job) {
    if (job == &frame->job)
        self->running.in_place = job;
    bz_views_run(self, job);
    self->running.in_place = NULL;
    if (job == &frame->job)
        bz_store_relaxed(&frame->thief, NULL); /* relaxed: no thief */
}

/* Jobs above ours in the deque are younger, so they may run now. */
__attribute__((noinline)) bool bz_frame_claim_slow(struct bz_worker *self, struct bz_frame *frame,
                                                   const void *site) {
    while (state_of(frame) != bz_done) {
        int64_t index = bz_deque_bottom(&self->deque) - 1;
        struct bz_job *job = bz_worker_pop(self);
        if (is_left(self, job))
            refuse(job);
        if (job && bz_unlikely(self->views.top) && bz_views_set_aside(self, index))
            run_with_views(self, frame, job);
        else if (job == &frame->job)
            return true;
        else if (job)
            bz_worker_run(self, job);
        else if (bz_unlikely(is_pending(frame)))
            wait_for_begin(self, frame);
        else
            wait_for_thief(self, frame, site);
    }
    bz_tsan_after(frame);
    return false;
}

/* ---- reducers ---- */

void bz_frame_take_views(struct bz_worker *self, const struct bz_frame *frame, bool after) {
    uintptr_t thief = (uintptr_t)frame->thief.v; /* F2 was before */
    struct bz_view *left = thief & BZ_LEFT_VIEWS ? (struct bz_view *)(thief & ~BZ_LEFT_MASK) : NULL;
    if (!(thief & BZ_LEFT_MASK) || (!left && !self->views.top))
        return; /* it was not stolen, or neither has views */
    int64_t index = left ? left->position : (int64_t)(thief >> 2);
    if (after)
        bz_views_join_after(self, index, left);
    else
        bz_views_join(self, index, left);
}

/* ---- calls ---- */

void bz_call_run(struct bz_job *job, struct bz_worker *self) {
    struct bz_call *call = (struct bz_call *)job;
    struct bz_theft theft = bz_frame_begin(&call->frame, self);
    bz_strict_call_if(self, "blitz_fork or blitz_join", call->fn, call->arg);
    bz_frame_end(&call->frame, theft);
}

__attribute__((noinline)) bool bz_call_push_slow(struct bz_worker *self, struct bz_call *call,
                                                 const void *site) {
    if (bz_unlikely(bz_hooks))
        bz_watched_make(&call->fn, &call->arg, site);
    return bz_worker_push(self, &call->frame.job);
}

/* ---- the public verbs ---- */

_Static_assert(sizeof(struct bz_call) <= sizeof(blitz_frame), "a frame has room for a call");

static void nothing(void *arg) {
    (void)arg;
}

static blitz_fn *checked(blitz_fn *fn, const char *verb, struct bz_aflag *warned) {
    if (bz_likely(fn))
        return fn;
    bz_warn_once(warned, "%s: the function is NULL; skipped", verb);
    return nothing;
}

struct pair {
    blitz_fn *fa, *fb;
    void *a, *b;
    const void *site; /* in the program */
};

/* `site`: as bz_call_push has it. */
BZ_INLINE void join(struct bz_worker *self, blitz_fn *fa, void *a, blitz_fn *fb, void *b, const void *site) {
    struct bz_call call = {.frame.job.run = bz_call_run, .fn = fb, .arg = b};
    int64_t index = bz_deque_bottom(&self->deque);
    bool forked = bz_call_push(self, &call, site);
    bz_strict_call_if(self, "blitz_join", fa, a);
    if (bz_unlikely(!forked))
        bz_strict_call_if(self, "blitz_join", call.fn, call.arg);
    else
        bz_call_sync_after(self, &call, index);
}

BZ_COLD static void join_outside(void *arg) {
    struct pair *pair = arg;
    join(bz_self, pair->fa, pair->a, pair->fb, pair->b, pair->site);
}

void blitz_join(blitz_fn *fa, void *a, blitz_fn *fb, void *b) {
    static struct bz_aflag warned;
    struct bz_worker *self = bz_pool_self();
    fa = checked(fa, "blitz_join", &warned);
    fb = checked(fb, "blitz_join", &warned);
    if (bz_unlikely(!self)) {
        struct pair pair = {fa, fb, a, b, __builtin_return_address(0)};
        if (bz_pool_run(NULL, join_outside, &pair, "blitz_join", (uintptr_t)fa)) { /* no memory for a pool */
            fa(a);
            fb(b);
        }
        return;
    }
    join(self, fa, a, fb, b, NULL);
}

void blitz_fork(blitz_frame *frame, blitz_fn *fn, void *arg) {
    static struct bz_aflag warned;
    struct bz_call *call = (struct bz_call *)frame;
    if (bz_unlikely(!frame))
        bz_misuse("blitz_fork", "frame", NULL, "must not be NULL");
    struct bz_worker *self = bz_pool_open();
    fn = checked(fn, "blitz_fork", &warned);
    if (bz_unlikely(!self)) {
        call->self = BZ_NOBODY;
        fn(arg);
        return;
    }
    if (BLITZ_DEBUG >= 1)
        bz_strict_opened(bz_place_of(self), "blitz_fork", "frame", frame);
    call->self = self;
    bz_call_fork(self, call, fn, arg);
}

/* Not by the worker that forked it. */
BZ_COLD static void sync_elsewhere(struct bz_call *call) {
    if (!call)
        bz_misuse("blitz_sync", "frame", NULL, "must not be NULL");
    if (call->self != BZ_NOBODY)
        bz_strict_refuse("blitz_sync", "frame", call, call->self, "forked", "synced");
    call->self = BZ_OVER;
}

void blitz_sync(blitz_frame *frame) {
    struct bz_call *call = (struct bz_call *)frame;
    struct bz_worker *self = bz_self;
    if (bz_unlikely(!call || call->self != self || !self)) {
        sync_elsewhere(call);
        return;
    }
    if (BLITZ_DEBUG >= 1)
        bz_strict_closed(bz_place_of(self), "blitz_sync", "frame", frame);
    call->self = BZ_OVER; /* the thief does not read it */
    bz_call_sync(self, call);
    bz_pool_close(self);
}
