/* blitz_scan, in one pass by one worker, in less than two by more.
 *
 * Workers take tiles of the range from left to right. If the sum before a tile is known, its worker scans it at once,
 * which gives the sum before the next one. Otherwise it sums the tile up. Merrill and Garland ("Decoupled Look-back",
 * 2016) wait for the sum before the tile; here the thread that brings the second of the two sums continues with the
 * tile. It passes the sum on from tile to tile until one is not summed, and scans them in a loop. Each of two workers
 * takes 2 n / 3 steps.
 *
 *   tile's state   written before it
 *   EMPTY
 *   SUMMED         `sum`, by the thread that took the tile
 *   KNOWN          `before`, by the thread that has the sum of the tile to the left
 * The second of SUMMED and KNOWN to come sees the first.
 *
 *   label  access                          partner    what becomes visible
 *   AS1    meet exchanges the state        AS1, AS2   sum and before of the tile, and all written earlier
 *   AS2    run_tile loads it               AS1        before */
#include <string.h>

#include "algo/element.h"
#include "base/atomic.h"
#include "base/config.h"
#include "blitz/algo.h"
#include "os/os.h"

/* Tiles: this many for each worker, so that the last ones take little time; at most this many indices each, which stay in a
 * cache, unless the caller asks for more; and at most this many in all, a line of memory each. */
enum { TILES = 64, TILE = 16384, TILES_MOST = 65536 };

enum { EMPTY, SUMMED, KNOWN };

struct scan {
    const blitz_reduce_op *op;
    blitz_scan_fn *body;
    void *ctx;
    size_t lo, hi, tile; /* tile: indices of each but the last */
    size_t count;        /* tiles */
    char *table;         /* of each tile: state, before, sum; one more has the total in `before` */
    size_t stride, before, sum;
    BZ_ALIGN_LINE struct bz_a64 next; /* the first tile not taken; written and read by all */
};

static struct bz_a32 *state_of(const struct scan *scan, size_t t) {
    return (struct bz_a32 *)(void *)(scan->table + t * scan->stride);
}

static void *before(const struct scan *scan, size_t t) {
    return scan->table + t * scan->stride + scan->before;
}

static void *sum_of(const struct scan *scan, size_t t) {
    return scan->table + t * scan->stride + scan->sum;
}

/* Makes the tile SUMMED or KNOWN. True: it was the other one before. */
static bool meet(struct scan *scan, size_t t, uint32_t state) {
    return bz_exchange_acq_rel(state_of(scan, t), state) != EMPTY; /* AS1: pairs with AS1 and AS2 */
}

static int call(const struct scan *scan, blitz_scan_fn *fn, size_t t, void *value) {
    size_t lo = scan->lo + t * scan->tile, hi = scan->hi - lo > scan->tile ? lo + scan->tile : scan->hi;
    return fn(lo, hi, value, scan->ctx);
}

static int scan_known(size_t first, size_t end, void *ctx) {
    struct scan *scan = ctx;
    int error = 0;
    for (size_t t = first; t < end && error == 0; t++)
        error = call(scan, scan->body, t, before(scan, t));
    return error;
}

/* Both sums of tile t are known: passes them on, and scans these tiles. */
static int pass_on(struct scan *scan, size_t t) {
    size_t first = t;
    do {
        memcpy(before(scan, t + 1), before(scan, t), scan->op->size);
        scan->op->combine(before(scan, t + 1), sum_of(scan, t), scan->ctx);
        t++;
    } while (t < scan->count && meet(scan, t, KNOWN));
    return t - first == 1 ? scan_known(first, t, scan) : blitz_for(first, t, 1, scan_known, scan);
}

static int run_tile(struct scan *scan, size_t t) {
    int error;
    if (bz_load_acquire(state_of(scan, t)) == KNOWN) { /* AS2: pairs with AS1 */
        memcpy(before(scan, t + 1), before(scan, t), scan->op->size);
        error = call(scan, scan->body, t, before(scan, t + 1));
        t++;
        if (error || t == scan->count || !meet(scan, t, KNOWN))
            return error;
    } else {
        memcpy(sum_of(scan, t), scan->op->identity, scan->op->size);
        error = call(scan, scan->op->map, t, sum_of(scan, t));
        if (error || !meet(scan, t, SUMMED))
            return error;
    }
    return pass_on(scan, t);
}

/* As many tiles as there are tickets in [lo, hi). */
static int run_tickets(size_t lo, size_t hi, void *ctx) {
    struct scan *scan = ctx;
    int error = 0;
    for (; lo < hi && error == 0; lo++)
        error = run_tile(scan, bz_fetch_add_relaxed(&scan->next, 1)); /* relaxed: AS1 and AS2 order tiles */
    return error;
}

