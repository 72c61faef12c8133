/* A call that somebody runs some day: what a scope spawns and what a program submits. Its memory is a worker's slab object,
 * or malloc's for threads outside of the pool. */
#ifndef BZ_SPAWN_H
#define BZ_SPAWN_H

#include "blitz.h"
#include "sched/inject.h"
#include "sched/worker.h"

struct bz_spawned {
    struct bz_inject_node node; /* first */
    blitz_fn *fn;
    void *arg;
    void *group;              /* whose it is: a scope or a pool */
    const blitz_token *token; /* of a submitted one: it is skipped if this is cancelled; NULL: none */
    uint32_t generation;      /* of a submitted one: of the process that submitted it */
    bool from_slab;
};

/* `self` is a worker of the pool where it will run, or NULL. NULL: no memory. */
struct bz_spawned *bz_spawned_new(struct bz_worker *self, blitz_fn *fn, void *arg);
void bz_spawned_free(struct bz_spawned *spawned, struct bz_worker *self);

/* Counts a job for blitz_wait_idle, and that it is over; `generation` is that of the process that submitted it. */
void bz_submitted_begin(struct blitz_pool *pool);
void bz_submitted_end(struct blitz_pool *pool, uint32_t generation);

/* What the options of a job say (NULL: the defaults). False: they are wrong. */
bool bz_submit_options_read(const blitz_options *options, unsigned *priority, const blitz_token **token);

#endif
