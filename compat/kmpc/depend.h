/* Lists of dependences of generated code as those of bomp.h. */
#ifndef KMPC_DEPEND_H
#define KMPC_DEPEND_H

#include "kmpc.h"

/* Two arrays, one behind the other, for the entry point of that name. A kind that does not exist, and no memory, are
 * fatal. The list comes in registers, as gomp_depend_decode's does. */
struct bomp_depend_list kmpc_depend_decode(struct bomp_depend_room *room, const char *entry, int32_t count,
                                           const struct kmpc_depend *first, int32_t more,
                                           const struct kmpc_depend *second);

/* Depend objects, omp_depend_t: addresses of items in blocks of __kmpc_alloc. Whether those in an array, at least one, are
 * of this kind, by their first word; and their list as it is now. */
bool kmpc_depend_are_objects(const void *const *objects);
struct bomp_depend_list kmpc_depend_of_objects(struct bomp_depend_room *room, const char *entry, size_t count,
                                               const struct kmpc_depend *const *objects);

#endif
