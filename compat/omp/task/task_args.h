/* A task's arguments, where they are few: copied into its slab object by moves. */
#ifndef BOMP_TASK_ARGS_H
#define BOMP_TASK_ARGS_H

#include <string.h>

#include "runtime.h"

/* Arguments that are copied by moves: less than 64 bytes, aligned to 16 at most. */
BZ_INLINE bool task_args_are_small(size_t size, size_t align) {
    return (size | 2 * align) < 64;
}

/* `size` small, by moves that may overlap. */
BZ_INLINE void task_args_copy(char *to, const char *from, size_t size) {
    if (bz_likely(size - 16 <= 16)) {
        memcpy(to, from, 16);
        memcpy(to + size - 16, from + size - 16, 16);
    } else if (size > 32) {
        memcpy(to, from, 32);
        memcpy(to + size - 32, from + size - 32, 32);
    } else if (size >= 8) {
        memcpy(to, from, 8);
        memcpy(to + size - 8, from + size - 8, 8);
    } else {
        for (size_t i = 0; i < size; i++)
            to[i] = from[i];
    }
}

#endif
