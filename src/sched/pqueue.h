/* The priority queue of a domain: jobs outside the deques, highest priority first, and first come, first served within
 * one. It is for jobs that the next searching worker must find: jobs with a priority, and jobs posted by threads that
 * have no deque in the domain.
 *
 * The items are linked through their posters' memory: posting cannot fail. All is done under one lock, so that a filter
 * may inspect a job that no other thread can take meanwhile. Cost: the lock, and one step for each priority above and for
 * each job that the filter refuses. A check of an empty queue is one load. */
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

/* Any thread. The caller then notifies sleepers (domain.h). */
void bz_pqueue_put(struct bz_pqueue *pqueue, struct bz_pqueue_item *item);

/* Takes the first one of the highest priority that the filter allows (NULL: all). NULL: no such job. */
struct bz_job *bz_pqueue_take(struct bz_pqueue *pqueue, bz_may_take *may_take, const void *arg);

/* Whether it would find one. */
bool bz_pqueue_offers(struct bz_pqueue *pqueue, bz_may_take *may_take, const void *arg);

/* Any thread: about how many there are. */
static inline uint32_t bz_pqueue_count(const struct bz_pqueue *pqueue) {
    return bz_load_relaxed(
        &pqueue->count); /* relaxed: a hint; callers that must not miss one fence first (S2, S3, S8) */
}

#endif
