/* GCC's arrays of dependences, and its depend objects, as a list. */
#ifndef GOMP_DEPEND_H
#define GOMP_DEPEND_H

#include "omp/bomp.h"

/* A depend object, omp_depend_t, which compiled code writes. The kind: 1 in, 2 out, 3 inout, 4 mutexinoutset, 5 inoutset;
 * another one is taken for inout, with a message. No address: omp_all_memory. */
struct gomp_depend_object {
    const void *address;
    uintptr_t kind;
};
_Static_assert(sizeof(struct gomp_depend_object) == 16, "omp_depend_t of GCC's ABI");

/* What `array` says now: later changes, also of the depend objects in it, make no difference. No memory is fatal. The list
 * comes in registers: a copy of both words at once would wait for the stores of each. */
struct bomp_depend_list gomp_depend_decode(struct bomp_depend_room *room, void *const *array);
/* What `count` depend objects say now. */
struct bomp_depend_list gomp_depend_of_objects(struct bomp_depend_room *room, int count,
                                               const struct gomp_depend_object *objects);

/* A construct that only waits for `array`; nowait: later ones wait for it, and the caller continues. */
void gomp_depend_wait(void *const *array, bool nowait);

#endif
