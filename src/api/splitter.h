/* The engine of loops. A worker runs a range piece by piece. If a thief found its deque empty, it forks the upper
 * half of the rest (Tzannes, Caragea, Barua and Vishkin, "Lazy Binary-Splitting", PPoPP 2010). An empty deque counts
 * as requested, so that a new range is split at once.
 *
 * The first piece is the grain, by default one index. Later ones follow the clock (base/config.h): a thief waits for
 * at most 3 % of a range, an error or a cancellation ends the loop within a piece of each worker, and a range costs
 * some 35 calls of the body.
 *
 * A loop may have a value. That of a forked half is combined to the right of its forker's: operands stay in order. */
#ifndef BZ_SPLITTER_H
#define BZ_SPLITTER_H

#include <stdbool.h>

#include "base/config.h"
#include "blitz.h"

/* Values up to this many bytes are in frames. */
#define BZ_VALUE_IN_FRAME 64

struct bz_loop {
    blitz_range_fn *body;      /* of a loop without a value, else NULL */
    const blitz_reduce_op *op; /* of a loop with a value */
    void *ctx;
    size_t grain;             /* fewest indices to give away, at least 1 */
    bool blocked;             /* the program has set the grain: serial pools keep it */
    bool singly;              /* a piece is one index: each may take long */
    const blitz_token *token; /* or NULL */
    const void *site;         /* of the program's call, for tools; NULL: the body reports its calls itself */
    /* The first one. Written once, read by all workers before each piece. */
    struct {
        int v;
    } error;
};

/* Over [lo, hi), in the current pool or the global one; without memory for a pool, serially. Returns the first error.
 * Adds the loop's value, if any, to *value. */
int bz_loop_run(struct bz_loop *loop, size_t lo, size_t hi, void *value);

#endif
