/* blitz_reduce: a loop with a value. */
#include <string.h>

#include "api/splitter.h"
#include "os/os.h"
#include "pool/token.h"

static bool is_valid(const blitz_reduce_op *op) {
    return op && op->size > 0 && op->identity && op->map && op->combine;
}

static int reduce(size_t lo, size_t hi, size_t grain, const blitz_reduce_op *op, void *ctx,
                  const blitz_options *options, void *out, const void *site) {
    if (!is_valid(op) || !out)
        return EINVAL;
    struct bz_loop loop = {.op = op,
                           .ctx = ctx,
                           .grain = grain ? grain : 1,
                           .blocked = grain > 0,
                           .token = bz_token_in(options, "blitz_reduce_with"),
                           .site = site};
    BZ_ALIGN_LINE char room[BZ_VALUE_IN_FRAME];
    void *value = op->size <= BZ_VALUE_IN_FRAME ? room : bz_os_alloc(op->size);
    if (!value)
        return ENOMEM;
    memcpy(value, op->identity, op->size);
    int error = bz_loop_run(&loop, lo, hi, value);
    if (error == 0)
        memcpy(out, value, op->size);
    if (value != room)
        bz_os_free(value, op->size);
    return error;
}

int blitz_reduce_with(size_t lo, size_t hi, size_t grain, const blitz_reduce_op *op, void *ctx,
                      const blitz_options *options, void *out) {
    return reduce(lo, hi, grain, op, ctx, options, out, __builtin_return_address(0));
}

int blitz_reduce(size_t lo, size_t hi, size_t grain, const blitz_reduce_op *op, void *ctx, void *out) {
    return reduce(lo, hi, grain, op, ctx, NULL, out, __builtin_return_address(0));
}
