/* cells.c: see cells.h.
 *
 * Pairing table
 *   TC1 bomp_cell_return gives a record back   TC2 its owner takes all of these   its content
 *   TC3 a chunk is linked                      TC4 a walk finds it                 its link and records */
#include "tools/common/cells.h"

static size_t chunk_size(const struct bomp_cells *cells) {
    return sizeof(struct bomp_cells_chunk) + BOMP_CELLS_AT_ONCE * cells->size;
}

static struct bomp_cell *make_cells(struct bomp_cells *cells) {
    struct bomp_cells_chunk *chunk = bz_os_alloc(chunk_size(cells));
    struct bomp_cell *first = NULL;
    if (!chunk)
        return NULL;
    for (size_t i = BOMP_CELLS_AT_ONCE; i-- > 0;) {
        struct bomp_cell *cell = (void *)(chunk->records + i * cells->size);
        *cell = (struct bomp_cell){first, cells};
        first = cell;
    }
    chunk->next = bz_load_relaxed(&cells->chunks); /* relaxed: its own thread's */
    bz_store_release(&cells->chunks, chunk);       /* TC3: pairs with TC4 */
    return first;
}

void *bomp_cells_take_slow(struct bomp_cells *cells) {
    struct bomp_cell *cell = bz_exchange_acquire(&cells->returned, NULL); /* TC2: pairs with TC1 */
    if (!cell)
        cell = make_cells(cells);
    cells->free = cell ? cell->next : NULL;
    return cell;
}

void bomp_cell_return(struct bomp_cell *cell) {
    struct bomp_cells *owner = cell->owner;
    struct bomp_cell *first = bz_load_relaxed(&owner->returned); /* relaxed: the exchange decides */
    do {
        cell->next = first;
    } while (!bz_cas_release(&owner->returned, &first, cell)); /* TC1: pairs with TC2 */
}

bool bomp_cells_each(const struct bomp_cells *cells, bool (*fn)(void *record, void *arg), void *arg) {
    struct bomp_cells_chunk *chunk = bz_load_acquire(&cells->chunks); /* TC4: pairs with TC3 */
    for (; chunk; chunk = chunk->next)
        for (size_t i = 0; i < BOMP_CELLS_AT_ONCE; i++)
            if (!fn(chunk->records + i * cells->size, arg))
                return false;
    return true;
}

void bomp_cells_free(struct bomp_cells *cells) {
    struct bomp_cells_chunk *chunk = bz_load_relaxed(&cells->chunks); /* relaxed: no other thread */
    while (chunk) {
        struct bomp_cells_chunk *next = chunk->next;
        bz_os_free(chunk, chunk_size(cells));
        chunk = next;
    }
}
