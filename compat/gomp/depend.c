/* GCC's depend objects, and the two layouts of its arrays:
 *
 *   [0] n > 0, [1] number of out, then n addresses: out (and inout) first, then in
 *   [0] 0, [1] n, [2] number of out, [3] of mutexinoutset, [4] of in, then n entries: the addresses of these in this
 *   order, then pointers to depend objects
 *
 * An address of NULL among the out ones is all memory, omp_all_memory. */
#include "depend.h"

/* Of all memory if there is no address. */
static struct bomp_depend out(const void *address) {
    return (struct bomp_depend){address, address ? BOMP_DEPEND_OUT : BOMP_DEPEND_ALL};
}

static struct bomp_depend of_object(const struct gomp_depend_object *object) {
    static const enum bomp_depend_kind kinds[] = {[1] = BOMP_DEPEND_IN,
                                                  [2] = BOMP_DEPEND_OUT,
                                                  [3] = BOMP_DEPEND_OUT,
                                                  [4] = BOMP_DEPEND_MUTEX,
                                                  [5] = BOMP_DEPEND_INOUTSET};
    bool is_known = object->kind >= 1 && object->kind <= 5;
    if (!is_known)
        bomp_bad_depend_object((long)object->kind);
    enum bomp_depend_kind kind = is_known ? kinds[object->kind] : BOMP_DEPEND_OUT;
    return kind == BOMP_DEPEND_OUT ? out(object->address) : (struct bomp_depend){object->address, kind};
}

/* The first ones of a list. */
static void add_out(struct bomp_depend *items, void *const *addresses, size_t count) {
    for (size_t i = 0; i < count; i++)
        bomp_depend_put(items, i, out(addresses[i]));
}

static void add(struct bomp_depend *to, void *const *addresses, size_t count, enum bomp_depend_kind kind) {
    for (size_t i = 0; i < count; i++)
        to[i] = (struct bomp_depend){addresses[i], kind};
}

/* An old array of no addresses, which iterators without iterations make, looks like a new one, and ends here. */
static struct bomp_depend_list decode_new(struct bomp_depend_room *room, void *const *array) {
    size_t count = (uintptr_t)array[1];
    if (count == 0)
        return (struct bomp_depend_list){bomp_depend_new(room, 0), 0};
    size_t outs = (uintptr_t)array[2], mutexes = (uintptr_t)array[3], ins = (uintptr_t)array[4];
    if (outs > count || mutexes > count - outs || ins > count - outs - mutexes)
        bomp_unknown_layout("an array of dependences");
    struct bomp_depend *items = bomp_depend_new(room, count);
    void *const *entries = array + 5;
    add_out(items, entries, outs);
    add(items + outs, entries + outs, mutexes, BOMP_DEPEND_MUTEX);
    add(items + outs + mutexes, entries + outs + mutexes, ins, BOMP_DEPEND_IN);
    for (size_t i = outs + mutexes + ins; i < count; i++)
        bomp_depend_put(items, i, of_object(entries[i]));
    return (struct bomp_depend_list){items, count};
}

struct bomp_depend_list gomp_depend_decode(struct bomp_depend_room *room, void *const *array) {
    if (!array[0])
        return decode_new(room, array);
    size_t count = (uintptr_t)array[0], outs = (uintptr_t)array[1];
    if (outs > count)
        bomp_unknown_layout("an array of dependences");
    struct bomp_depend *items = bomp_depend_new(room, count);
    add_out(items, array + 2, outs);
    add(items + outs, array + 2 + outs, count - outs, BOMP_DEPEND_IN);
    return (struct bomp_depend_list){items, count};
}

struct bomp_depend_list gomp_depend_of_objects(struct bomp_depend_room *room, int count,
                                               const struct gomp_depend_object *objects) {
    size_t length = count > 0 && objects ? (size_t)count : 0;
    struct bomp_depend *items = bomp_depend_new(room, length);
    for (size_t i = 0; i < length; i++)
        bomp_depend_put(items, i, of_object(&objects[i]));
    return (struct bomp_depend_list){items, length};
}

void gomp_depend_wait(void *const *array, bool nowait) {
    struct bomp_depend_room room;
    struct bomp_depend_list list = gomp_depend_decode(&room, array);
    if (nowait)
        bomp_taskwait_depend_nowait(&list);
    else
        bomp_taskwait_depend(&list);
    bomp_depend_free(&room);
}
