/* Futures: submitted jobs with a value, for which any thread can wait.
 *
 *   state    PENDING -> RUNNING -> DONE, with WAITED added to the first two: a thread sleeps on the word, or is about to
 *
 * The *runner* changes PENDING to RUNNING, runs the job, and exchanges DONE into the state: the worker that took the job
 * from a queue, or a thread of the pool that waits for it, whichever is first.
 *
 *   label  access                                       partner  what becomes visible
 *   U1     the runner exchanges DONE into the state     U2       the job's value and its effects
 *   U2     waiters and queries read the state           U1
 *   U3     each of the two holders releases             U3       all accesses of the other one
 *
 * The sleep: all steps are on one word, so the runner's exchange returns WAITED or the waiter sees the end. The step
 * to RUNNING keeps the mark and wakes no thread. Check: tests/check/future.c.
 *
 * The memory has two holders, the queue and the program; the last one frees it. The runner wakes sleepers while one
 * of them holds the future. The pool may be gone when the job is done. */
#ifndef BZ_FUTURE_H
#define BZ_FUTURE_H

#include "base/atomic.h"
#include "blitz.h"
#include "sched/inject.h"

struct bz_watched;

enum {
    BZ_FUTURE_PENDING = 0,
    BZ_FUTURE_RUNNING = 1,
    BZ_FUTURE_DONE = 2,
    BZ_FUTURE_PHASE = 3, /* which of these */
    BZ_FUTURE_WAITED = 4
};

/* blitz_future.life while the program has the handle. */
#define BZ_FUTURE_HELD UINT32_C(0x46757475)

struct blitz_future {
    struct bz_inject_node node; /* first */

    /* Constant. */
    blitz_value_fn *fn;
    void *arg;
    struct blitz_pool *pool;
    const blitz_token *token;
    uint64_t spin_ns;          /* the pool's */
    uint32_t generation;       /* of the process that submitted it */
    struct bz_watched *record; /* of a tool; NULL: none */

    /* Written by the runner before U1, read by waiters after U2. */
    int error;
    intptr_t value;

    struct bz_a32
        runner; /* its bz_thread_number; written by the runner, read by all, of use to the runner only */
    struct bz_a32 state;   /* written and read by all */
    struct bz_a32 holders; /* written by both */
    /* BZ_FUTURE_HELD; else it was dropped, and likely freed. Written by the thread that drops it, read by all. */
    struct bz_a32 life;
};

#endif
