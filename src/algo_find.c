/* The searches. Workers take blocks of the range in order from the end where the search begins, so that all of them are near
 * the front of it: a match after k elements costs k divided by the workers, and blocks are never more than a part of what
 * was looked at before. The tickets for elements are a loop like any other, so that workers come and go as they do there. */
#include "algo_element.h"
#include "atomic.h"
#include "blitz/algo.h"
#include "config.h"
#include "error.h"
#include "os/os.h"

enum seek_kind { SEEK_FIRST, SEEK_LAST, SEEK_ANY };

/* Places are counted from where the search begins: 0 is lo, or hi - 1 for the last match. */
struct seek {
    blitz_seek_fn *seek;
    void *ctx;
    size_t lo, hi, count;
    size_t grain; /* the least block */
    size_t share; /* a block is at most this part of what was taken before */
    enum seek_kind kind;
    BZ_ALIGN_LINE struct bz_a64 next; /* the first place that nobody has taken; raised by all */
    BZ_ALIGN_LINE struct bz_a64
        best; /* the least place of a match that is known, or count; lowered by finders, read by all */
};

/* The first match at the places from to end - 1, or end. */
static size_t look(const struct seek *seek, size_t from, size_t end) {
    if (seek->kind == SEEK_LAST) {
        size_t lo = seek->hi - end, hi = seek->hi - from, i = seek->seek(lo, hi, seek->ctx);
        return lo <= i && i < hi ? seek->hi - 1 - i : end;
    }
    size_t lo = seek->lo + from, hi = seek->lo + end, i = seek->seek(lo, hi, seek->ctx);
    return lo <= i && i < hi ? i - seek->lo : end;
}

/* relaxed, here and below: a hint while others search, and ordered by the joins at the end. */
static size_t limit(struct seek *seek) {
    size_t best = bz_load_relaxed(&seek->best);
    return seek->kind == SEEK_ANY && best < seek->count ? 0 : best;
}

static void lower_best(struct seek *seek, size_t place) {
    uint64_t best = bz_load_relaxed(&seek->best);
    while (place < best && !bz_cas_relaxed(&seek->best, &best, place))
        continue;
}

/* Searches a block, as far as that is of use. True: what comes after it is of none. */
static bool seek_block(struct seek *seek, size_t from, size_t end) {
    size_t most = limit(seek);
    if (from >= most)
        return true;
    size_t to = end < most ? end : most, place = look(seek, from, to);
    if (place < to)
        lower_best(seek, place);
    return place < to;
}

/* Tickets lo to hi - 1: as many places, whichever are next. */
static int seek_tickets(size_t lo, size_t hi, void *ctx) {
    struct seek *seek = ctx;
    size_t left = hi - lo;
    while (left > 0) {
        size_t block = bz_load_relaxed(&seek->next) / seek->share;
        block = block < seek->grain ? seek->grain : block > BZ_SEEK_BLOCK ? BZ_SEEK_BLOCK : block;
        block = block < left && left - block >= seek->grain ? block : left;
        size_t from = bz_fetch_add_relaxed(&seek->next, block);
        if (seek_block(seek, from, from + block))
            return 1;
        left -= block;
    }
    return 0;
}

/* How many more indices a look takes that shall end with its time, if `looked` of them took `ns`; twice as many as the last
 * block at most, and one grain at least. */
static size_t next_block(const struct seek *seek, size_t block, size_t looked, uint64_t ns) {
    uint64_t left = looked * (BZ_SEEK_NS - ns) / (ns + 1);
    size_t most = 2 * block < BZ_SEEK_BLOCK ? 2 * block : BZ_SEEK_BLOCK;
    size_t next = left < most ? (size_t)left : most;
    return next > seek->grain ? next : seek->grain;
}

/* A search that ends within a moment ends here. Returns the first place that was not looked at. */
static size_t seek_alone(struct seek *seek) {
    uint64_t start = bz_os_now_ns(), ns;
    size_t from = 0, block = seek->grain;
    for (;;) {
        size_t end = seek->count - from > block ? from + block : seek->count;
        if (seek_block(seek, from, end))
            return seek->count;
        from = end;
        if (from == seek->count || (ns = bz_os_now_ns() - start) >= BZ_SEEK_NS)
            return from;
        block = next_block(seek, block, from, ns);
    }
}

