/* Coroutines: fibers of one worker. One runs, and the others are suspended in a row. A job that yields is suspended, and
 * its thread resumes another one from the row, or begins a new job on a new stack. A worker that waits for work while
 * others are suspended yields to them instead of sleeping. They all stay on their thread: nothing here is shared.
 *
 *   row       the suspended ones, in the order of their resumption
 *   starter   a coroutine that begins a job on another stack goes to the row's end, and the end of a job resumes the row's
 *             end: a job that never yields is a call to its starter
 *   more      jobs, one after the other, on the same stack before that: until one of them is suspended
 *
 * A worker that never had two has no coroutines: waiting costs it one check of `suspended`. Meaning and bounds:
 * coroutine.md. */
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

/* The functions of the layer above. */
struct bz_coroutines_layer {
    void *(*leave)(
        struct bz_worker *self); /* the running one is about to be suspended: returns what to keep of it */
    void (*enter)(struct bz_worker *self, void *kept); /* it runs again */
    /* What those in the row require of all jobs that begin meanwhile, for one search of the worker: `rule`. False: no job
     * may begin. */
    bool (*may_any_begin)(struct bz_worker *self, const void **rule);
    bz_may_take *may_begin;                   /* whether a job may begin by that; arg: the rule */
    void (*kept_out)(struct bz_worker *self); /* a search found only jobs that may not begin */
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
    struct bz_coroutine own; /* on the worker's original stack */
};

/* Makes sure that the worker can have coroutines. False: no memory, or no fibers on this machine. */
bool bz_coroutines_prepare(struct bz_worker *self, const struct bz_coroutines_layer *layer);
/* When the worker ends, with nothing suspended; NULL: none exist. Any thread. */
void bz_coroutines_destroy(struct bz_coroutines *coroutines);

/* For a job that yields, after bz_coroutines_prepare: whether a new job should begin, rather than one of the row resume. */
bool bz_coroutine_new_is_due(const struct bz_worker *self);

/* Suspends the caller at the end of the row, for a job on a stack of its own. Returns when the caller is resumed.
 * False: no stack, nothing has happened. `open` as in the struct. */
bool bz_coroutine_begin(struct bz_worker *self, struct bz_job *job, bool open);

/* Suspends the caller at the end of the row, for the first in it. Returns when it is resumed. False: the row is empty. */
bool bz_coroutine_yield(struct bz_worker *self, bool open);

/* For a job that yields with an empty row: the thread that all of them wait for may need this CPU. Each bz_coroutine_yield
 * does this as well. Cost: a system call, now and then. */
void bz_coroutines_offer_cpu(struct bz_worker *self);

/* For a job that yields often: whether its yield would certainly change nothing, at the cost of a few loads. The row and
 * the worker's own deque are empty, and the domain has neither urgent jobs nor another worker. Then the CPU is offered as
 * above. */
bool bz_coroutine_is_alone(struct bz_worker *self);

#endif