/* Worth a ticket, and small enough for all workers. */
static size_t tile_size(size_t count, size_t grain) {
    size_t least = grain > 0 ? grain : 1, most = least > TILE ? least : TILE;
    if (count <= least)
        return count;
    size_t tile = count / TILES / bz_algo_workers();
    tile = tile < least ? least : tile > most ? most : tile;
    return tile < count / TILES_MOST ? count / TILES_MOST : tile;
}

/* Values of up to 16 bytes share the line of their tile's state and are aligned to 16; larger ones to a line. One tile of
 * small values needs no memory. */
static int scan_tiles(struct scan *scan, void *total) {
    BZ_ALIGN_LINE char few[6 * BZ_LINE] = {0};
    size_t size = scan->op->size, room = (size + BZ_LINE - 1) & ~(size_t)(BZ_LINE - 1), bytes;
    bool shares = size <= 16;
    scan->before = shares ? 16 : BZ_LINE;
    scan->sum = shares ? 32 : BZ_LINE + room;
    scan->stride = shares ? BZ_LINE : BZ_LINE + 2 * room;
    if (size > SIZE_MAX / 4 || __builtin_mul_overflow(scan->count + 1, scan->stride, &bytes))
        return ENOMEM;
    scan->table = bytes <= sizeof few ? few : bz_os_alloc(bytes);
    if (!scan->table)
        return ENOMEM;
    memcpy(before(scan, 0), scan->op->identity, size);
    bz_store_relaxed(state_of(scan, 0), KNOWN); /* relaxed: no other thread is here yet */
    int error =
        scan->count > 1 ? blitz_for(0, scan->count, 1, run_tickets, scan) : run_tickets(0, scan->count, scan);
    if (total && error == 0)
        memcpy(total, before(scan, scan->count), size);
    if (scan->table != few)
        bz_os_free(scan->table, bytes);
    return error;
}

int blitz_scan(size_t lo, size_t hi, size_t grain, const blitz_reduce_op *op, blitz_scan_fn *body, void *ctx,
               void *total) {
    if (!op || op->size == 0 || !op->identity || !op->map || !op->combine || !body)
        return EINVAL;
    struct scan scan = {.op = op, .body = body, .ctx = ctx, .lo = lo, .hi = hi};
    if (lo < hi) {
        scan.tile = tile_size(hi - lo, grain);
        scan.count = (hi - lo - 1) / scan.tile + 1;
    }
    return scan_tiles(&scan, total);
}

/* ---- elements ---- */

struct elements {
    const blitz_monoid *op;
    const void *in;
    void *out;
    void *ctx;
};

static int add_elements(size_t lo, size_t hi, void *value, void *ctx) {
    const struct elements *elements = ctx;
    for (size_t i = lo; i < hi; i++)
        elements->op->combine(value, bz_elem(elements->in, i, elements->op->size), elements->ctx);
    return 0;
}

static void combine_elements(void *left, const void *right, void *ctx) {
    const struct elements *elements = ctx;
    elements->op->combine(left, right, elements->ctx);
}

static int scan_inclusive(size_t lo, size_t hi, void *value, void *ctx) {
    const struct elements *elements = ctx;
    size_t size = elements->op->size;
    for (size_t i = lo; i < hi; i++) {
        elements->op->combine(value, bz_elem(elements->in, i, size), elements->ctx);
        bz_elem_copy(bz_elem_out(elements->out, i, size), value, size);
    }
    return 0;
}

static int scan_exclusive(size_t lo, size_t hi, void *value, void *ctx) {
    const struct elements *elements = ctx;
    size_t size = elements->op->size;
    char old[BZ_LINE];
    for (size_t i = lo; i < hi; i++) {
        char *out = bz_elem_out(elements->out, i, size);
        bool kept = size <= sizeof old; /* larger ones are not in place */
        bz_elem_copy(kept ? old : out, value, size);
        elements->op->combine(value, bz_elem(elements->in, i, size), elements->ctx);
        if (kept)
            bz_elem_copy(out, old, size);
    }
    return 0;
}

static int scan_elements(struct elements *elements, size_t count, blitz_scan_fn *body) {
    const blitz_monoid *op = elements->op;
    if (!op || !op->identity || !op->combine || bz_array_is_bad(elements->in, count, op->size) ||
        bz_array_is_bad(elements->out, count, op->size))
        return EINVAL;
    if (count > 0 && body == scan_exclusive && elements->in == elements->out && op->size > BZ_LINE)
        return EINVAL;
    const blitz_reduce_op sum = {op->size, op->identity, add_elements, combine_elements};
    return blitz_scan(0, count, BZ_ALGO_CALLS, &sum, body, elements, NULL);
}

int blitz_inclusive_scan(const void *in, void *out, size_t count, const blitz_monoid *op, void *ctx) {
    struct elements elements = {op, in, out, ctx};
    return scan_elements(&elements, count, scan_inclusive);
}

int blitz_exclusive_scan(const void *in, void *out, size_t count, const blitz_monoid *op, void *ctx) {
    struct elements elements = {op, in, out, ctx};
    return scan_elements(&elements, count, scan_exclusive);
}
