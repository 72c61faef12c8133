/* The searches. Workers take blocks in order from the end where the search begins, so that a match after k elements costs k
 * divided by the workers: a block is at most a part of all elements before it. Tickets for blocks are a loop. */
#include "algo/element.h"
#include "base/atomic.h"
#include "blitz/algo.h"
#include "env/error.h"
#include "os/os.h"

/* A search runs alone for this many nanoseconds, about the cost of a call for workers; then blocks have at most this many
 * indices. */
enum { ALONE_NS = 2500, BLOCK_MOST = 65536 };

/* Places are counted from where the search begins: 0 is lo, or hi - 1 for the last match. */
struct seek {
    blitz_seek_fn *seek;
    void *ctx;
    size_t lo, hi, count;
    size_t grain; /* the least block */
    bool last;    /* from the end */

    /* Of the blocks after the search by one worker. */
    size_t begin; /* the first place not searched by it */
    size_t unit;  /* places in a unit: the grain times a power of two; unit i begins at place i * unit */
    size_t units; /* the last one may be shorter; a part of the first one taken is done */
    size_t share; /* a block is at most this part of the units taken before it, but at least a unit */
    /* The first unit not taken; written and read by all. */
    BZ_ALIGN_LINE struct bz_a64 next;
    /* The least place of a known match, or count; written by finders, read by all. */
    BZ_ALIGN_LINE struct bz_a64 best;
};

/* The first match at the places from to end - 1, or end. */
static size_t search(const struct seek *seek, size_t from, size_t end) {
    size_t lo = seek->last ? seek->hi - end : seek->lo + from;
    size_t hi = lo + (end - from), i = seek->seek(lo, hi, seek->ctx);
    if (i < lo || i >= hi)
        return end;
    return seek->last ? seek->hi - 1 - i : i - seek->lo;
}

/* relaxed, here and below: a hint during the search; the joins order it at the end. */
static void lower_best(struct seek *seek, size_t place) {
    uint64_t best = bz_load_relaxed(&seek->best);
    while (place < best && !bz_cas_relaxed(&seek->best, &best, place))
        continue;
}

/* Searches the part of a block before the best match. True: later blocks need no search. */
static bool seek_block(struct seek *seek, size_t from, size_t end) {
    size_t most = bz_load_relaxed(&seek->best);
    if (from >= most)
        return true;
    size_t to = end < most ? end : most, place = search(seek, from, to);
    if (place < to)
        lower_best(seek, place);
    return place < to;
}

/* The greatest value up to `most` that is `least` times a power of two; or `least`. */
static size_t power(size_t least, size_t most) {
    size_t value = least;
    while (value <= most / 2)
        value *= 2;
    return value;
}

/* As many units as there are tickets in [lo, hi). */
static int seek_tickets(size_t lo, size_t hi, void *ctx) {
    struct seek *seek = ctx;
    for (size_t left = hi - lo, block; left > 0; left -= block) {
        size_t part = bz_load_relaxed(&seek->next) / seek->share, most = BLOCK_MOST / seek->unit;
        block = power(1, part < most ? part : most);
        block = block < left ? block : left;
        size_t from = bz_fetch_add_relaxed(&seek->next, block), end = from + block;
        size_t first = from * seek->unit > seek->begin ? from * seek->unit : seek->begin;
        if (seek_block(seek, first, end < seek->units ? end * seek->unit : seek->count))
            return 1;
    }
    return 0;
}

/* For ALONE_NS. Returns the first place not searched. Each block is as long as all before it and begins at a multiple of
 * that: branch prediction favours a loop that always ends at the same places. */
static size_t seek_alone(struct seek *seek) {
    uint64_t start = bz_os_now_ns();
    size_t from = 0, block = seek->grain;
    do {
        size_t end = seek->count - from > block ? from + block : seek->count;
        if (seek_block(seek, from, end))
            return seek->count;
        from = end;
        block = power(seek->grain, from < BLOCK_MOST ? from : BLOCK_MOST);
    } while (from < seek->count && bz_os_now_ns() - start < ALONE_NS);
    return from;
}

/* The place of the match, or count. */
static size_t run(struct seek *seek) {
    bz_store_relaxed(&seek->best, seek->count);
    seek->begin = seek_alone(seek);
    if (seek->begin < seek->count) {
        seek->share = 8 * bz_algo_workers();
        seek->unit = power(seek->grain, seek->begin); /* more than half of the places searched so far */
        seek->units = (seek->count - 1) / seek->unit + 1;
        bz_store_relaxed(&seek->next, seek->begin / seek->unit);
        (void)blitz_for(seek->begin / seek->unit, seek->units, 1, seek_tickets, seek); /* 1: found */
    }
    return bz_load_relaxed(&seek->best);
}

