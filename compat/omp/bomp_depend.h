/* The seam's fourth part, included by bomp.h: lists of dependences, as entry points hand them over. */
#ifndef BOMP_DEPEND_H
#define BOMP_DEPEND_H

#include <stddef.h>
#include <stdint.h>

#include "omp/base/report.h"

/* What a task does with an address. The same address twice in one list is as OUT, unless both say the same. */
enum bomp_depend_kind {
    BOMP_DEPEND_IN,
    BOMP_DEPEND_OUT,   /* and inout */
    BOMP_DEPEND_MUTEX, /* mutexinoutset */
    BOMP_DEPEND_INOUTSET,
    BOMP_DEPEND_ALL /* out of all memory, omp_all_memory. First in its list; the address is the place where it was said */
};

struct bomp_depend {
    const void *address;
    enum bomp_depend_kind kind;
};

struct bomp_depend_list {
    const struct bomp_depend *items;
    size_t count;
};

/* Room for a list that an entry point decodes: a short one lies in place. */
#define BOMP_DEPEND_SMALL 16
struct bomp_depend_room {
    struct bomp_depend *heap; /* NULL: in place */
    struct bomp_depend small[BOMP_DEPEND_SMALL];
};

/* For `count` items; no memory is fatal. bomp_depend_free when the list is not needed any more. */
static inline struct bomp_depend *bomp_depend_new(struct bomp_depend_room *room, size_t count) {
    room->heap = NULL;
    if (__builtin_expect(count > BOMP_DEPEND_SMALL, 0)) {
        size_t bytes = count < SIZE_MAX / sizeof *room->heap ? count * sizeof *room->heap : SIZE_MAX;
        room->heap = (struct bomp_depend *)bomp_scratch(bytes, "a list of dependences");
    }
    return room->heap ? room->heap : room->small;
}

static inline void bomp_depend_free(struct bomp_depend_room *room) {
    if (__builtin_expect(!!room->heap, 0))
        bomp_scratch_free(room->heap);
}

/* Puts it into place `at` of a list of which those before are filled. */
static inline void bomp_depend_put(struct bomp_depend *items, size_t at, struct bomp_depend item) {
    if (__builtin_expect(item.kind == BOMP_DEPEND_ALL, 0)) {
        items[at] = items[0];
        items[0] = (struct bomp_depend){(const void *)(uintptr_t)at, BOMP_DEPEND_ALL};
    } else {
        items[at] = item;
    }
}

#endif
