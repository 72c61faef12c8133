/* Frames: jobs on their owner's stack, and the wait for one. Used by all verbs that fork, and by blitz/cilk.h, whose
 * struct blitz_task_head has the same layout.
 *
 * job.run tells the state. Only the thread that runs a stolen job changes it:
 *   a function   pending: in a deque, or just claimed by a thief
 *   bz_taken     a thief runs it; `thief` is valid
 *   bz_done      it is done; the thief does not touch the frame any more
 *
 *   label  access                               partner  what becomes visible
 *   F1     bz_frame_begin stores bz_taken      F2       thief
 *   F3     bz_frame_end stores bz_done         F2       the job's effects, and in `thief` the views that it left
 *   F4     a worker no longer helps             F5       that what it had taken to help is done, by F3 before
 *
 * Forks are strict: whoever forks joins before it returns. So a deque's jobs are ordered by age, thieves take the
 * oldest, and an owner that finds its job stolen has nothing older left: while it waits it may steal from its thief,
 * where everything is younger than the job (leapfrogging: Wagner and Calder, PPoPP 1993). */
#ifndef BZ_JOIN_H
#define BZ_JOIN_H

#include "blitz.h"
#include "pool/pool.h"
#include "sched/worker.h"

/* The head of a frame. */
struct bz_frame {
    struct bz_job job;
    struct {
        struct bz_worker *v;
    } thief; /* written by the thief before bz_taken, read by the owner after it; once more before bz_done: views.h */
};

/* In `thief` of a stolen job that is done: it points to views, the first of which has the job's index as its position; or it
 * is the index itself, above these bits. */
#define BZ_LEFT_VIEWS ((uintptr_t)1)
#define BZ_LEFT_NOTHING ((uintptr_t)2)
#define BZ_LEFT_MASK ((uintptr_t)3)

/* Marks of the state; never called. */
void bz_taken(struct bz_job *job, struct bz_worker *self);
void bz_done(struct bz_job *job, struct bz_worker *self);

/* job.run, when it is accessed by two threads. */
struct bz_run {
    void (*v)(struct bz_job *job, struct bz_worker *self);
};

static inline struct bz_run *bz_frame_state(struct bz_frame *frame) {
    return (struct bz_run *)&frame->job.run;
}

/* What a job's run function calls first, and last: the frame may be gone after that. Begin returns whom end shall
 * tell: the frame's owner if the job was stolen. A fork stores no owner, since its thief knows whom it robbed. */
struct bz_theft bz_frame_begin(struct bz_frame *frame, struct bz_worker *self);
void bz_frame_end(struct bz_frame *frame, struct bz_theft theft);

/* Owner: true if the frame was still pending; now it is the caller's, to be run here. False: it is done. Waits for
 * that if it was stolen. `site` is the program's, for tools. */
bool bz_frame_claim_slow(struct bz_worker *self, struct bz_frame *frame, const void *site);

/* True: claimed at once. False: the slow claim follows. */
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

/* Takes the return address only on the slow path. */
BZ_INLINE bool bz_frame_claim(struct bz_worker *self, struct bz_frame *frame) {
    return bz_likely(bz_frame_claim_fast(self, frame)) ||
           bz_frame_claim_slow(self, frame, __builtin_return_address(0));
}

/* Owner, after a claim that returned false: takes over what a stolen job did to reducers. Before or after says on which side
 * of what its owner did since the fork it comes when the program is run serially. With jobs of the second kind, which had
 * this index, the claim is preceded by bz_frame_fold. */
void bz_frame_views_before(struct bz_worker *self, struct bz_frame *frame);
void bz_frame_views_after(struct bz_worker *self, struct bz_frame *frame);
void bz_frame_fold_slow(struct bz_worker *self, int64_t index);
static inline void bz_frame_fold(struct bz_worker *self, int64_t index) {
    if (bz_unlikely(self->views.top))
        bz_frame_fold_slow(self, index);
}

/* A call of a function that is to run beside its caller. */
struct bz_call {
    struct bz_frame frame; /* first */
    blitz_fn *fn;
    void *arg;
    struct bz_worker *self; /* who forked it; BZ_NOBODY, BZ_OVER. blitz_fork's alone */
};

/* The job of a call; and its push where that is not fast. */
void bz_call_run(struct bz_job *job, struct bz_worker *self);
bool bz_call_push_slow(struct bz_worker *self, struct bz_call *call, const void *site);

/* Owner: bz_worker_push, with all that is unusual in one place. False: no memory; it is to be run here. */
BZ_INLINE bool bz_call_push(struct bz_worker *self, struct bz_call *call) {
    if (bz_unlikely(!bz_deque_has_room(&self->deque)) || bz_unlikely(bz_deque_is_requested(&self->deque)))
        return bz_call_push_slow(self, call, __builtin_return_address(0));
    bz_worker_put(self, &call->frame.job);
    return true;
}

/* Owner: forks, or runs it here and now when there is no room. */
BZ_INLINE void bz_call_fork(struct bz_worker *self, struct bz_call *call, blitz_fn *fn, void *arg) {
    call->frame.job.run = bz_call_run;
    call->fn = fn;
    call->arg = arg;
    if (bz_unlikely(!bz_call_push(self, call))) {
        call->frame.job.run = bz_done;
        call->frame.thief.v = self; /* which did not steal it */
        bz_strict_call_if(self, "blitz_fork", call->fn, call->arg);
    }
}

BZ_INLINE void bz_call_sync(struct bz_worker *self, struct bz_call *call) {
    if (bz_frame_claim(self, &call->frame))
        bz_strict_call_if(self, "blitz_fork", call->fn, call->arg);
    else
        bz_frame_views_before(self, &call->frame);
}

/* The same for a call that comes after what its caller did since the fork, when the deque's bottom was `index`. */
BZ_INLINE void bz_call_sync_after(struct bz_worker *self, struct bz_call *call, int64_t index) {
    bz_frame_fold(self, index);
    if (bz_frame_claim(self, &call->frame))
        bz_strict_call_if(self, "blitz_join", call->fn, call->arg);
    else
        bz_frame_views_after(self, &call->frame);
}

#endif
