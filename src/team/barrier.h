/* The meeting of all workers of a domain, which run its jobs while they wait. It completes when all have arrived and the
 * domain is quiet: every unit of work that began before has ended (quiet.h). Protocol and proof: barrier.md. Check:
 * tests/check/barrier.c. */
#ifndef BZ_BARRIER_H
#define BZ_BARRIER_H

#include "base/compiler.h"
#include "sched/worker.h"

/* Where a few workers of a large team arrive. The last of them continues, with the counts of all. */
struct bz_barrier_group {
    BZ_ALIGN_LINE struct bz_a32 word; /* pending count (upper 16 bits) and arrivals; changed by its workers */
};

struct bz_barrier {
    /* Generation (32 bits), pending count (16) and arrivals (16), from the top; changed by arrivals and by the worker
     * that completes the meeting. */
    BZ_ALIGN_LINE struct bz_a64 word;
    /* The layer above's count. Its line is with the worker that has just completed a meeting, and soon with all of them. */
    struct bz_a32 layer_word;
    /* Polled by waiters in a meeting in groups: twice the number of meetings before it, and 1 more while all have arrived
     * and some have begun work. Changed by the last to arrive, and by the worker that completes the meeting. */
    BZ_ALIGN_LINE struct bz_a32 phase;
    bool grouped; /* like the fields below, constant while workers may arrive: written by bz_barrier_resize */
    unsigned group_shift; /* a group has 2 to the power of this */
    uint32_t group_count;
    struct bz_barrier_group *groups; /* NULL: none */
};

/* For the workers of any one domain, as many as it has (bz_domain_limit). */
void bz_barrier_init(struct bz_barrier *barrier);
void bz_barrier_destroy(struct bz_barrier *barrier);

/* From now on `size` workers meet, and each has a CPU or not. A hint: without it, or without memory, they meet at one
 * word. No worker may arrive meanwhile, nor be inside, except at the end of a meeting that is complete. */
void bz_barrier_resize(struct bz_barrier *barrier, uint32_t size, bool have_cpus);

/* In the child of a fork: the calling thread is the only one left, and its current meeting is over. */
void bz_barrier_abandon(struct bz_barrier *barrier);

/* Enters, runs jobs, returns when complete. All workers of the domain call it the same number of times. `site`: where in
 * the program, for predictions; NULL: none. */
void bz_barrier_wait(struct bz_barrier *barrier, struct bz_worker *self, const void *site);

/* The same, unless the meeting is called off. True when it is complete, for all; false when *off became nonzero before,
 * for all: they have withdrawn, and the barrier is as before. The thread that sets *off (release, and never back while a
 * worker may arrive) then calls bz_domain_wake_first. All meetings of the barrier use the same word `off`, and workers
 * must not join at this barrier. */
bool bz_barrier_wait_unless(struct bz_barrier *barrier, struct bz_worker *self, const struct bz_a32 *off);

/* The same for a region's end: the completion wakes only worker 0. Another one that sleeps by then sleeps on until the
 * next region's start wakes it. */
void bz_barrier_join(struct bz_barrier *barrier, struct bz_worker *self, const void *site);

#endif
