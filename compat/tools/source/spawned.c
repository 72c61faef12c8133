/* spawned.c: see spawned.h. A hash table with open addressing that only grows: the first thread that needs a cell claims it.
 *
 * Pairing table
 *   SP1 claim publishes a cell     SP2 a search finds it used     its function, site and kind */
#include "tools/source/spawned.h"

#include <stddef.h>
#include <stdint.h>

#include "tools/common/base.h"

enum { FREE, CLAIMED, USED };

static struct cell {
    struct bomp_spawned spawned; /* first */
    struct bz_a32 state;         /* written by the thread that claims it, read by all */
} cells[BOMP_SPAWNED_MOST];

/* Of the thread's last call, which the next one often equals. */
static _Thread_local const struct cell *last;

static bool is(const struct cell *cell, const void *function, const void *site) {
    return cell->spawned.function == function && cell->spawned.site == site;
}

/* Whether the cell has this pair, now or before. A thread does not wait for one that is claiming the cell, which a fork may
 * have left in the parent; so a pair may have two cells. */
static bool claim(struct cell *cell, const void *function, const void *site, bool is_task) {
    uint32_t free = FREE;
    if (bz_load_relaxed(&cell->state) == FREE && bz_cas_relaxed(&cell->state, &free, CLAIMED)) {
        cell->spawned = (struct bomp_spawned){function, site, is_task};
        bz_store_release(&cell->state, USED); /* SP1: pairs with SP2 */
        return true;
    }
    return bz_load_acquire(&cell->state) == USED && is(cell, function, site); /* SP2: pairs with SP1 */
}

const void *bomp_spawned_make(const void *function, const void *site, bool is_task) {
    if (bz_likely(last && is(last, function, site)))
        return last;
    uint64_t mixed = ((uintptr_t)function + 31 * (uintptr_t)site) * UINT64_C(0x9e3779b97f4a7c15);
    size_t at = (size_t)(mixed >> 32) % BOMP_SPAWNED_MOST;
    for (size_t tries = 0; tries < BOMP_SPAWNED_MOST; tries++, at = (at + 1) % BOMP_SPAWNED_MOST)
        if (claim(&cells[at], function, site, is_task))
            return last = &cells[at];
    return site;
}

const struct bomp_spawned *bomp_spawned_at(const void *code) {
    uintptr_t at = (uintptr_t)code, first = (uintptr_t)cells;
    return at >= first && at < first + sizeof cells ? code : NULL;
}

const void *bomp_spawned_site(const void *code) {
    const struct bomp_spawned *spawned = bomp_spawned_at(code);
    return spawned ? spawned->site : code;
}
