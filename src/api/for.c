/* blitz_for: a loop without a value. */
#include <errno.h>

#include "api/splitter.h"
#include "pool/token.h"

BZ_INLINE int run(size_t lo, size_t hi, size_t grain, blitz_range_fn *body, void *ctx,
                  const blitz_options *options, const void *site) {
    if (!body)
        return EINVAL;
    struct bz_loop loop = {.body = body,
                           .ctx = ctx,
                           .grain = grain ? grain : 1,
                           .blocked = grain > 0,
                           .token = bz_token_in(options, "blitz_for_with"),
                           .site = site};
    return bz_loop_run(&loop, lo, hi, NULL);
}

int blitz_for_with(size_t lo, size_t hi, size_t grain, blitz_range_fn *body, void *ctx,
                   const blitz_options *options) {
    return run(lo, hi, grain, body, ctx, options, __builtin_return_address(0));
}

int blitz_for(size_t lo, size_t hi, size_t grain, blitz_range_fn *body, void *ctx) {
    return run(lo, hi, grain, body, ctx, NULL, __builtin_return_address(0));
}
