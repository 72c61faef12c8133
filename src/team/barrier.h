/* The meeting of all workers of a domain, which run its jobs while they wait. It completes once all have arrived and the
 * domain is quiet (bz_quiet_pair). See barrier.md. */
#ifndef BZ_BARRIER_H
#define BZ_BARRIER_H

#include "base/compiler.h"
#include "sched/worker.h"

#define BZ_GROUP_SHIFT 2 /* log2 of a group's size (bz_domain.grouped) */

struct bz_barrier {
    /* Generation (32 bits), pending count (16), arrivals (16). Written by arriving and completing workers. */
    BZ_ALIGN_LINE struct bz_a64 word;
    struct bz_a32 layer_word; /* of the layer above */
    /* The generation of meetings in groups. Written by the completing worker, polled by waiters: the word changes with each
     * group's arrival. */
    BZ_ALIGN_LINE struct bz_a64 done;
};

static inline void bz_barrier_init(struct bz_barrier *barrier) {
    *barrier = (struct bz_barrier){0};
}

/* In the child of a fork: the current meeting is over. */
void bz_barrier_abandon(struct bz_barrier *barrier);

/* Returns when the meeting is complete. All workers of the domain call it equally often. `site`, in the program, is for
 * predictions; or NULL. */
void bz_barrier_wait(struct bz_barrier *barrier, struct bz_worker *self, const void *site);

/* The same, unless the meeting is called off: true for all workers if it completed, false for all if *off became nonzero
 * first. The thread that sets *off (release, and for good) then calls bz_domain_wake_first. */
bool bz_barrier_wait_unless(struct bz_barrier *barrier, struct bz_worker *self, const struct bz_a32 *off);

/* bz_barrier_wait for a region's end: wakes only worker 0, since the next start wakes the others. */
void bz_barrier_join(struct bz_barrier *barrier, struct bz_worker *self, const void *site);

#endif
