/* Memory of a few fixed classes, from per-worker free lists carved out of slabs. The owner allocates and frees with plain
 * loads and stores; an object freed by another worker travels home in a batch. Slabs are given back when the owner goes, not
 * before: an object's memory stays mapped and keeps its class, so that a thief may peek into one that was freed
 * meanwhile. */
#ifndef BZ_SLAB_H
#define BZ_SLAB_H

#include <stddef.h>

#include "base/atomic.h"
#include "base/compiler.h"

enum { BZ_SLAB_CLASSES = 4 };
#define BZ_SLAB_MAX 1016 /* usable bytes of the largest class */

struct bz_slabs;
struct bz_slab;

/* The usable bytes of an object. Free, they begin with a link; in use, they are the user's. */
struct bz_slab_object {
    struct bz_slab_object *next; /* in a free list or batch; written by its holder */
};

/* The word before them: the struct bz_slabs that the object belongs to, and its class in the low bits. Constant. */
static inline uintptr_t *bz_slab_home(struct bz_slab_object *object) {
    return (uintptr_t *)object - 1;
}

struct bz_slabs {
    /* Owner only. */
    BZ_ALIGN_LINE struct bz_slab_object *free[BZ_SLAB_CLASSES];
    struct bz_slab *list;
    /* Objects of one other home that were freed here and not yet sent. */
    struct bz_slabs *outgoing_home;
    struct bz_slab_object *outgoing_first, *outgoing_last;
    unsigned outgoing_count;

    /* Freed elsewhere: pushed by others in batches, taken whole by the owner. */
    BZ_ALIGN_LINE struct { struct bz_slab_object *v; } returned;
};

void bz_slabs_init(struct bz_slabs *slabs);
/* Gives the slabs back. No object of them is in use, and no batch that holds one will be sent: free an object only through a
 * worker of the domain that it comes from, which goes at the same time. */
void bz_slabs_destroy(struct bz_slabs *slabs);

/* The class for `size` bytes behind a head of a constant size, or for all of them: the objects are 128, 192, 320 and 1024
 * bytes long, a word of them not usable. */
static inline unsigned bz_slab_class_behind(size_t head, size_t size) {
    return size <= 120 - head ? 0 : size <= 184 - head ? 1 : size <= 312 - head ? 2 : 3;
}
static inline unsigned bz_slab_class(size_t size) {
    return bz_slab_class_behind(0, size);
}

/* The slow paths: nothing in the free list; an object of another home. */
void *bz_slabs_refill(struct bz_slabs *slabs, unsigned class);
void bz_slabs_send(struct bz_slabs *self, struct bz_slab_object *object);

/* An object from the free list of a class, not cleared. NULL: the list is empty. Owner only. */
static inline void *bz_slabs_take(struct bz_slabs *slabs, unsigned class) {
    struct bz_slab_object *object = slabs->free[class];
    if (bz_likely(object))
        slabs->free[class] = object->next;
    return object;
}

/* `size` bytes (at most BZ_SLAB_MAX), 8 bytes past a multiple of 64. NULL: no memory. Owner only. */
static inline void *bz_slabs_alloc(struct bz_slabs *slabs, size_t size) {
    unsigned class = bz_slab_class(size);
    void *object = bz_slabs_take(slabs, class);
    return bz_likely(object) ? object : bz_slabs_refill(slabs, class);
}

/* Frees an object of any worker of the domain; `self` is the calling worker's. */
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
