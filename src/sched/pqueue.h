/* The priority queue of a domain: jobs beside the deques, in order of their priority, highest first, and first come, first
 * served in one priority. For what has to be found by whoever looks next rather than by whoever is near: jobs with a
 * priority, and jobs posted by threads that have no deque in the domain.
 *
 * The items are linked through memory of whoever posts them: posting cannot fail. All is done under one lock, so that a
 * filter may look at a job that nobody else can take meanwhile. Cost: the lock, and one step for each priority above and for
 * each job that the filter refuses. Looking at an empty one is one load. */
#ifndef BZ_PQUEUE_H
#define BZ_PQUEUE_H

#include "base/atomic.h"
#include "base/compiler.h"
#include "sched/deque.h"
#include "sched/job.h"

#define BZ_PQUEUE_TOP UINT32_MAX /* above all that a program can name */

/* `job` and `priority` are set by the poster; the rest is the queue's. Stays until the job is taken. */
struct bz_pqueue_item {
    struct bz_job *job;
    struct bz_pqueue_item *next;  /* of the same priority, posted later */
    struct bz_pqueue_item *lower; /* the first one of a priority only: the first of the next lower priority */
    struct bz_pqueue_item *last;  /* the first one of a priority only: the last of this priority */
    uint32_t priority;
};

struct bz_pqueue {
    BZ_ALIGN_LINE struct bz_a32 count; /* of items; written with the lock held, read by all as a hint */
    struct bz_a32 lock;
    struct bz_pqueue_item *first; /* the first one of the highest priority; with the lock held */
};

void bz_pqueue_init(struct bz_pqueue *pqueue);

/* In the child of a fork: lets go of one that a thread which is not here held, and puts it in order. */
void bz_pqueue_mend(struct bz_pqueue *pqueue);

/* Any thread. Whoever should hear of it must be told (domain.h). */
void bz_pqueue_put(struct bz_pqueue *pqueue, struct bz_pqueue_item *item);

/* Takes the first one of the highest priority that the filter allows (NULL: all). NULL: there is none. */
struct bz_job *bz_pqueue_take(struct bz_pqueue *pqueue, bz_may_take *may_take, const void *arg);

/* Whether it would find one. */
bool bz_pqueue_offers(struct bz_pqueue *pqueue, bz_may_take *may_take, const void *arg);

/* Any thread: about how many there are. */
static inline uint32_t bz_pqueue_count(const struct bz_pqueue *pqueue) {
    return bz_load_relaxed(
        &pqueue->count); /* relaxed: a hint; whoever must not miss one fences first (S2, S3, S8) */
}

#endif
