/* The filters: scans whose sums count the kept elements before, which gives the place of the next one. */
#include <errno.h>

#include "algo/element.h"
#include "blitz/algo.h"

struct pack {
    const void *in;
    void *out;
    size_t count, size;
    blitz_pred *pred;    /* of compact and partition */
    blitz_same_fn *same; /* of unique */
    void *ctx;
    bool partitions; /* the other elements go to the end, in reverse order */
};

static bool is_kept(const struct pack *pack, size_t i) {
    const char *elem = bz_elem(pack->in, i, pack->size);
    if (pack->pred)
        return pack->pred(elem, pack->ctx) != 0;
    return i == 0 || pack->same(elem - pack->size, elem, pack->ctx) == 0;
}

static void put(const struct pack *pack, size_t to, size_t i) {
    bz_elem_copy(bz_elem_out(pack->out, to, pack->size), bz_elem(pack->in, i, pack->size), pack->size);
}

static int count_kept(size_t lo, size_t hi, void *value, void *ctx) {
    size_t kept = 0;
    for (size_t i = lo; i < hi; i++)
        kept += is_kept(ctx, i);
    *(size_t *)value += kept;
    return 0;
}

static int keep(size_t lo, size_t hi, void *value, void *ctx) {
    const struct pack *pack = ctx;
    size_t kept = *(size_t *)value;
    for (size_t i = lo; i < hi; i++)
        if (is_kept(pack, i))
            put(pack, kept++, i);
        else if (pack->partitions)
            put(pack, pack->count - 1 - (i - kept), i);
    *(size_t *)value = kept;
    return 0;
}

static int run(struct pack *pack, size_t *kept) {
    static const size_t none;
    static const blitz_reduce_op op = {sizeof none, &none, count_kept, bz_add_counts};
    if ((!pack->pred && !pack->same) || bz_array_is_bad(pack->in, pack->count, pack->size) ||
        bz_array_is_bad(pack->out, pack->count, pack->size))
        return EINVAL;
    return blitz_scan(0, pack->count, BZ_ALGO_CALLS, &op, keep, pack, kept);
}

int blitz_compact(const void *in, size_t count, size_t size, blitz_pred *pred, void *ctx, void *out,
                  size_t *kept) {
    struct pack pack = {.in = in, .out = out, .count = count, .size = size, .pred = pred, .ctx = ctx};
    return run(&pack, kept);
}

int blitz_unique(const void *in, size_t count, size_t size, blitz_same_fn *same, void *ctx, void *out,
                 size_t *kept) {
    struct pack pack = {.in = in, .out = out, .count = count, .size = size, .same = same, .ctx = ctx};
    return run(&pack, kept);
}

/* ---- partition: reverses the other elements ---- */

struct reversal {
    char *base;
    size_t count, size;
};

static int swap_pairs(size_t lo, size_t hi, void *ctx) {
    const struct reversal *all = ctx;
    for (size_t i = lo; i < hi; i++)
        bz_swap_bytes(bz_elem_out(all->base, i, all->size),
                      bz_elem_out(all->base, all->count - 1 - i, all->size), all->size);
    return 0;
}

int blitz_partition(const void *in, size_t count, size_t size, blitz_pred *pred, void *ctx, void *out,
                    size_t *kept) {
    struct pack pack = {
        .in = in, .out = out, .count = count, .size = size, .pred = pred, .ctx = ctx, .partitions = true};
    size_t front = 0;
    int error = run(&pack, &front);
    if (error)
        return error;
    if (kept)
        *kept = front;
    if (front == count)
        return 0;
    struct reversal others = {bz_elem_out(out, front, size), count - front, size};
    return blitz_for(0, others.count / 2, bz_algo_grain(size) / 2, swap_pairs, &others);
}
