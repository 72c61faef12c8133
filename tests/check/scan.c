/* A scan (src/algo/scan.c): each tile is scanned once, with the sum of all before it, and the total is right. The test
 * replaces the loop that hands out the tiles. */
#include "blitz/algo.h"
#include "check.h"

#include <string.h>

enum { TILES = 4 };

static unsigned tiles, scanned[TILES];
static struct {
    blitz_range_fn *body;
    void *ctx;
    struct bz_a32 published, next, done; /* as above; the next tile; finished tiles */
} loop;

unsigned blitz_pool_workers(blitz_pool *pool) {
    (void)pool;
    return 2;
}
blitz_pool *blitz_pool_current(void) {
    return NULL;
}

static void take(void) {
    for (uint32_t t; (t = bz_fetch_add_relaxed(&loop.next, 1)) < tiles;) {
        check_that(loop.body(t, t + 1, loop.ctx) == 0);
        bz_fetch_add_acq_rel(&loop.done, 1);
    }
}
/* Replaces the loop over the tiles; a loop over the ready ones runs at once. */
int blitz_for(size_t lo, size_t hi, size_t grain, blitz_range_fn *body, void *ctx) {
    (void)grain;
    if (bz_load_relaxed(&loop.published))
        return body(lo, hi, ctx);
    loop.body = body;
    loop.ctx = ctx;
    bz_store_release(&loop.published, 1);
    take();
    while (bz_load_acquire(&loop.done) < tiles)
        bz_cpu_relax();
    return 0;
}

static void make(unsigned count) {
    memset(scanned, 0, sizeof scanned);
    memset(&loop, 0, sizeof loop);
    tiles = count;
}
static void begin_three(void) {
    make(3);
}
static void begin_four(void) {
    make(4);
}
static void end(void) {
    for (unsigned t = 0; t < tiles; t++)
        check_that(scanned[t] == 1);
}

static int sum_up(size_t lo, size_t hi, void *value, void *ctx) {
    (void)ctx;
    check_that(scanned[lo] == 0);
    *(size_t *)value += hi - lo;
    return 0;
}
static int scan_one(size_t lo, size_t hi, void *value, void *ctx) {
    (void)ctx;
    check_that(*(size_t *)value == lo);
    scanned[lo]++;
    *(size_t *)value += hi - lo;
    return 0;
}
static void combine(void *left, const void *right, void *ctx) {
    (void)ctx;
    *(size_t *)left += *(const size_t *)right;
}

static void scans(void) {
    static const size_t none;
    static const blitz_reduce_op op = {sizeof none, &none, sum_up, combine};
    size_t total = 0;
    check_that(blitz_scan(0, tiles, 1, &op, scan_one, NULL, &total) == 0);
    check_that(total == tiles);
}
static void helps(void) {
    while (!bz_load_acquire(&loop.published))
        bz_cpu_relax();
    take();
}

static const struct check_test tests[] = {
    {"two", begin_three, {scans, helps}, end, -1, 0},
    {"four_tiles", begin_four, {scans, helps}, end, 3, 0},
    {"three", begin_three, {scans, helps, helps}, end, 2, 0},
};

int main(int argc, char **argv) {
    return check_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
