/* Memory of a few fixed classes, from free lists of each worker. An object freed by another worker goes home in a batch.
 * Slabs stay until the owner ends: a thief may read an object that was freed meanwhile. */
#ifndef BZ_SLAB_H
#define BZ_SLAB_H

#include <stddef.h>

#include "base/atomic.h"
#include "base/compiler.h"

enum { BZ_SLAB_CLASSES = 4 };
#define BZ_SLAB_MAX 1016 /* usable bytes of the largest class */

/* The usable bytes of an object: a link while it is free. */
struct bz_slab_object {
    struct bz_slab_object *next; /* in a free list or batch; written by its holder */
};

/* The word before it: its struct bz_slabs, and its class in the low bits. Constant. */
static inline uintptr_t *bz_slab_home(struct bz_slab_object *object) {
    return (uintptr_t *)object - 1;
}

/* All zero: it has no memory yet. */
struct bz_slabs {
    /* Owner only. */
    BZ_ALIGN_LINE struct bz_slab_object *free[BZ_SLAB_CLASSES];
    struct bz_slab *list;
    /* Objects of another home, freed here and not yet sent. */
    struct bz_slabs *outgoing_home;
    struct bz_slab_object *outgoing_first, *outgoing_last;
    unsigned outgoing_count;

    /* Freed elsewhere: pushed by other workers in batches, taken whole by the owner. */
    BZ_ALIGN_LINE struct { struct bz_slab_object *v; } returned;
};

/* No object is in use, and no batch with one will be sent. */
void bz_slabs_destroy(struct bz_slabs *slabs);

/* The class for `size` bytes behind a head: objects have 128, 192, 320 and 1024 bytes, with the word before them. */
static inline unsigned bz_slab_class_behind(size_t head, size_t size) {
    return size <= 120 - head ? 0 : size <= 184 - head ? 1 : size <= 312 - head ? 2 : 3;
}

void *bz_slabs_refill(struct bz_slabs *slabs, unsigned class);
void bz_slabs_send(struct bz_slabs *self, struct bz_slab_object *object);

/* Owner: an object of the free list, or NULL. */
static inline void *bz_slabs_take(struct bz_slabs *slabs, unsigned class) {
    struct bz_slab_object *object = slabs->free[class];
    if (bz_likely(object))
        slabs->free[class] = object->next;
    return object;
}

/* Owner: `size` bytes (at most BZ_SLAB_MAX), 8 bytes past a multiple of 64. NULL: no memory. */
static inline void *bz_slabs_alloc(struct bz_slabs *slabs, size_t size) {
    unsigned class = bz_slab_class_behind(0, size);
    void *object = bz_slabs_take(slabs, class);
    return bz_likely(object) ? object : bz_slabs_refill(slabs, class);
}

/* Frees an object of any worker of the domain; `self`: the calling worker's. */
static inline void bz_slabs_free(struct bz_slabs *self, void *memory) {
    struct bz_slab_object *object = memory;
    uintptr_t class = *bz_slab_home(object) - (uintptr_t)self;
    if (bz_unlikely(class >= BZ_SLAB_CLASSES)) {
        bz_slabs_send(self, object);
        return;
    }
    object->next = self->free[class];
    self->free[class] = object;
}

#endif
