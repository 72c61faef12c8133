/* The two layouts of GCC's arrays:
 *
 *   [0] n > 0, [1] number of out, then n addresses: out (and inout) first, then in
 *   [0] 0, [1] n, [2] number of out, [3] of mutexinoutset, [4] of in, then n entries: the addresses of these in this
 *   order, then pointers to depend objects
 *
 * A depend object, omp_depend_t, is an address and a kind, written by compiled code. */
#include "depend.h"

#include <stdlib.h>

struct depend_object {
    void *address;
    uintptr_t kind;
};

static enum bomp_depend_kind kind_of_object(uintptr_t kind) {
    switch (kind) {
    case 1:
        return BOMP_DEPEND_IN;
    case 2:
    case 3:
        return BOMP_DEPEND_OUT;
    case 4:
        return BOMP_DEPEND_MUTEX;
    case 5:
        return BOMP_DEPEND_INOUTSET;
    default:
        bomp_bad_depend_object((long)kind);
        return BOMP_DEPEND_OUT;
    }
}

static struct bomp_depend *make_room(struct gomp_depend *depend, size_t count) {
    depend->heap = NULL;
    if (count > GOMP_DEPEND_SMALL && !(depend->heap = calloc(count, sizeof *depend->heap)))
        bomp_no_memory("a list of dependences");
    struct bomp_depend *items = depend->heap ? depend->heap : depend->small;
    depend->list = (struct bomp_depend_list){items, count};
    return items;
}

static struct bomp_depend *add(struct bomp_depend *to, void *const *addresses, size_t count,
                               enum bomp_depend_kind kind) {
    for (size_t i = 0; i < count; i++)
        *to++ = (struct bomp_depend){addresses[i], kind};
    return to;
}

/* An old array of no addresses, which iterators without iterations make, looks like a new one, and ends here. */
static void decode_new(struct gomp_depend *depend, void *const *array) {
    size_t count = (uintptr_t)array[1];
    if (count == 0) {
        make_room(depend, 0);
        return;
    }
    size_t out = (uintptr_t)array[2], mutex = (uintptr_t)array[3], in = (uintptr_t)array[4];
    struct bomp_depend *to = make_room(depend, count);
    void *const *at = array + 5;
    to = add(to, at, out, BOMP_DEPEND_OUT);
    to = add(to, at += out, mutex, BOMP_DEPEND_MUTEX);
    to = add(to, at += mutex, in, BOMP_DEPEND_IN);
    at += in;
    for (size_t i = out + mutex + in; i < count; i++) {
        const struct depend_object *object = *at++;
        *to++ = (struct bomp_depend){object->address, kind_of_object(object->kind)};
    }
}

void gomp_depend_decode(struct gomp_depend *depend, void *const *array) {
    if (!array[0]) {
        decode_new(depend, array);
        return;
    }
    size_t count = (uintptr_t)array[0], out = (uintptr_t)array[1];
    struct bomp_depend *to = make_room(depend, count);
    to = add(to, array + 2, out, BOMP_DEPEND_OUT);
    add(to, array + 2 + out, count - out, BOMP_DEPEND_IN);
}

void gomp_depend_free(struct gomp_depend *depend) {
    free(depend->heap);
}
