/* The slow paths of blitz/cilk.h, and checks that its structs match the scheduler's. */
#include "blitz/cilk.h"

#include "api/join.h"
#include "base/hooks.h"
#include "env/error.h"
#include "env/layout.h"
#include "pool/pool.h"
#include "team/adopt.h"

#define SAME(theirs, member, ours, place)                                                                    \
    _Static_assert(offsetof(theirs, member) == offsetof(ours, place) &&                                      \
                       sizeof(((theirs *)0)->member) == sizeof(((ours *)0)->place),                          \
                   "blitz/cilk.h: " #member)

SAME(blitz_task_head, run, struct bz_frame, job.run);
SAME(blitz_task_head, thief, struct bz_frame, thief);
SAME(blitz_worker, bottom, struct bz_worker, deque.bottom);
SAME(blitz_worker, mask, struct bz_worker, deque.mask);
SAME(blitz_worker, slots, struct bz_worker, deque.slots);
SAME(blitz_worker, fast, struct bz_worker, deque.fast);
SAME(blitz_worker, bound, struct bz_worker, deque.bound);
_Static_assert(sizeof(struct bz_slot) == sizeof(blitz_task_head *), "blitz/cilk.h: a slot");

static struct bz_worker *worker_of(blitz_worker *me) {
    return (struct bz_worker *)me;
}

static struct bz_frame *frame_of(blitz_task_head *job) {
    return (struct bz_frame *)job;
}

/* The task takes its record from `thief` when it begins. */
BZ_COLD static void record(blitz_task_head *job, const void *site) {
    job->thief = (blitz_worker *)bz_hooks->made((const void *)(uintptr_t)job->run, site, true);
}

/* By its own worker: before its sync, or where it was entered. */
static void run_in_place(struct bz_worker *self, blitz_task_head *job) {
    self->running.theft.robbed = NULL; /* not stolen */
    self->running.in_place = (struct bz_job *)job;
    job->run(job, (blitz_worker *)self);
    frame_of(job)->thief.v = NULL; /* not in the deque any more */
}

int64_t blitz_task_push(blitz_worker *me, blitz_task_head *job) {
    struct bz_worker *self = worker_of(me);
    if (bz_unlikely(bz_hooks))
        record(job, __builtin_return_address(0));
    if (bz_worker_push(self, (struct bz_job *)job)) {
        bz_deque_restore_bound(&self->deque);
        return bz_deque_bottom(&self->deque);
    }
    run_in_place(self, job);
    return -1;
}

/* `thief` of a job that `me` itself ran before its sync is `me` (blitz_task_begin). */
int blitz_task_claim(blitz_worker *me, blitz_task_head *job, int64_t bottom) {
    struct bz_worker *self = worker_of(me);
    bz_store_release(&self->deque.bottom, bottom); /* D12: pairs with D14. It may be one lower */
    if (bz_frame_claim(self, frame_of(job))) {
        if (bz_likely(!bz_hooks))
            return 1;
        run_in_place(self, job); /* reports its end */
        return 0;
    }
    if (frame_of(job)->thief.v == self)
        bz_deque_end_slow_pops(&self->deque);
    bz_frame_take_views(self, frame_of(job), false);
    return 0;
}

/* A task that its own worker runs before its sync has left the deque, and a later spawn may have its index. So pops are slow
 * until its sync, and check the job. */
blitz_theft blitz_task_begin(blitz_task_head *job, blitz_worker *me) {
    struct bz_worker *self = worker_of(me);
    if (bz_unlikely(bz_hooks))
        bz_hooks->begins((struct bz_watched *)job->thief);
    struct bz_theft theft = bz_frame_begin(frame_of(job), self);
    if (self->running.in_place != (struct bz_job *)job && !theft.robbed)
        bz_deque_begin_slow_pops(&self->deque);
    self->running.in_place = NULL;
    return (blitz_theft){(blitz_worker *)theft.robbed, theft.index};
}

void blitz_task_end(blitz_task_head *job, blitz_theft theft) {
    if (bz_unlikely(bz_hooks))
        bz_hooks->ends();
    bz_frame_end(frame_of(job), (struct bz_theft){worker_of(theft.owner), theft.index});
}

static void run_here(void *arg) {
    run_in_place(bz_self, arg);
}

/* Tools begin with the first pool. Without memory for a pool, a solo worker runs the task. */
void blitz_task_enter(blitz_task_head *job, unsigned layout) {
    bz_layout_check("blitz/cilk.h", layout, BLITZ_TASK_LAYOUT);
    if ((bz_pool_self() || bz_pool_global()) && bz_unlikely(bz_hooks))
        record(job, __builtin_return_address(0));
    if (bz_pool_run(NULL, run_here, job, "a task of blitz/cilk.h", (uintptr_t)job->run) == 0)
        return;
    if (bz_hooks || !bz_worker_adopt()) /* tools see tasks of pools alone */
        bz_fatal("no memory for a task's worker");
    run_here(job);
}
