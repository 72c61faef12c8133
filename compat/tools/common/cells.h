/* cells.h: records that threads take and any thread gives back, in the runtime's own memory. A thread has a store for each
 * kind of record, and reuses those that come back to it. Nothing here waits; nothing is unmapped while threads run. */
#ifndef BOMP_CELLS_H
#define BOMP_CELLS_H

#include "tools/common/base.h"

/* The first field of a record. */
struct bomp_cell {
    struct bomp_cell *next;   /* among free ones */
    struct bomp_cells *owner; /* its store; constant */
};

/* A store. All zero but for the size: empty. */
struct bomp_cells {
    size_t size;            /* of a record; constant */
    struct bomp_cell *free; /* its thread's alone */
    struct {
        struct bomp_cell *v;
    } returned; /* by other threads; its thread takes them */
    struct {
        struct bomp_cells_chunk *v;
    } chunks; /* written by its thread, read by any that walks them */
};

#define BOMP_CELLS_AT_ONCE 64

/* Records that are mapped together. Some have the size of a line. */
struct bomp_cells_chunk {
    struct bomp_cells_chunk *next; /* older; constant */
    _Alignas(BZ_LINE) char records[];
};

void *bomp_cells_take_slow(struct bomp_cells *cells);

/* A record, by the store's thread: as its last user left it, or zeroed but for its cell. NULL: no memory. */
static inline void *bomp_cells_take(struct bomp_cells *cells) {
    struct bomp_cell *cell = cells->free;
    if (bz_unlikely(!cell))
        return bomp_cells_take_slow(cells);
    cells->free = cell->next;
    return cell;
}

/* Gives a record back, from any thread. */
void bomp_cell_return(struct bomp_cell *cell);

/* The same, from a thread with the store `own`. */
static inline void bomp_cell_give(struct bomp_cells *own, struct bomp_cell *cell) {
    if (bz_unlikely(cell->owner != own)) {
        bomp_cell_return(cell);
        return;
    }
    cell->next = own->free;
    own->free = cell;
}

/* Calls fn with each record, also with those not in use, until it returns false. False: it did. Any thread. */
bool bomp_cells_each(const struct bomp_cells *cells, bool (*fn)(void *record, void *arg), void *arg);

/* For tests: unmaps all records. */
void bomp_cells_free(struct bomp_cells *cells);

#endif
