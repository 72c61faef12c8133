/* The shelf of a domain: jobs beside the deques, in order of their level, highest first, and first come, first served in
 * one level. For what has to be found by whoever looks next rather than by whoever is near: jobs with a level of their own,
 * and jobs posted by threads that have no deque in the domain.
 *
 * The items are linked through memory of whoever posts them: posting cannot fail. All is done under one lock, so that a
 * filter may look at a job that nobody else can take meanwhile. Cost: the lock, and one step for each level above and for
 * each job that the filter refuses. Looking at a shelf that is empty is one load. */
#ifndef BZ_SHELF_H
#define BZ_SHELF_H

#include "base/atomic.h"
#include "base/compiler.h"
#include "sched/deque.h"
#include "sched/job.h"

#define BZ_SHELF_TOP UINT32_MAX /* above all that a program can name */

/* `job` and `level` are set by the poster; the rest is the shelf's. Stays until the job is taken. */
struct bz_shelf_item {
    struct bz_job *job;
    struct bz_shelf_item *next;  /* of the same level, posted later */
    struct bz_shelf_item *lower; /* the first one of a level only: the first of the next lower level */
    struct bz_shelf_item *last;  /* the first one of a level only: the last of this level */
    uint32_t level;
};

struct bz_shelf {
    BZ_ALIGN_LINE struct bz_a32 count; /* of items; written with the lock held, read by all as a hint */
    struct bz_a32 lock;
    struct bz_shelf_item *first; /* the first one of the highest level; with the lock held */
};

void bz_shelf_init(struct bz_shelf *shelf);

/* In the child of a fork: lets go of a shelf that a thread which is not here held, and puts it in order. */
void bz_shelf_mend(struct bz_shelf *shelf);

/* Any thread. Whoever should hear of it must be told (domain.h). */
void bz_shelf_put(struct bz_shelf *shelf, struct bz_shelf_item *item);

/* Takes the first one of the highest level that the filter allows (NULL: all). NULL: there is none. */
struct bz_job *bz_shelf_take(struct bz_shelf *shelf, bz_may_take *may_take, const void *arg);

/* Whether it would find one. */
bool bz_shelf_offers(struct bz_shelf *shelf, bz_may_take *may_take, const void *arg);

/* Any thread: about how many there are. */
static inline uint32_t bz_shelf_count(const struct bz_shelf *shelf) {
    return bz_load_relaxed(
        &shelf->count); /* relaxed: a hint; who must not miss one fences first (S2, S3, S8) */
}

#endif
