/* The public verbs of reducers. */
#include "blitz/reducer.h"

#include "env/error.h"
#include "sched/views.h"

static bool is_valid(const blitz_reducer_op *op) {
    return op && op->size > 0 && op->identity && op->combine;
}

int blitz_reducer_begin(blitz_reducer *reducer, const blitz_reducer_op *op, void *ctx, void *value) {
    if (!reducer || !is_valid(op) || !value)
        return EINVAL;
    struct bz_worker *self = bz_self;
    if (self && bz_views_has_begun(self, reducer))
        bz_misuse("blitz_reducer_begin", "reducer", reducer, "is already begun; end it first");
    uintptr_t bound =
        BZ_REDUCER_BEGUN | (self ? BZ_REDUCER_BOUND : 0) | (bz_is_outside(self) ? BZ_REDUCER_OUTSIDE : 0);
    *reducer = (blitz_reducer){.op = op, .ctx = ctx, .value = value, .thread = &bz_self, .bound = bound};
    if (self)
        bz_views_begin(self, reducer);
    return 0;
}

/* Without a worker, the value is the only view. */
void *blitz_reducer_view(blitz_reducer *reducer) {
    struct bz_worker *self = bz_self;
    if (bz_likely(self))
        return bz_views_get(self, reducer);
    (void)bz_views_op(reducer);
    return reducer->value;
}

static BZ_COLD _Noreturn void refuse(const blitz_reducer *reducer, const char *rule) {
    bz_misuse("blitz_reducer_end", "reducer", reducer, "%s", rule);
}

static void check_outside(const struct bz_worker *self, const blitz_reducer *reducer) {
    if (reducer->thread != &bz_self)
        refuse(reducer, "must be ended by the thread that began it");
    if (!bz_is_outside(self))
        refuse(reducer,
               "was begun outside of all pools, and must not end between a fork and its sync, or in a "
               "scope or call");
}

int blitz_reducer_end(blitz_reducer *reducer) {
    struct bz_worker *self = bz_self;
    if (!reducer)
        return EINVAL;
    if (!bz_views_was_begun(reducer))
        refuse(reducer, "was never begun");
    if (!bz_load_relaxed(bz_views_op_word(reducer))) /* relaxed: the own store, unless misused */
        refuse(reducer, "has ended before");
    if (reducer->bound & BZ_REDUCER_OUTSIDE)
        check_outside(self, reducer);
    if (self ? !bz_views_end(self, reducer) : (reducer->bound & BZ_REDUCER_BOUND) != 0)
        refuse(reducer, "must be ended by the function or task that began it");
    bz_store_relaxed(bz_views_op_word(reducer), NULL); /* relaxed: a concurrent reader is in error */
    return 0;
}
