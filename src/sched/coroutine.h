/* Coroutines: the fibers that one worker has going at the same time, of which one runs and the others are suspended in a
 * row. A job that yields is suspended, and its thread goes on with another: with one that waits in the row, or with a new
 * one on a new stack. A worker that waits for work while others are suspended on it yields to them instead of sleeping.
 * They all stay on their thread: nothing here is shared.
 *
 *   row       the suspended ones, in the order in which they are resumed
 *   starter   whoever begins a job on another stack goes to the row's end; whoever ends one there resumes the row's end:
 *             a job that never yields is to its starter what a call is
 *   more      jobs, one after the other, on the same stack before that: as long as none of them is suspended
 *
 * A worker that never had two has no coroutines: waiting costs it one look at `suspended`. What it means, and what bounds
 * it: coroutine.md. */
#ifndef BZ_COROUTINE_H
#define BZ_COROUTINE_H

#include "fiber/fiber.h"
#include "sched/deque.h"

struct bz_worker;

struct bz_coroutine {
    struct bz_fiber fiber;
    struct bz_coroutine *next, *previous; /* in the row; next: in the list of unused ones */
    void *kept;                           /* the layer's context of a suspended one */
    bool open;                            /* suspended where any job may begin meanwhile */
    uintptr_t stack_limit;                /* of a suspended one: the worker's */
    struct bz_worker *worker;             /* constant */
    struct bz_job *job;                   /* what it begins with */
    uint64_t control;                     /* and how floating point works there */
};

/* What the layer above has to say. */
struct bz_coroutines_layer {
    void *(*leave)(struct bz_worker *self); /* the running one is to be suspended: what to keep of it */
    void (*enter)(struct bz_worker *self, void *kept); /* it runs again */
    /* What those in the row ask of all that begin meanwhile, for one look of the worker: `rule`. False: none may begin. */
    bool (*may_any_begin)(struct bz_worker *self, const void **rule);
    bz_may_take *may_begin;                   /* whether a job may begin by that; arg: the rule */
    void (*kept_out)(struct bz_worker *self); /* a look found nothing but jobs that may not begin */
};

struct bz_coroutines {
    struct bz_coroutine *first, *last; /* the row */
    struct bz_coroutine *running;
    struct bz_coroutine *unused; /* with stacks */
    unsigned spare;              /* unused ones */
    unsigned made;               /* stacks, used or not */
    unsigned since;              /* yields since a job was last begun here for want of a better one */
    unsigned round;              /* yields since the CPU was last offered to others */
    const struct bz_coroutines_layer *layer;
    struct bz_coroutine own; /* on the stack that the worker has by nature */
};

/* Makes sure that the worker can have coroutines. False: no memory, or no fibers on this machine. */
bool bz_coroutines_prepare(struct bz_worker *self, const struct bz_coroutines_layer *layer);
/* When the worker goes: nothing is suspended. NULL: nothing. Any thread. */
void bz_coroutines_destroy(struct bz_coroutines *coroutines);

/* For whoever yields, after bz_coroutines_prepare: whether a new job should begin, rather than one of the row go on. */
bool bz_coroutine_new_is_due(const struct bz_worker *self);

/* Suspends the caller at the end of the row, for a job on a stack of its own. Returns when the caller is resumed.
 * False: no stack, nothing has happened. `open` as in the struct. */
bool bz_coroutine_begin(struct bz_worker *self, struct bz_job *job, bool open);

/* Suspends the caller at the end of the row, for the first in it. Returns when it is resumed. False: there is
 * nobody. */
bool bz_coroutine_yield(struct bz_worker *self, bool open);

/* For whoever yields where there is nobody else here: the thread that all of them wait for may need this CPU. Each
 * bz_coroutine_yield does this, too. Cost: a system call, now and then. */
void bz_coroutines_offer_cpu(struct bz_worker *self);

/* For whoever yields often: whether there is surely nobody to yield to, at the cost of a few loads. Nobody is suspended,
 * there is no job in its own deque, and the domain has neither urgent jobs nor another worker. Then the CPU is offered as
 * above. */
bool bz_coroutine_is_alone(struct bz_worker *self);

#endif
