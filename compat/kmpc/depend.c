/* Dependences: decoding and waits. */
#include "depend.h"

/* Programs whose structure has the bits IN and OUT alone leave the others of the byte as they find them. */
static enum bomp_depend_kind kind_of(const char *entry, const struct kmpc_depend *item) {
    if (item->address == KMPC_DEPEND_ALL_ADDRESS)
        return BOMP_DEPEND_ALL;
    if (item->flags & KMPC_DEPEND_OUT)
        return BOMP_DEPEND_OUT;
    if (item->flags & KMPC_DEPEND_IN)
        return BOMP_DEPEND_IN;
    switch (item->flags) {
    case KMPC_DEPEND_MUTEXINOUTSET:
        return BOMP_DEPEND_MUTEX;
    case KMPC_DEPEND_INOUTSET:
        return BOMP_DEPEND_INOUTSET;
    case KMPC_DEPEND_ALL_MEMORY:
        return BOMP_DEPEND_ALL;
    default:
        bomp_unknown_bits(entry, "kind of dependence", item->flags);
    }
}

/* Appends to a list that is filled up to `at`. */
static void add(struct bomp_depend *items, size_t at, const char *entry, const struct kmpc_depend *from,
                size_t count) {
    for (size_t i = 0; i < count; i++) {
        enum bomp_depend_kind kind = kind_of(entry, &from[i]);
        bomp_depend_put(items, at + i, (struct bomp_depend){from[i].address, kind});
    }
}

struct bomp_depend_list kmpc_depend_decode(struct bomp_depend_room *room, const char *entry, int32_t count,
                                           const struct kmpc_depend *first, int32_t more,
                                           const struct kmpc_depend *second) {
    size_t one = count > 0 ? (size_t)count : 0, two = more > 0 ? (size_t)more : 0;
    struct bomp_depend *items = bomp_depend_new(room, one + two);
    add(items, 0, entry, first, one);
    add(items, one, entry, second, two);
    return (struct bomp_depend_list){items, one + two};
}

/* The items lie behind one whose address says how many there are. */
static size_t length_of(const struct kmpc_depend *object) {
    return (uintptr_t)object[-1].address;
}

bool kmpc_depend_are_objects(const void *const *objects) {
    return bomp_allocated_has((const struct kmpc_depend *)objects[0] - 1);
}

struct bomp_depend_list kmpc_depend_of_objects(struct bomp_depend_room *room, const char *entry, size_t count,
                                               const struct kmpc_depend *const *objects) {
    size_t length = 0, at = 0;
    for (size_t i = 0; i < count; i++)
        length += length_of(objects[i]);
    struct bomp_depend *items = bomp_depend_new(room, length);
    for (size_t i = 0; i < count; at += length_of(objects[i++]))
        add(items, at, entry, objects[i], length_of(objects[i]));
    return (struct bomp_depend_list){items, length};
}

/* ---- waits ---- */

static void wait(const char *entry, int32_t count, const struct kmpc_depend *items, int32_t more,
                 const struct kmpc_depend *others, bool nowait) {
    struct bomp_depend_room room;
    struct bomp_depend_list list = kmpc_depend_decode(&room, entry, count, items, more, others);
    if (nowait)
        bomp_taskwait_depend_nowait(&list);
    else
        bomp_taskwait_depend(&list);
    bomp_depend_free(&room);
}

BOMP_EXPORT void __kmpc_omp_wait_deps(struct kmpc_ident *where, int32_t id, int32_t count,
                                      struct kmpc_depend *items, int32_t more, struct kmpc_depend *others) {
    BOMP_ENTERED();
    wait("__kmpc_omp_wait_deps", count, items, more, others, false);
}

BOMP_EXPORT void __kmpc_omp_taskwait_deps_51(struct kmpc_ident *where, int32_t id, int32_t count,
                                             struct kmpc_depend *items, int32_t more,
                                             struct kmpc_depend *others, int32_t nowait) {
    BOMP_ENTERED();
    wait("__kmpc_omp_taskwait_deps_51", count, items, more, others, nowait);
}
