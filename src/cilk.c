/* The slow paths of blitz/cilk.h, and the proof that its structs are those of the scheduler. */
#include "blitz/cilk.h"

#include "error.h"
#include "join.h"
#include "pool.h"

#define SAME(theirs, member, ours, place)                                                                    \
    _Static_assert(offsetof(theirs, member) == offsetof(ours, place) &&                                      \
                       sizeof(((theirs *)0)->member) == sizeof(((ours *)0)->place),                          \
                   "blitz/cilk.h: " #member)

SAME(blitz_job, run, struct bz_future, job.run);
SAME(blitz_job, owner, struct bz_future, owner);
SAME(blitz_job, thief, struct bz_future, thief);
SAME(blitz_worker, bottom, struct bz_worker, deque.bottom);
SAME(blitz_worker, split, struct bz_worker, deque.split);
SAME(blitz_worker, limit, struct bz_worker, deque.limit);
SAME(blitz_worker, ring, struct bz_worker, deque.buffer_own);
SAME(blitz_worker, hungry, struct bz_worker, deque.hungry);
SAME(struct blitz_ring, mask, struct bz_buffer, mask);
_Static_assert(offsetof(struct blitz_ring, slots) == offsetof(struct bz_buffer, slots),
               "blitz/cilk.h: slots");
_Static_assert(sizeof(struct bz_slot) == sizeof(blitz_job *), "blitz/cilk.h: a slot");

static struct bz_worker *worker_of(blitz_worker *me) {
    return (struct bz_worker *)me;
}

int blitz_job_make_room(blitz_worker *me) {
    return bz_deque_make_room(&worker_of(me)->deque);
}

void blitz_job_publish(blitz_worker *me) {
    if (bz_deque_publish(&worker_of(me)->deque))
        bz_worker_notify(worker_of(me));
}

int blitz_job_claim(blitz_worker *me, blitz_job *job) {
    return bz_future_claim_slow(worker_of(me), (struct bz_future *)job);
}

void blitz_job_begin(blitz_job *job, blitz_worker *me) {
    bz_future_begin((struct bz_future *)job, worker_of(me));
}

void blitz_job_end(blitz_job *job) {
    bz_future_end((struct bz_future *)job);
}

static void run_here(void *arg) {
    blitz_job *job = arg;
    job->owner = (blitz_worker *)bz_self;
    job->run(job, job->owner);
}

/* Without memory for a pool there is still a lone worker, whose jobs nobody steals. */
void blitz_job_call(blitz_job *job) {
    if (bz_pool_run(NULL, run_here, job) == 0)
        return;
    if (!bz_worker_adopt())
        bz_fatal("no memory for a task's worker");
    run_here(job);
}