/* The place of the match that was looked for, or count. */
static size_t run(struct seek *seek) {
    bz_store_relaxed(&seek->best, seek->count);
    size_t from = seek_alone(seek);
    if (from < seek->count) {
        unsigned workers = blitz_pool_workers(blitz_pool_current());
        seek->share = 4 * (workers ? workers : 1);
        seek->grain = seek->grain < from ? from : seek->grain; /* it takes about BZ_SEEK_NS */
        bz_store_relaxed(&seek->next, from);
        (void)blitz_for(from, seek->count, seek->grain, seek_tickets, seek); /* 1: it was found */
    }
    return bz_load_relaxed(&seek->best);
}

static size_t seek_by(enum seek_kind kind, size_t lo, size_t hi, size_t grain, blitz_seek_fn *fn, void *ctx) {
    static struct bz_aflag warned;
    if (!fn)
        bz_warn_once(&warned, "blitz_seek: the function is NULL, nothing is found");
    if (!fn || lo >= hi)
        return hi;
    struct seek seek = {.seek = fn, .ctx = ctx, .lo = lo, .hi = hi, .count = hi - lo, .kind = kind};
    seek.grain = grain ? grain : 1;
    size_t place = run(&seek);
    if (place == seek.count)
        return hi;
    return kind == SEEK_LAST ? hi - 1 - place : lo + place;
}

size_t blitz_seek_first(size_t lo, size_t hi, size_t grain, blitz_seek_fn *seek, void *ctx) {
    return seek_by(SEEK_FIRST, lo, hi, grain, seek, ctx);
}

size_t blitz_seek_last(size_t lo, size_t hi, size_t grain, blitz_seek_fn *seek, void *ctx) {
    return seek_by(SEEK_LAST, lo, hi, grain, seek, ctx);
}

size_t blitz_seek_any(size_t lo, size_t hi, size_t grain, blitz_seek_fn *seek, void *ctx) {
    return seek_by(SEEK_ANY, lo, hi, grain, seek, ctx);
}

/* ---- elements ---- */

struct elements {
    const void *base;
    size_t size;
    blitz_pred *pred;
    void *ctx;
};

static bool holds(const struct elements *elements, size_t i) {
    return elements->pred(bz_elem(elements->base, i, elements->size), elements->ctx) != 0;
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

static size_t first_without(size_t lo, size_t hi, void *ctx) {
    while (lo < hi && holds(ctx, lo))
        lo++;
    return lo;
}

static bool is_bad(const struct elements *elements, size_t count) {
    static struct bz_aflag warned;
    bool bad = !elements->pred || bz_array_is_bad(elements->base, count, elements->size);
    if (bad)
        bz_warn_once(&warned, "a search without a predicate, an array or a size of elements finds nothing");
    return bad;
}

static size_t find_by(enum seek_kind kind, size_t count, struct elements *elements, blitz_seek_fn *seek) {
    return is_bad(elements, count) ? count : seek_by(kind, 0, count, 0, seek, elements);
}

size_t blitz_find_first(const void *base, size_t count, size_t size, blitz_pred *pred, void *ctx) {
    struct elements elements = {base, size, pred, ctx};
    return find_by(SEEK_FIRST, count, &elements, first_of);
}

size_t blitz_find_last(const void *base, size_t count, size_t size, blitz_pred *pred, void *ctx) {
    struct elements elements = {base, size, pred, ctx};
    return find_by(SEEK_LAST, count, &elements, last_of);
}

size_t blitz_find_any(const void *base, size_t count, size_t size, blitz_pred *pred, void *ctx) {
    struct elements elements = {base, size, pred, ctx};
    return find_by(SEEK_ANY, count, &elements, first_of);
}

int blitz_any(const void *base, size_t count, size_t size, blitz_pred *pred, void *ctx) {
    return blitz_find_any(base, count, size, pred, ctx) < count;
}

int blitz_all(const void *base, size_t count, size_t size, blitz_pred *pred, void *ctx) {
    struct elements elements = {base, size, pred, ctx};
    return find_by(SEEK_ANY, count, &elements, first_without) == count;
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
    struct elements elements = {base, size, pred, ctx};
    size_t found = 0;
    if (!is_bad(&elements, count))
        blitz_reduce(0, count, 0, &op, &elements, &found);
    return found;
}
