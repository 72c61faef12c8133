/* The meeting of all workers of a domain, which run its jobs while they wait. It completes once all have arrived and the
 * domain is quiet (bz_quiet_pair). See barrier.md. */
#ifndef BZ_BARRIER_H
#define BZ_BARRIER_H

#include "base/compiler.h"
#include "sched/worker.h"

/* A part of a large team arrives here; the last one carries the counts on. */
struct bz_barrier_group {
    BZ_ALIGN_LINE struct bz_a32 word; /* pending count (16 bits), arrivals (16): written by its workers */
};

#define BZ_GROUP_SHIFT 2 /* log2 of a group's size */

struct bz_barrier {
    /* Generation (32 bits), pending count (16), arrivals (16). Written by arriving and completing workers. */
    BZ_ALIGN_LINE struct bz_a64 word;
    struct bz_a32 layer_word; /* of the layer above */
    /* In groups: twice the number of earlier meetings, plus 1 while all have arrived and some have begun work. Written by
     * the last to arrive and by the completing worker, read by waiters. */
    BZ_ALIGN_LINE struct bz_a32 phase;
    bool grouped; /* as the fields below, written by bz_barrier_resize, while no worker may arrive */
    uint32_t group_count;
    struct bz_barrier_group *groups; /* NULL: none */
};

void bz_barrier_init(struct bz_barrier *barrier);
void bz_barrier_destroy(struct bz_barrier *barrier);

/* Between meetings: `size` workers meet from now on; have_cpus, a hint: each has a CPU. */
void bz_barrier_resize(struct bz_barrier *barrier, uint32_t size, bool have_cpus);

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
