/* Frames: jobs on their owner's stack, and the wait for one. struct blitz_task_head of blitz/cilk.h has the same layout.
 *
 * job.run is the state. Only the thread that runs a stolen job changes it:
 *   a function   pending: in a deque, or just claimed by a thief
 *   bz_taken     a thief runs it; `thief` is valid
 *   bz_done      done; the thief does not access the frame any more
 *
 *   label  access                                partner  what becomes visible
 *   F1     bz_frame_begin stores bz_taken        F2       thief
 *   F3     bz_frame_end stores bz_done           F2       the job's effects, and the views that it left in `thief`
 *   F4     a worker stops helping                F5       the end, by F3, of all that it took while helping
 *
 * Forks are strict: a function joins all its forks before it returns. So a deque's jobs are ordered by age, thieves
 * take the oldest, and an owner whose job was stolen has no older jobs. It may steal from the thief meanwhile, where
 * all jobs are younger (leapfrogging). */
#ifndef BZ_JOIN_H
#define BZ_JOIN_H

#include "blitz.h"
#include "pool/pool.h"
#include "sched/views.h"
#include "sched/worker.h"

/* The head of a frame. */
struct bz_frame {
    struct bz_job job;
    /* Written by the thief before bz_taken and, as BZ_LEFT_*, before bz_done; read by the owner after each. */
    struct {
        struct bz_worker *v;
    } thief;
};

/* Low bits of `thief` of a stolen job that is done: it points to views, the first of which has the job's index as its
 * position; or it is the index, above these bits. */
#define BZ_LEFT_VIEWS ((uintptr_t)1)
#define BZ_LEFT_NOTHING ((uintptr_t)2)
#define BZ_LEFT_MASK ((uintptr_t)3)

/* States; never called. */
void bz_taken(struct bz_job *job, struct bz_worker *self);
void bz_done(struct bz_job *job, struct bz_worker *self);

/* job.run as a shared word. */
struct bz_run {
    void (*v)(struct bz_job *job, struct bz_worker *self);
};

static inline struct bz_run *bz_frame_state(struct bz_frame *frame) {
    return (struct bz_run *)&frame->job.run;
}

/* Begin and end a job's run function. The theft names the owner of a stolen job, which the end wakes; the frame may be gone
 * then. */
struct bz_theft bz_frame_begin(struct bz_frame *frame, struct bz_worker *self);
void bz_frame_end(struct bz_frame *frame, struct bz_theft theft);

/* Owner. True: the frame was pending; the caller runs it. False: it is done, after a wait if it was stolen. `site` is for
 * tools. */
bool bz_frame_claim_slow(struct bz_worker *self, struct bz_frame *frame, const void *site);

/* False: the slow claim follows. */
BZ_INLINE bool bz_frame_claim_fast(struct bz_worker *self, struct bz_frame *frame) {
    struct bz_deque *deque = &self->deque;
    int64_t b = bz_deque_bottom(deque) - 1;
    if (bz_likely(b >= deque->split) && bz_likely(bz_deque_at(deque, b) == &frame->job)) {
        if (bz_likely(bz_deque_pop_private(deque, b)))
            return true;
        bz_deque_pop_undo(deque, b);
    }
    return false;
}

/* Takes the return address only if slow. */
BZ_INLINE bool bz_frame_claim(struct bz_worker *self, struct bz_frame *frame) {
    return bz_likely(bz_frame_claim_fast(self, frame)) ||
           bz_frame_claim_slow(self, frame, __builtin_return_address(0));
}

/* Owner, after a claim that returned false: takes over what a stolen job did to reducers. In a serial run, the job comes
 * before or `after` what its owner did since the fork. If after, bz_frame_fold precedes the claim. */
void bz_frame_take_views(struct bz_worker *self, const struct bz_frame *frame, bool after);
static inline void bz_frame_fold(struct bz_worker *self, int64_t index) {
    if (bz_unlikely(self->views.top))
        bz_views_fold(self, index);
}

/* A forked call of a function. */
struct bz_call {
    struct bz_frame frame; /* first */
    blitz_fn *fn;
    void *arg;
    struct bz_worker *self; /* of blitz_fork: the forking worker, BZ_NOBODY or BZ_OVER */
};

/* The job of a call; the slow path of its push. */
void bz_call_run(struct bz_job *job, struct bz_worker *self);
bool bz_call_push_slow(struct bz_worker *self, struct bz_call *call, const void *site);

/* bz_worker_push, with one slow path. `site`: of the call in the program; NULL: of the function that this is inlined in.
 * False: no memory; the caller runs it. */
BZ_INLINE bool bz_call_push(struct bz_worker *self, struct bz_call *call, const void *site) {
    if (bz_unlikely(!bz_deque_has_room(&self->deque)) || bz_unlikely(bz_deque_is_requested(&self->deque)))
        return bz_call_push_slow(self, call, site ? site : __builtin_return_address(0));
    bz_worker_put(self, &call->frame.job);
    return true;
}

/* Without memory, runs it. */
BZ_INLINE void bz_call_fork(struct bz_worker *self, struct bz_call *call, blitz_fn *fn, void *arg) {
    call->frame.job.run = bz_call_run;
    call->fn = fn;
    call->arg = arg;
    if (bz_unlikely(!bz_call_push(self, call, NULL))) {
        call->frame.job.run = bz_done;
        call->frame.thief.v = self; /* not stolen */
        bz_strict_call_if(self, "blitz_fork", call->fn, call->arg);
    }
}

BZ_INLINE void bz_call_sync(struct bz_worker *self, struct bz_call *call) {
    if (bz_frame_claim(self, &call->frame))
        bz_strict_call_if(self, "blitz_fork", call->fn, call->arg);
    else
        bz_frame_take_views(self, &call->frame, false);
}

/* The same for a call that comes, in a serial run, after what its caller did since the fork; `index` was the deque's bottom
 * then. */
BZ_INLINE void bz_call_sync_after(struct bz_worker *self, struct bz_call *call, int64_t index) {
    bz_frame_fold(self, index);
    if (bz_frame_claim(self, &call->frame))
        bz_strict_call_if(self, "blitz_join", call->fn, call->arg);
    else
        bz_frame_take_views(self, &call->frame, true);
}

#endif
