#include "pool/stats.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "env/error.h"
#include "pool/pool.h"

/* relaxed throughout: each worker has its own counts, and totals of running workers are estimates. */
static void add(blitz_stats *sum, const struct bz_worker_stats *stats) {
    sum->tasks += bz_load_relaxed(&stats->jobs);
    sum->stolen += bz_load_relaxed(&stats->stolen);
    sum->injected += bz_load_relaxed(&stats->injected);
    sum->tries += bz_load_relaxed(&stats->tries);
    sum->parks += bz_load_relaxed(&stats->parks);
    sum->wakes += bz_load_relaxed(&stats->wakes);
}

static void add_all(const struct blitz_pool *pool, blitz_stats *sum) {
    uint32_t count = bz_load_relaxed(&pool->domain.count); /* relaxed: the slots decide */
    for (uint32_t i = 0; i < count; i++) {
        const struct bz_worker *worker = bz_load_acquire(&pool->domain.slots[i]); /* W2: pairs with W1 */
        if (worker)
            add(sum, &worker->stats);
    }
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
    if (index >= bz_load_relaxed(&pool->domain.count)) /* relaxed: the slots decide */
        return ENOENT;
    const struct bz_worker *worker = bz_load_acquire(&pool->domain.slots[index]); /* W2: pairs with W1 */
    if (!worker)
        return ENOENT;
    add(stats, &worker->stats);
    return 0;
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
