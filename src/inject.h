/* Jobs from threads outside the domain: a Treiber stack ("Systems Programming: Coping with Parallelism", 1986) that is
 * only ever popped whole, by exchange, so there is no ABA; the taker reverses it to first-come order and keeps what it
 * does not run in `rest`. Pushing is lock free; taking is guarded by a try-lock that nobody waits for. */
#ifndef BZ_INJECT_H
#define BZ_INJECT_H

#include "atomic.h"
#include "compiler.h"
#include "job.h"

/* Owned by whoever pushes until the job runs; gone or reused afterwards. */
struct bz_inject_node {
    struct bz_job job;
    struct bz_inject_node *next;
};

struct bz_injector {
    /* Newest first; pushed by anyone, emptied by a taker. */
    BZ_ALIGN_LINE struct { struct bz_inject_node *v; } head;
    /* Takers' side: `busy` is the try-lock of `rest`, oldest first. */
    BZ_ALIGN_LINE struct bz_a32 busy;
    struct {
        struct bz_inject_node *v;
    } rest; /* written with `busy` held; read by all as a hint */
};

void bz_injector_init(struct bz_injector *injector);
void bz_injector_push(struct bz_injector *injector, struct bz_inject_node *node);

/* Up to `max` jobs in first-come order, linked by next; NULL when empty or when another taker is at it. */
struct bz_inject_node *bz_injector_take(struct bz_injector *injector, unsigned max);

/* Whether a taker would find something, or another taker is just taking. */
bool bz_injector_has_jobs(const struct bz_injector *injector);

#endif
