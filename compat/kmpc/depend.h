/* Lists of dependences of generated code as those of bomp.h. */
#ifndef KMPC_DEPEND_H
#define KMPC_DEPEND_H

#include "kmpc.h"

#define KMPC_DEPEND_SMALL 16

/* Room for a decoded list: short ones in place, long ones on the heap. */
struct kmpc_depend_room {
    struct bomp_depend *heap; /* NULL: in place */
    struct bomp_depend small[KMPC_DEPEND_SMALL];
};

/* Two arrays, one behind the other, for the entry point of that name. A kind that does not exist, and no memory, are
 * fatal. The list comes in registers, as gomp_depend_decode's does. */
struct bomp_depend_list kmpc_depend_decode(struct kmpc_depend_room *room, const char *entry, int32_t count,
                                           const struct kmpc_depend *first, int32_t more,
                                           const struct kmpc_depend *second);
/* When the list is not needed any more. */
void kmpc_depend_free(struct kmpc_depend_room *room);

#endif
