/* The engine of loops: a range is run piece by piece and split lazily, driven by thieves (Tzannes, Caragea, Barua and
 * Vishkin, "Lazy Binary-Splitting", PPoPP 2010). Before each piece a worker looks whether a thief found its deque
 * empty, and if so forks off the upper half of what is left. A new range is split at once, since a worker that has
 * nothing queued counts as one with a steal request: the first split calls others in, and when nobody comes it costs a
 * push and a pop per halving. Where nobody is who could come, it is not split at all.
 *
 * The first piece is the grain, one index if there is none, since each may take long. The next ones follow the clock, read
 * after each of them while indices for two workers are left: none is to take longer than BZ_PIECE_NS, as far as those
 * before it tell, and none is larger than 1/32 of what a worker is given. So a thief that finds nothing waits for at most
 * 3 % of it, an error or a cancellation ends the loop within one piece of each worker, and calls of the body cost at most
 * some 35 for each range that is taken. Pieces that take less than half of BZ_SPLIT_NS become larger yet, and what takes
 * less than all of it is not split: whoever takes it would come too late.
 *
 * A loop may carry a value. A forked half has a value of its own, which is combined to the right of its forker's, so
 * that operands keep their order. */
#ifndef BZ_SPLITTER_H
#define BZ_SPLITTER_H

#include "base/config.h"
#include "blitz.h"
#include "sched/worker.h"

/* Values up to this many bytes live in frames. */
#define BZ_SMALL_VALUE 64

struct bz_loop {
    blitz_range_fn *body;      /* for a loop without a value, else NULL */
    const blitz_reduce_op *op; /* for one with */
    void *ctx;
    size_t grain;             /* least indices that may be given away, at least 1 */
    bool blocked;             /* the grain is the program's own: a serial pool keeps it, too */
    bool singly;              /* a piece is one index: each may take long */
    const blitz_token *token; /* NULL: none */
    const void *site;         /* of the program's call, for tools; NULL: the body reports its calls itself */
    struct {
        int v;
    } error; /* the first one; set once by whoever has it, read by all before each piece */
};

/* Runs the loop over [lo, hi), in the current pool or the global one; without memory for either, as in a serial pool.
 * Returns the first error. value: NULL, or what the loop's value is to be added to. */
int bz_loop_run(struct bz_loop *loop, size_t lo, size_t hi, void *value);

#endif
