/* Coroutines: fibers of one worker. One runs; the others are suspended in a row, in the order of their resumption. Owner
 * only. See coroutine.md. */
#ifndef BZ_COROUTINE_H
#define BZ_COROUTINE_H

#include "fiber/fiber.h"
#include "sched/deque.h"

struct bz_worker;

struct bz_coroutine {
    struct bz_fiber fiber;
    struct bz_coroutine *next, *previous; /* in the row; next: also in the list of unused ones */
    void *kept;                           /* while suspended: the layer's context */
    bool open;                            /* suspended where any job may begin meanwhile */
    uintptr_t stack_limit;                /* while suspended: of the worker */
    struct bz_job *job;                   /* its first one */
    uint64_t control;                     /* floating-point control words for it */
};

/* The functions of the layer above. */
struct bz_coroutines_layer {
    /* Before the running coroutine is suspended: returns its context; and when it runs again. */
    void *(*leave)(struct bz_worker *self);
    void (*enter)(struct bz_worker *self, void *kept);
    /* For one search: the row's rule for jobs that begin meanwhile. False: none may. */
    bool (*may_any_begin)(struct bz_worker *self, const void **rule);
    bz_may_take *may_begin;                   /* arg: the rule */
    void (*kept_out)(struct bz_worker *self); /* a search found only jobs that may not begin */
};

struct bz_coroutines {
    struct bz_coroutine *first, *last; /* the row */
    struct bz_coroutine *running;
    struct bz_coroutine *unused; /* with stacks */
    unsigned spare;              /* unused ones */
    unsigned made;               /* stacks, used or not */
    unsigned since;              /* yields since a coroutine last began */
    unsigned round;              /* yields since the CPU was last yielded */
    const struct bz_coroutines_layer *layer;
    struct bz_coroutine own; /* on the worker's original stack */
};

/* False: no memory, or no fibers on this machine. */
bool bz_coroutines_prepare(struct bz_worker *self, const struct bz_coroutines_layer *layer);
/* With nothing suspended; NULL: does nothing. Any thread. */
void bz_coroutines_destroy(struct bz_coroutines *coroutines);

/* For a job that yields: whether a new job should begin before one of the row resumes. */
bool bz_coroutine_new_is_due(const struct bz_worker *self);

/* Suspends the caller at the row's end and runs the job on another stack. False: no stack. `open`: as in the struct. */
bool bz_coroutine_begin(struct bz_worker *self, struct bz_job *job, bool open);

/* Suspends the caller at the row's end and resumes the first. False: the row is empty. */
bool bz_coroutine_yield(struct bz_worker *self, bool open);

/* Yields the CPU now and then, as bz_coroutine_yield does. */
void bz_coroutines_yield_cpu(struct bz_worker *self);

/* Whether there is no other coroutine, job or worker. Then the CPU is yielded as above. */
bool bz_coroutine_is_alone(struct bz_worker *self);

#endif
