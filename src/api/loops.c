/* The verbs of loops: blitz_for, blitz_reduce, and blitz_join_n over tasks, one at a time. */
#include <string.h>

#include "api/splitter.h"
#include "base/hooks.h"
#include "env/error.h"
#include "os/os.h"
#include "pool/token.h"

BZ_INLINE struct bz_loop loop_of(size_t grain, void *ctx, const blitz_options *options, const char *verb,
                                 const void *site) {
    return (struct bz_loop){.ctx = ctx,
                            .grain = grain ? grain : 1,
                            .blocked = grain > 0,
                            .token = bz_token_in(options, verb),
                            .site = site};
}

/* ---- without a value ---- */

BZ_INLINE int run(size_t lo, size_t hi, size_t grain, blitz_range_fn *body, void *ctx,
                  const blitz_options *options, const void *site) {
    if (!body)
        return EINVAL;
    struct bz_loop loop = loop_of(grain, ctx, options, "blitz_for_with", site);
    loop.body = body;
    return bz_loop_run(&loop, lo, hi, NULL);
}

int blitz_for_with(size_t lo, size_t hi, size_t grain, blitz_range_fn *body, void *ctx,
                   const blitz_options *options) {
    return run(lo, hi, grain, body, ctx, options, __builtin_return_address(0));
}

int blitz_for(size_t lo, size_t hi, size_t grain, blitz_range_fn *body, void *ctx) {
    return run(lo, hi, grain, body, ctx, NULL, __builtin_return_address(0));
}

/* ---- with a value ---- */

static bool is_valid(const blitz_reduce_op *op) {
    return op && op->size > 0 && op->identity && op->map && op->combine;
}

static int reduce(size_t lo, size_t hi, size_t grain, const blitz_reduce_op *op, void *ctx,
                  const blitz_options *options, void *out, const void *site) {
    if (!is_valid(op) || !out)
        return EINVAL;
    struct bz_loop loop = loop_of(grain, ctx, options, "blitz_reduce_with", site);
    BZ_ALIGN_LINE char room[BZ_VALUE_IN_FRAME];
    void *value = op->size <= BZ_VALUE_IN_FRAME ? room : bz_os_alloc(op->size);
    if (!value)
        return ENOMEM;
    loop.op = op;
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

/* ---- over tasks ---- */

struct list {
    const blitz_task *tasks;
    const void *site; /* of the program's call */
};

static int run_tasks(size_t lo, size_t hi, void *ctx) {
    static struct bz_aflag warned;
    const struct list *list = ctx;
    bool watched = bz_unlikely(bz_hooks);
    for (const blitz_task *task = list->tasks + lo, *end = list->tasks + hi; task < end; task++) {
        if (!task->fn) {
            bz_warn_once(&warned, "blitz_join_n: the function is NULL; skipped");
            continue;
        }
        if (watched)
            bz_watched_begin((const void *)(uintptr_t)task->fn, list->site);
        task->fn(task->arg);
        if (watched)
            bz_hooks->ends();
    }
    return 0;
}

void blitz_join_n(const blitz_task *tasks, size_t n) {
    static struct bz_aflag warned;
    struct list list = {tasks, __builtin_return_address(0)};
    struct bz_loop loop = {.body = run_tasks, .ctx = &list, .grain = 1, .singly = true};
    if (tasks)
        bz_loop_run(&loop, 0, n, NULL);
    else if (n > 0)
        bz_warn_once(&warned, "blitz_join_n: the tasks are NULL; skipped");
}
