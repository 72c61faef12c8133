/* blitz_for: a loop without a value. */
#include <errno.h>

#include "splitter.h"

int blitz_for(size_t lo, size_t hi, size_t grain, blitz_range_fn *body, void *ctx) {
    if (!body)
        return EINVAL;
    struct bz_loop loop = {.body = body, .ctx = ctx, .grain = grain ? grain : 1};
    return bz_loop_run(&loop, lo, hi, NULL);
}
