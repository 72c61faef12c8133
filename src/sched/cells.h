/* Memory of a few fixed classes, from per-worker free lists carved out of slabs. The owner allocates and frees with plain
 * loads and stores; a cell freed by another worker travels home in a batch. Slabs are given back when the owner goes, not
 * before: a cell's memory stays mapped and keeps its class, so that a thief may peek into one that was freed meanwhile. */
#ifndef BZ_CELLS_H
#define BZ_CELLS_H

#include <stddef.h>

#include "base/atomic.h"
#include "base/compiler.h"

enum { BZ_CELL_CLASSES = 4 };
#define BZ_CELL_MAX 1016 /* usable bytes of the largest class */

struct bz_cells;
struct bz_slab;

/* The usable bytes of a cell. Free, they begin with a link; in use, they are the user's. */
struct bz_cell {
    struct bz_cell *next; /* in a free list or batch; whoever holds it */
};

/* The word before them: the struct bz_cells that the cell belongs to, and its class in the low bits. Constant. */
static inline uintptr_t *bz_cell_home(struct bz_cell *cell) {
    return (uintptr_t *)cell - 1;
}

struct bz_cells {
    /* Owner only. */
    BZ_ALIGN_LINE struct bz_cell *free[BZ_CELL_CLASSES];
    struct bz_slab *slabs;
    /* Cells of one other home that were freed here and not yet sent. */
    struct bz_cells *outgoing_home;
    struct bz_cell *outgoing_first, *outgoing_last;
    unsigned outgoing_count;

    /* Freed elsewhere: pushed by others in batches, taken whole by the owner. */
    BZ_ALIGN_LINE struct { struct bz_cell *v; } returned;
};

void bz_cells_init(struct bz_cells *cells);
/* Gives the slabs back. No cell of them is in use, and no batch that holds one will be sent: free a cell only through a
 * worker of the domain that it comes from, which goes at the same time. */
void bz_cells_destroy(struct bz_cells *cells);

/* The class for `size` bytes behind a head of a constant size, or for all of them: the cells are 128, 192, 320 and 1024
 * bytes long, a word of them not usable. */
static inline unsigned bz_cell_class_behind(size_t head, size_t size) {
    return size <= 120 - head ? 0 : size <= 184 - head ? 1 : size <= 312 - head ? 2 : 3;
}
static inline unsigned bz_cell_class(size_t size) {
    return bz_cell_class_behind(0, size);
}

/* The slow paths: nothing in the free list; a cell of another home. */
void *bz_cells_refill(struct bz_cells *cells, unsigned class);
void bz_cells_send(struct bz_cells *self, struct bz_cell *cell);

/* `size` bytes (at most BZ_CELL_MAX), not cleared, 8 bytes past a multiple of 64 (and so aligned to 8). NULL: no memory.
 * Owner only. */
static inline void *bz_cells_alloc(struct bz_cells *cells, size_t size) {
    unsigned class = bz_cell_class(size);
    struct bz_cell *cell = cells->free[class];
    if (bz_unlikely(!cell))
        return bz_cells_refill(cells, class);
    cells->free[class] = cell->next;
    return cell;
}

/* The same of what is at hand. NULL: nothing. */
static inline void *bz_cells_take(struct bz_cells *cells, unsigned class) {
    struct bz_cell *cell = cells->free[class];
    if (bz_likely(cell != NULL))
        cells->free[class] = cell->next;
    return cell;
}

/* Gives back what any worker's bz_cells_alloc returned; `self` is the calling worker's. */
static inline void bz_cells_free(struct bz_cells *self, void *memory) {
    struct bz_cell *cell = memory;
    uintptr_t class = *bz_cell_home(cell) - (uintptr_t)self;
    if (bz_unlikely(class >= BZ_CELL_CLASSES)) {
        bz_cells_send(self, cell);
        return;
    }
    cell->next = self->free[class];
    self->free[class] = cell;
}

#endif
