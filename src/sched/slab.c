#include "sched/slab.h"

#include "base/config.h"
#include "os/os.h"

#define CLASS_MASK ((uintptr_t)BZ_SLAB_CLASSES - 1)

struct bz_slab {
    BZ_ALIGN_LINE struct bz_slab *next;
};

static const unsigned object_bytes[BZ_SLAB_CLASSES] = {128, 192, 320, 1024};

void bz_slabs_destroy(struct bz_slabs *slabs) {
    for (struct bz_slab *slab = slabs->list; slab;) {
        struct bz_slab *next = slab->next;
        bz_os_free(slab, BZ_SLAB_BYTES);
        slab = next;
    }
    *slabs = (struct bz_slabs){.list = NULL};
}

static void keep(struct bz_slabs *slabs, struct bz_slab_object *object) {
    uintptr_t class = *bz_slab_home(object) & CLASS_MASK;
    object->next = slabs->free[class];
    slabs->free[class] = object;
}

static bool carve(struct bz_slabs *slabs, unsigned class) {
    struct bz_slab *slab = bz_os_alloc(BZ_SLAB_BYTES);
    if (!slab)
        return false;
    slab->next = slabs->list;
    slabs->list = slab;
    char *end = (char *)slab + BZ_SLAB_BYTES - object_bytes[class];
    for (char *at = (char *)(slab + 1); at <= end; at += object_bytes[class]) {
        struct bz_slab_object *object = (struct bz_slab_object *)(at + sizeof(uintptr_t));
        *bz_slab_home(object) = (uintptr_t)slabs | class;
        keep(slabs, object);
    }
    return true;
}

BZ_COLD void *bz_slabs_refill(struct bz_slabs *slabs, unsigned class) {
    struct bz_slab_object *object = bz_exchange_acquire(&slabs->returned, NULL); /* N1: pairs with N2 */
    while (object) {
        struct bz_slab_object *next = object->next;
        keep(slabs, object);
        object = next;
    }
    if (!slabs->free[class] && !carve(slabs, class))
        return NULL;
    return bz_slabs_take(slabs, class);
}

static void flush(struct bz_slabs *self) {
    struct bz_slab_object *head = bz_load_relaxed(&self->outgoing_home->returned);
    do
        self->outgoing_last->next = head;
    while (
        !bz_cas_release(&self->outgoing_home->returned, &head, self->outgoing_first)); /* N2: pairs with N1 */
    self->outgoing_count = 0;
}

void bz_slabs_send(struct bz_slabs *self, struct bz_slab_object *object) {
    struct bz_slabs *home = (struct bz_slabs *)(*bz_slab_home(object) & ~CLASS_MASK);
    if (self->outgoing_count > 0 && (self->outgoing_home != home || self->outgoing_count >= BZ_SLAB_BATCH))
        flush(self);
    if (self->outgoing_count == 0) {
        self->outgoing_home = home;
        self->outgoing_first = NULL;
        self->outgoing_last = object;
    }
    object->next = self->outgoing_first;
    self->outgoing_first = object;
    self->outgoing_count++;
}
