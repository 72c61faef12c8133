/* The priority queue of a domain, FIFO within a priority: for jobs with a priority, and of threads without a deque there.
 * Posting cannot fail. One lock guards it, so no thread can take a job that a filter inspects. If empty, one load. */
#ifndef BZ_PQUEUE_H
#define BZ_PQUEUE_H

#include "base/atomic.h"
#include "base/compiler.h"
#include "sched/deque.h"
#include "sched/job.h"

#define BZ_PQUEUE_TOP UINT32_MAX /* above a program's priorities */

/* `job` and `priority`: set by the poster. Stays until the job is taken. */
struct bz_pqueue_item {
    uint32_t priority;
    struct bz_job *job;
    struct bz_pqueue_item *next;  /* of the same priority, posted later */
    struct bz_pqueue_item *lower; /* of a priority's first: the first of the next lower priority */
    struct bz_pqueue_item *last;  /* of a priority's first: its last */
};

/* All zero: empty. */
struct bz_pqueue {
    BZ_ALIGN_LINE struct bz_a32 count; /* written under the lock, a hint to others */
    struct bz_a32 lock;
    struct bz_pqueue_item *first; /* of the highest priority; under the lock */
};

/* In the child of a fork: repairs a queue whose lock a lost thread held. */
void bz_pqueue_mend(struct bz_pqueue *pqueue);

/* Any thread. The caller then notifies sleepers (domain.h). */
void bz_pqueue_put(struct bz_pqueue *pqueue, struct bz_pqueue_item *item);

/* Takes the first job of the highest priority that may_take (NULL: always) allows, or NULL. */
struct bz_job *bz_pqueue_take(struct bz_pqueue *pqueue, bz_may_take *may_take, const void *arg);

bool bz_pqueue_has_allowed(struct bz_pqueue *pqueue, bz_may_take *may_take, const void *arg);

static inline uint32_t bz_pqueue_count(const struct bz_pqueue *pqueue) {
    return bz_load_relaxed(&pqueue->count); /* relaxed: a hint, or after a fence (S2, S3, S8) */
}

#endif
