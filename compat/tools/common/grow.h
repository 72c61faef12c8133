/* grow.h: lists that grow, in the runtime's own memory. */
#ifndef BOMP_GROW_H
#define BOMP_GROW_H

#include "tools/common/base.h"

/* Makes room in `list` (a pointer to the list's pointer) for one more element of `size` bytes than `count`. False: no
 * memory. */
static inline bool bomp_grow(void *list, size_t size, size_t count, size_t *room) {
    if (count < *room)
        return true;
    size_t more = *room > 0 ? 2 * *room : 64;
    void *grown = bz_realloc(*(void **)list, more * size);
    if (!grown)
        return false;
    *(void **)list = grown;
    *room = more;
    return true;
}

#endif
