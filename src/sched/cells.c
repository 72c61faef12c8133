#include "sched/cells.h"

#include "base/config.h"
#include "os/os.h"

#define CLASS_MASK ((uintptr_t)BZ_CELL_CLASSES - 1)

struct bz_slab {
    BZ_ALIGN_LINE struct bz_slab *next;
};

static const unsigned cell_bytes[BZ_CELL_CLASSES] = {128, 192, 320, 1024};

void bz_cells_init(struct bz_cells *cells) {
    *cells = (struct bz_cells){.slabs = NULL};
}

void bz_cells_destroy(struct bz_cells *cells) {
    for (struct bz_slab *slab = cells->slabs; slab;) {
        struct bz_slab *next = slab->next;
        bz_os_free(slab, BZ_SLAB_BYTES);
        slab = next;
    }
    bz_cells_init(cells);
}

static void keep(struct bz_cells *cells, struct bz_cell *cell) {
    uintptr_t class = *bz_cell_home(cell) & CLASS_MASK;
    cell->next = cells->free[class];
    cells->free[class] = cell;
}

static bool carve(struct bz_cells *cells, unsigned class) {
    struct bz_slab *slab = bz_os_alloc(BZ_SLAB_BYTES);
    if (!slab)
        return false;
    slab->next = cells->slabs;
    cells->slabs = slab;
    char *end = (char *)slab + BZ_SLAB_BYTES - cell_bytes[class];
    for (char *at = (char *)(slab + 1); at <= end; at += cell_bytes[class]) {
        struct bz_cell *cell = (struct bz_cell *)(at + sizeof(uintptr_t));
        *bz_cell_home(cell) = (uintptr_t)cells | class;
        keep(cells, cell);
    }
    return true;
}

BZ_COLD void *bz_cells_refill(struct bz_cells *cells, unsigned class) {
    struct bz_cell *cell = bz_exchange_acquire(&cells->returned, NULL); /* N1: pairs with N2 */
    while (cell) {
        struct bz_cell *next = cell->next;
        keep(cells, cell);
        cell = next;
    }
    if (!cells->free[class] && !carve(cells, class))
        return NULL;
    cell = cells->free[class];
    cells->free[class] = cell->next;
    return cell;
}

static void flush(struct bz_cells *self) {
    struct bz_cell *head = bz_load_relaxed(&self->outgoing_home->returned);
    do
        self->outgoing_last->next = head;
    while (
        !bz_cas_release(&self->outgoing_home->returned, &head, self->outgoing_first)); /* N2: pairs with N1 */
    self->outgoing_count = 0;
}

void bz_cells_send(struct bz_cells *self, struct bz_cell *cell) {
    struct bz_cells *home = (struct bz_cells *)(*bz_cell_home(cell) & ~CLASS_MASK);
    if (self->outgoing_count > 0 && (self->outgoing_home != home || self->outgoing_count >= BZ_CELL_BATCH))
        flush(self);
    if (self->outgoing_count == 0) {
        self->outgoing_home = home;
        self->outgoing_first = NULL;
        self->outgoing_last = cell;
    }
    cell->next = self->outgoing_first;
    self->outgoing_first = cell;
    self->outgoing_count++;
}
