/* The meeting of all workers of a domain, who run its jobs while they wait. It completes when all have arrived and
 * the domain is quiet: no unit of work begun before is unended (quiet.h). Protocol and proof: barrier.md. Model:
 * tests/model/barrier.pml. */
#ifndef BZ_BARRIER_H
#define BZ_BARRIER_H

#include "base/compiler.h"
#include "sched/worker.h"

/* Where a few workers of a large team arrive. The last one of them goes on, with what all of them have brought. */
struct bz_barrier_group {
    BZ_ALIGN_LINE struct bz_a32 word; /* pending count (upper 16 bits) and arrivals; changed by its workers */
};

struct bz_barrier {
    /* Generation (upper 32 bits), arrivals that reported work, the pending count (16) and arrivals (16); changed by arrivals
     * and by whoever completes it. */
    BZ_ALIGN_LINE struct bz_a64 word;
    /* The layer above's: what it counts. Its line is with whoever has just completed a meeting, and soon with all who
     * were there. */
    struct bz_a32 layer_word;
    /* What waiters look at in a meeting in groups: twice the number of those before it, and 1 more while all have come and
     * somebody has begun work. Changed by the last one to come, and by whoever completes it. */
    BZ_ALIGN_LINE struct bz_a32 phase;
    bool grouped; /* as all that follows, constant while workers may come: written by bz_barrier_resize */
    unsigned group_shift; /* 2 to the power of this are a group */
    uint32_t group_count;
    struct bz_barrier_group *groups; /* NULL: none */
};

/* For the workers of any one domain, as many as it has (bz_domain_limit). */
void bz_barrier_init(struct bz_barrier *barrier);
void bz_barrier_destroy(struct bz_barrier *barrier);

/* From now on `size` workers meet, and each has a CPU or not. A hint: without it, and without memory, they meet at one word.
 * Nobody may come meanwhile, and none be there but at the end of a meeting that is complete. */
void bz_barrier_resize(struct bz_barrier *barrier, uint32_t size, bool have_cpus);

/* In the child of a fork: the calling thread is the only one left, and the meeting that it may be in is over. */
void bz_barrier_abandon(struct bz_barrier *barrier);

/* Enters, runs jobs, returns when complete. All workers of the domain call it the same number of times. `site`: where in
 * the program, for predictions; NULL: none. */
void bz_barrier_wait(struct bz_barrier *barrier, struct bz_worker *self, const void *site);

/* The same, unless the meeting is called off: true when it is complete, which it then is for all; false when *off was not
 * zero before that, for all: those who have come have gone again, and the barrier is as it was before. Whoever sets *off
 * (release, and never back while a worker may come) then calls bz_domain_wake_first. All meetings of the barrier have the
 * same word `off`, and a barrier that workers join at must be another one. */
bool bz_barrier_wait_unless(struct bz_barrier *barrier, struct bz_worker *self, const struct bz_a32 *off);

/* The same for a region's end: only worker 0 is woken by the completion. Another one that sleeps by then sleeps on until
 * somebody wakes it (the next region's start). */
void bz_barrier_join(struct bz_barrier *barrier, struct bz_worker *self, const void *site);

#endif
