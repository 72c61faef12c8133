/* The public verbs of reducers. */
#include "blitz/reducer.h"

#include <errno.h>

#include "views.h"

static bool is_valid(const blitz_reducer_op *op) {
    return op && op->size > 0 && op->identity && op->combine;
}

int blitz_reducer_begin(blitz_reducer *reducer, const blitz_reducer_op *op, void *ctx, void *value) {
    if (!reducer || !is_valid(op) || !value)
        return EINVAL;
    struct bz_worker *self = bz_self;
    *reducer =
        (blitz_reducer){.op = op, .ctx = ctx, .value = value, .thread = &bz_self, .bound = self != NULL};
    if (self)
        bz_views_begin(self, reducer);
    return 0;
}

/* A thread without a worker has nothing beside the value. */
void *blitz_reducer_view(blitz_reducer *reducer) {
    struct bz_worker *self = bz_self;
    if (bz_likely(self != NULL))
        return bz_views_get(self, reducer);
    (void)bz_views_op(reducer);
    return reducer->value;
}

/* One that a thread without a worker began ends outside, too; the thread may have got a lone worker meanwhile. */
static bool is_outside(const struct bz_worker *self, const blitz_reducer *reducer) {
    return reducer->thread == &bz_self && (!self || self->domain->lone);
}

int blitz_reducer_end(blitz_reducer *reducer) {
    struct bz_worker *self = bz_self;
    if (!reducer || !reducer->op)
        return EINVAL;
    if (reducer->bound ? !self : !is_outside(self, reducer))
        return EINVAL;
    if (self && !bz_views_end(self, reducer))
        return EINVAL;
    bz_store_relaxed(bz_views_op_word(reducer), NULL); /* relaxed: who reads it meanwhile is in error */
    return 0;
}
