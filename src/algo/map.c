/* The maps: loops that write each element of an array once. */
#include <errno.h>

#include "algo/element.h"
#include "blitz/algo.h"

/* Of one array by `map`, or of two by `transform`. */
struct map {
    const void *a, *b;
    void *out;
    size_t a_size, b_size, out_size;
    blitz_map_fn *map;
    blitz_transform_fn *transform;
    void *ctx;
};

static int map_piece(size_t lo, size_t hi, void *ctx) {
    const struct map *all = ctx;
    int error = 0;
    for (size_t i = lo; i < hi && error == 0; i++)
        error = all->map(bz_elem(all->a, i, all->a_size), bz_elem_out(all->out, i, all->out_size), all->ctx);
    return error;
}

static int transform_piece(size_t lo, size_t hi, void *ctx) {
    const struct map *all = ctx;
    int error = 0;
    for (size_t i = lo; i < hi && error == 0; i++)
        error = all->transform(bz_elem(all->a, i, all->a_size), bz_elem(all->b, i, all->b_size),
                               bz_elem_out(all->out, i, all->out_size), all->ctx);
    return error;
}

int blitz_map(const void *in, size_t in_size, void *out, size_t out_size, size_t count, blitz_map_fn *fn,
              void *ctx) {
    struct map all = {.a = in, .out = out, .a_size = in_size, .out_size = out_size, .map = fn, .ctx = ctx};
    if (!fn || bz_array_is_bad(in, count, in_size) || bz_array_is_bad(out, count, out_size))
        return EINVAL;
    return blitz_for(0, count, 0, map_piece, &all);
}

int blitz_transform(const void *a, size_t a_size, const void *b, size_t b_size, void *out, size_t out_size,
                    size_t count, blitz_transform_fn *fn, void *ctx) {
    struct map all = {a, b, out, a_size, b_size, out_size, NULL, fn, ctx};
    if (!fn || bz_array_is_bad(a, count, a_size) || bz_array_is_bad(b, count, b_size) ||
        bz_array_is_bad(out, count, out_size))
        return EINVAL;
    return blitz_for(0, count, 0, transform_piece, &all);
}

/* ---- fill ---- */

struct fill {
    void *base;
    size_t size;
    const void *value;
};

/* The first element, then copies of all before, until these fill a part of the nearest cache. */
static int fill_piece(size_t lo, size_t hi, void *ctx) {
    const struct fill *fill = ctx;
    char *at = bz_elem_out(fill->base, lo, fill->size);
    size_t bytes = (hi - lo) * fill->size, done = fill->size, pattern = fill->size;
    memcpy(at, fill->value, fill->size);
    while (done < bytes) {
        size_t copy = bytes - done < pattern ? bytes - done : pattern;
        memcpy(at + done, at, copy);
        done += copy;
        if (pattern < BZ_ALGO_BYTES / 8)
            pattern = done;
    }
    return 0;
}

int blitz_fill(void *base, size_t count, size_t size, const void *value) {
    struct fill fill = {base, size, value};
    if (!value || bz_array_is_bad(base, count, size))
        return EINVAL;
    return blitz_for(0, count, bz_algo_grain(size), fill_piece, &fill);
}

/* ---- gather and scatter ---- */

struct moves {
    const void *in;
    void *out;
    const size_t *index;
    size_t size, limit;
    bool scatters;
};

static int move_piece(size_t lo, size_t hi, void *ctx) {
    const struct moves moves = *(const struct moves *)ctx; /* which the copies cannot alias */
    for (size_t i = lo; i < hi; i++) {
        size_t other = moves.index[i], to = moves.scatters ? other : i, from = moves.scatters ? i : other;
        if (other >= moves.limit)
            return ERANGE;
        bz_elem_copy(bz_elem_out(moves.out, to, moves.size), bz_elem(moves.in, from, moves.size), moves.size);
    }
    return 0;
}

static int move(struct moves *moves, size_t count) {
    if (bz_array_is_bad(moves->in, count, moves->size) || bz_array_is_bad(moves->out, count, moves->size) ||
        bz_array_is_bad(moves->index, count, sizeof *moves->index) ||
        bz_count_is_bad(moves->limit, moves->size))
        return EINVAL;
    return blitz_for(0, count, bz_algo_grain(moves->size) / 4, move_piece, moves);
}

int blitz_gather(const void *in, size_t in_count, size_t size, const size_t *index, size_t count, void *out) {
    return move(&(struct moves){in, out, index, size, in_count, false}, count);
}

int blitz_scatter(const void *in, const size_t *index, size_t count, size_t size, void *out,
                  size_t out_count) {
    return move(&(struct moves){in, out, index, size, out_count, true}, count);
}