static size_t seek_by(bool last, size_t lo, size_t hi, size_t grain, blitz_seek_fn *fn, void *ctx) {
    static struct bz_aflag warned;
    if (!fn)
        bz_warn_once(&warned, "blitz_seek: the function is NULL; nothing is found");
    if (!fn || lo >= hi)
        return hi;
    struct seek seek = {.seek = fn, .ctx = ctx, .lo = lo, .hi = hi, .count = hi - lo, .last = last};
    seek.grain = grain ? grain : 1;
    size_t place = run(&seek);
    if (place == seek.count)
        return hi;
    return last ? hi - 1 - place : lo + place;
}

size_t blitz_seek_first(size_t lo, size_t hi, size_t grain, blitz_seek_fn *seek, void *ctx) {
    return seek_by(false, lo, hi, grain, seek, ctx);
}

size_t blitz_seek_last(size_t lo, size_t hi, size_t grain, blitz_seek_fn *seek, void *ctx) {
    return seek_by(true, lo, hi, grain, seek, ctx);
}

/* Blocks are taken in order, so all that begin after a match are behind it. */
size_t blitz_seek_any(size_t lo, size_t hi, size_t grain, blitz_seek_fn *seek, void *ctx) {
    return seek_by(false, lo, hi, grain, seek, ctx);
}

/* ---- elements ---- */

struct elements {
    const void *base;
    size_t size;
    blitz_pred *pred;
    void *ctx;
    bool fails; /* search for an element that does not satisfy the predicate */
};

static bool holds(const struct elements *elements, size_t i) {
    return (elements->pred(bz_elem(elements->base, i, elements->size), elements->ctx) != 0) !=
           elements->fails;
}

static size_t first_of(size_t lo, size_t hi, void *ctx) {
    while (lo < hi && !holds(ctx, lo))
        lo++;
    return lo;
}

static size_t last_of(size_t lo, size_t hi, void *ctx) {
    for (size_t i = hi; i > lo; i--)
        if (holds(ctx, i - 1))
            return i - 1;
    return hi;
}

static bool is_bad(const struct elements *elements, size_t count) {
    static struct bz_aflag warned;
    bool bad = !elements->pred || bz_array_is_bad(elements->base, count, elements->size);
    if (bad)
        bz_warn_once(
            &warned,
            "a search with a NULL predicate, or an array that is NULL or too long; nothing is found");
    return bad;
}

static size_t find_by(bool last, size_t count, struct elements *elements, blitz_seek_fn *seek) {
    return is_bad(elements, count) ? count : seek_by(last, 0, count, 0, seek, elements);
}

size_t blitz_find_first(const void *base, size_t count, size_t size, blitz_pred *pred, void *ctx) {
    return find_by(false, count, &(struct elements){base, size, pred, ctx, false}, first_of);
}

size_t blitz_find_last(const void *base, size_t count, size_t size, blitz_pred *pred, void *ctx) {
    return find_by(true, count, &(struct elements){base, size, pred, ctx, false}, last_of);
}

size_t blitz_find_any(const void *base, size_t count, size_t size, blitz_pred *pred, void *ctx) {
    return blitz_find_first(base, count, size, pred, ctx);
}

int blitz_any(const void *base, size_t count, size_t size, blitz_pred *pred, void *ctx) {
    return blitz_find_any(base, count, size, pred, ctx) < count;
}

int blitz_all(const void *base, size_t count, size_t size, blitz_pred *pred, void *ctx) {
    return find_by(false, count, &(struct elements){base, size, pred, ctx, true}, first_of) == count;
}

/* ---- counts ---- */

static int count_matches(size_t lo, size_t hi, void *value, void *ctx) {
    size_t found = 0;
    for (size_t i = lo; i < hi; i++)
        found += holds(ctx, i);
    *(size_t *)value += found;
    return 0;
}

size_t blitz_count_if(const void *base, size_t count, size_t size, blitz_pred *pred, void *ctx) {
    static const size_t none;
    static const blitz_reduce_op op = {sizeof none, &none, count_matches, bz_add_counts};
    struct elements elements = {base, size, pred, ctx, false};
    size_t found = 0;
    if (!is_bad(&elements, count))
        blitz_reduce(0, count, 0, &op, &elements, &found);
    return found;
}
