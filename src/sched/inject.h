/* Jobs from threads outside the domain, in three priorities. Each is a Treiber stack ("Systems Programming: Coping with
 * Parallelism", 1986) that is only ever popped whole, by exchange, so there is no ABA; the taker reverses it to
 * first-come order and keeps what it does not run in `rest`. Pushing is lock free; a try-lock guards taking. A take is of
 * one priority: the most urgent that has jobs, but now and then another one. */
#ifndef BZ_INJECT_H
#define BZ_INJECT_H

#include "base/atomic.h"
#include "base/compiler.h"
#include "sched/job.h"

/* Owned by the pushing thread until the job runs; gone or reused afterwards. */
struct bz_inject_node {
    struct bz_job job;
    struct bz_inject_node *next;
    unsigned priority; /* enum bz_inject_priority */
};

/* In the order of the array; NORMAL is what a node is that says nothing. */
enum bz_inject_priority { BZ_INJECT_NORMAL, BZ_INJECT_HIGH, BZ_INJECT_LOW, BZ_INJECT_PRIORITIES };

struct bz_inject_list {
    struct bz_inject_node *v;
};

struct bz_injector {
    /* Of each priority, newest first; pushed by anyone, emptied by a taker. */
    BZ_ALIGN_LINE struct bz_inject_list head[BZ_INJECT_PRIORITIES];
    /* Takers' side: `busy` is the try-lock of all that follows. */
    BZ_ALIGN_LINE struct bz_a32 busy;
    unsigned takes;                                   /* for BZ_INJECT_FAIR */
    struct bz_inject_list rest[BZ_INJECT_PRIORITIES]; /* oldest first; read by all as a hint */
};

void bz_injector_init(struct bz_injector *injector);
void bz_injector_push(struct bz_injector *injector, struct bz_inject_node *node);

/* Jobs of one priority in first-come order, linked by next: up to `max` normal ones if there are no others, else one.
 * With 0 the taker has normal ones already, and their turn passes: NULL. NULL also when empty or when another thread
 * takes. */
struct bz_inject_node *bz_injector_take(struct bz_injector *injector, unsigned max);

/* Whether a taker would find something. Jobs that another taker moves just now may be hidden: it posts those it leaves. */
bool bz_injector_has_jobs(const struct bz_injector *injector);

/* The same of one priority. relaxed: callers fence (S2), or ask for a hint. */
static inline bool bz_injector_has_priority(const struct bz_injector *injector,
                                            enum bz_inject_priority priority) {
    return bz_load_relaxed(&injector->head[priority]) || bz_load_relaxed(&injector->rest[priority]);
}

#endif
