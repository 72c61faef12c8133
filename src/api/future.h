/* Futures: submitted jobs with a value, which any thread can wait for.
 *
 *   state    PENDING -> RUNNING -> DONE, and WAITED beside the first two: somebody sleeps on the word, or is about to
 *
 * From PENDING to RUNNING by whoever shall run the job, which is then its *runner*: the worker that took the job from a
 * queue, or a thread of the pool that waits for it. The other one of these finds that it was too late. To DONE by the
 * runner.
 *
 *   label  access                                       partner  what becomes visible
 *   U1     the runner exchanges DONE into the state     U2       the job's value and its effects
 *   U2     whoever waits or asks reads the state        U1
 *   U3     each of the two holders lets go              U3       all that the other one did with the future
 *
 * The sleep: a waiter sets WAITED by compare and swap while the job is not done, and sleeps on the word as long as it holds
 * what the swap left there; the runner's exchange returns whether anybody has to be woken. All steps are on one word, so
 * there is no order in which the runner misses the mark and the waiter the end. The step from PENDING to RUNNING keeps the
 * mark and wakes nobody; at worst it lets a sleeper look once more. Check: tests/check/future.c.
 *
 * The memory has two holders, the queue with the job in it and the program with the handle; the last one frees it. The
 * runner that waited for the job itself is covered by the handle. The runner wakes sleepers while it or the queue still
 * holds the future, so unlike a latch's the word is there for as long as it is touched. The pool may be gone when the
 * job is done: nothing asks it anything then. */
#ifndef BZ_FUTURE_H
#define BZ_FUTURE_H

#include "base/atomic.h"
#include "blitz.h"
#include "sched/inject.h"

enum {
    BZ_FUTURE_PENDING = 0,
    BZ_FUTURE_RUNNING = 1,
    BZ_FUTURE_DONE = 2,
    BZ_FUTURE_PHASE = 3, /* which of these */
    BZ_FUTURE_WAITED = 4
};

/* In blitz_future.life, while the program has the handle. */
#define BZ_FUTURE_HELD UINT32_C(0x46757475)

struct blitz_future {
    struct bz_inject_node node; /* first */

    /* Constant. */
    blitz_value_fn *fn;
    void *arg;
    struct blitz_pool *pool;
    const blitz_token *token;
    uint64_t spin_ns;    /* the pool's */
    uint32_t generation; /* of the process that submitted it */

    /* Written by the runner before U1, read by waiters after U2. */
    int error;
    intptr_t value;

    struct bz_a32 runner; /* its bz_thread_number; written by itself, read by all, of use to itself alone */
    struct bz_a32 state;
    struct bz_a32 holders;
    /* BZ_FUTURE_HELD; else it was dropped, and likely freed. Written by whoever drops it, read by all. */
    struct bz_a32 life;
};

#endif
