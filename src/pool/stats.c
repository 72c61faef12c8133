/* Sums of the workers' counters. */
#include "pool/pool.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "env/error.h"

/* Adds a worker's counts. False: no such worker. relaxed, all: each worker has its own counts, and totals of running workers
 * are estimates. */
static bool add(const struct blitz_pool *pool, uint32_t index, blitz_stats *sum) {
    bool entered = index < bz_load_relaxed(&pool->domain.count);
    const struct bz_worker *worker =
        entered ? bz_load_acquire(&pool->domain.slots[index]) : NULL; /* W2: pairs with W1 */
    if (!worker)
        return false;
    sum->tasks += bz_load_relaxed(&worker->stats.jobs);
    sum->stolen += bz_load_relaxed(&worker->stats.stolen);
    sum->injected += bz_load_relaxed(&worker->stats.injected);
    sum->tries += bz_load_relaxed(&worker->stats.tries);
    sum->parks += bz_load_relaxed(&worker->stats.parks);
    sum->wakes += bz_load_relaxed(&worker->stats.wakes);
    return true;
}

static void add_all(const struct blitz_pool *pool, blitz_stats *sum) {
    for (uint32_t i = 0; i < bz_load_relaxed(&pool->domain.count); i++)
        (void)add(pool, i, sum);
}

int blitz_stats_get(blitz_pool *pool, blitz_stats *stats) {
    if (!stats)
        return EINVAL;
    *stats = (blitz_stats){0};
    if (!(pool = bz_pool_or_global(pool, "blitz_stats_get")))
        return ENOMEM;
    add_all(pool, stats);
    return 0;
}

int blitz_stats_worker(blitz_pool *pool, unsigned index, blitz_stats *stats) {
    if (!stats)
        return EINVAL;
    *stats = (blitz_stats){0};
    if (!(pool = bz_pool_or_global(pool, "blitz_stats_worker")))
        return ENOMEM;
    return add(pool, index, stats) ? 0 : ENOENT;
}

int bz_stats_line(blitz_pool *pool, unsigned workers, char *line, size_t size) {
    blitz_stats s = {0};
    add_all(pool, &s);
    return snprintf(line, size,
                    "%u workers: %" PRIu64 " tasks from queues, %" PRIu64 " of them stolen in %" PRIu64
                    " tries and %" PRIu64 " from outside; %" PRIu64 " times asleep, %" PRIu64 " wakes",
                    workers, s.tasks, s.stolen, s.tries, s.injected, s.parks, s.wakes);
}

int blitz_stats_line(blitz_pool *pool, char *line, size_t size) {
    if (!(pool = bz_pool_or_global(pool, "blitz_stats_line")))
        return snprintf(line, size, "no pool");
    return bz_stats_line(pool, blitz_pool_workers(pool), line, size);
}

static void print(void) {
    char line[BZ_STATS_LINE];
    struct blitz_pool *pool = bz_pool_global_if_any();
    if (!pool)
        return;
    blitz_stats_line(pool, line, sizeof line);
    bz_warn("%s", line);
}

void bz_stats_print_at_exit(void) {
    static struct bz_aflag registered;
    if (bz_first_time(&registered))
        atexit(print);
}

const char *blitz_version(void) {
    return BZ_VERSION;
}
