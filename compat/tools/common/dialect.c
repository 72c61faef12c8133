/* dialect.c: see dialect.h.
 *
 * Pairing table
 *   TD1 a pool that ends is counted   TD2 a report reads it   its line */
#include "tools/common/dialect.h"

#include <stdio.h>

#include "tools/common/base.h"

#define ENDED_MOST 16
#define LINE_MOST 256

struct bomp_dialect bomp_dialect = {
    false, "OpenMP", "blitz-omp", "libblitz-omp: ", "taskwait", "taskgroup",
};

static void (*each_pool)(void (*fn)(const char *line, void *arg), void *arg);

/* The first pools that ended. Later ones are only counted. */
static struct {
    char line[LINE_MOST];
    struct bz_aflag is_there; /* written by the thread that ends the pool, read by reports */
} ended[ENDED_MOST];
static struct bz_a32 ended_count; /* claimed; written by threads that end pools, read by reports */

void bomp_dialect_native(void) {
    bomp_dialect = (struct bomp_dialect){true, "blitz.h", "blitz", "blitz: ", "sync", "scope or pool"};
}

void bomp_dialect_pools(void (*each)(void (*fn)(const char *line, void *arg), void *arg)) {
    each_pool = each;
}

void bomp_dialect_pool_ends(const char *line) {
    uint32_t i = bz_fetch_add_relaxed(&ended_count, 1); /* relaxed: TD1 */
    if (i >= ENDED_MOST)
        return;
    (void)snprintf(ended[i].line, sizeof ended[i].line, "%s", line);
    bz_store_release(&ended[i].is_there, true); /* TD1: pairs with TD2 */
}

void bomp_dialect_each_pool(void (*fn)(const char *line, void *arg), void *arg) {
    uint32_t count = bz_load_relaxed(&ended_count); /* relaxed: TD2 */
    for (uint32_t i = 0; i < count && i < ENDED_MOST; i++)
        if (bz_load_acquire(&ended[i].is_there)) /* TD2: pairs with TD1 */
            fn(ended[i].line, arg);
    char more[64];
    if (count > ENDED_MOST) {
        (void)snprintf(more, sizeof more, "and %u more that have ended", count - ENDED_MOST);
        fn(more, arg);
    }
    if (each_pool)
        each_pool(fn, arg);
}
