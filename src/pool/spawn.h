/* A call queued without a frame: spawned into a scope or submitted. Its memory is a worker's slab object, or a block for
 * threads outside the pool. */
#ifndef BZ_SPAWN_H
#define BZ_SPAWN_H

#include "blitz.h"
#include "sched/inject.h"
#include "sched/worker.h"

struct bz_spawned {
    struct bz_inject_node node; /* first */
    blitz_fn *fn;
    void *arg;
    void *group;              /* a scope or a pool */
    const blitz_token *token; /* submitted calls: skipped once this is cancelled; NULL: none */
    uint32_t generation;      /* submitted calls: of the submitting process */
    bool from_slab;
};

/* `self`: a worker of the pool that will run it, or NULL. NULL: out of memory. */
struct bz_spawned *bz_spawned_new(struct bz_worker *self, blitz_fn *fn, void *arg);
void bz_spawned_free(struct bz_spawned *spawned, struct bz_worker *self);

/* Submits a job, which ends by bz_submitted_end. In a serial pool it has run on return. 0; or an error, and it does not run.
 * Messages name the function that the program passed to `verb`. */
int bz_submit(struct blitz_pool *pool, struct bz_inject_node *node, const char *verb, uintptr_t named);

/* The end of a submitted call; `generation`: of the submitting process. */
void bz_submitted_end(struct blitz_pool *pool, uint32_t generation);

/* The calling thread sleeps until the count is 0; the thread that lowers it to 0 wakes it. */
void bz_sleep_until_zero(struct bz_a32 *count);

/* NULL: defaults. False: invalid. */
bool bz_submit_options_read(const blitz_options *options, unsigned *priority, const blitz_token **token);

#endif
