/* Futures: jobs on their owner's stack, and the wait for one. Used by all verbs that fork, and by blitz/cilk.h, whose
 * struct blitz_job has the same layout.
 *
 * job.run tells the state. Only the thread that runs a stolen job changes it:
 *   a function   pending: in a deque, or just claimed by a thief
 *   bz_taken     a thief runs it; `thief` is valid
 *   bz_done      it is done; the thief does not touch the future any more
 *
 *   label  access                               partner  what becomes visible
 *   F1     bz_future_begin stores bz_taken      F2       thief
 *   F3     bz_future_end stores bz_done         F2       the job's effects
 *
 * Forks are strict: whoever forks joins before it returns. So a deque's jobs are ordered by age, thieves take the
 * oldest, and an owner that finds its job stolen has nothing older left: while it waits it may steal from its thief,
 * where everything is younger than the job (leapfrogging: Wagner and Calder, PPoPP 1993). */
#ifndef BZ_JOIN_H
#define BZ_JOIN_H

#include "blitz.h"
#include "worker.h"

/* The head of a future. */
struct bz_future {
    struct bz_job job;
    struct {
        struct bz_worker *v;
    } thief; /* written by the thief before bz_taken, read by the owner after it */
};

/* Marks of the state; never called. */
void bz_taken(struct bz_job *job, struct bz_worker *self);
void bz_done(struct bz_job *job, struct bz_worker *self);

/* job.run, when it is accessed by two threads. */
struct bz_run {
    void (*v)(struct bz_job *job, struct bz_worker *self);
};

static inline struct bz_run *bz_future_state(struct bz_future *future) {
    return (struct bz_run *)&future->job.run;
}

/* What a job's run function calls first, and last: the future may be gone after that. Begin returns whom end shall wake:
 * the future's owner if the job was stolen. A fork stores no owner, since its thief knows whom it robbed. */
struct bz_worker *bz_future_begin(struct bz_future *future, struct bz_worker *self);
void bz_future_end(struct bz_future *future, struct bz_worker *owner);

/* Owner: true if the future was still pending; now it is the caller's, to be run here. False: it is done. Waits for
 * that if it was stolen. */
bool bz_future_claim_slow(struct bz_worker *self, struct bz_future *future);

static inline bool bz_future_claim(struct bz_worker *self, struct bz_future *future) {
    struct bz_deque *deque = &self->deque;
    int64_t b = deque->bottom - 1;
    if (bz_likely(b >= deque->split) &&
        bz_likely(bz_load_relaxed(&deque->slots[b & deque->mask]) == &future->job)) { /* relaxed: own store */
        deque->bottom = b;
        if (bz_deque_wanted(deque) && bz_deque_publish(deque))
            bz_worker_notify(self);
        return true;
    }
    return bz_future_claim_slow(self, future);
}

/* A call of a function that is to run beside its caller. */
struct bz_call {
    struct bz_future future; /* first */
    blitz_fn *fn;
    void *arg;
    struct bz_worker *self; /* who forked it; NULL: nobody needs to sync */
};

/* Owner: forks, or runs it here and now when there is no room. */
void bz_call_fork(struct bz_worker *self, struct bz_call *call, blitz_fn *fn, void *arg);

static inline void bz_call_sync(struct bz_worker *self, struct bz_call *call) {
    if (bz_future_claim(self, &call->future))
        call->fn(call->arg);
}

#endif
