/* Jobs from outside the domain, in three priorities. Each is a Treiber stack that is popped whole, so there is no ABA. The
 * taker reverses it and keeps the rest, under a try-lock. */
#ifndef BZ_INJECT_H
#define BZ_INJECT_H

#include "base/atomic.h"
#include "base/compiler.h"
#include "sched/job.h"

/* The pushing thread's, until the job runs. */
struct bz_inject_node {
    struct bz_job job;
    struct bz_inject_node *next;
    unsigned priority; /* enum bz_inject_priority */
};

/* Each falls to the next, the last to the first. */
enum bz_inject_priority { BZ_INJECT_NORMAL, BZ_INJECT_LOW, BZ_INJECT_HIGH, BZ_INJECT_PRIORITIES };

struct bz_inject_list {
    struct bz_inject_node *v;
};

/* All zero: empty. */
struct bz_injector {
    /* Newest first: pushed by all, emptied by a taker. */
    BZ_ALIGN_LINE struct bz_inject_list head[BZ_INJECT_PRIORITIES];
    /* Takers': `busy` is the try-lock of what follows. */
    BZ_ALIGN_LINE struct bz_a32 busy;
    unsigned takes;                                   /* for BZ_INJECT_FAIR */
    struct bz_inject_list rest[BZ_INJECT_PRIORITIES]; /* oldest first; a hint to others */
};

void bz_injector_push(struct bz_injector *injector, struct bz_inject_node *node);

/* The oldest job of the most urgent priority that has any; of another one in BZ_INJECT_FAIR takes. NULL: none, or another
 * thread takes. */
struct bz_inject_node *bz_injector_take(struct bz_injector *injector);

/* Jobs that another taker moves at this moment may be hidden: it posts those that it leaves. */
bool bz_injector_has_jobs(const struct bz_injector *injector);

/* relaxed: callers fence (S2), or need a hint. */
static inline bool bz_injector_has_priority(const struct bz_injector *injector,
                                            enum bz_inject_priority priority) {
    return bz_load_relaxed(&injector->head[priority]) || bz_load_relaxed(&injector->rest[priority]);
}

#endif
