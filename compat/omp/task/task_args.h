/* A task's arguments, where they are few: copied into its slab object by moves. */
#ifndef BOMP_TASK_ARGS_H
#define BOMP_TASK_ARGS_H

#include <string.h>

#include "runtime.h"

/* Arguments that are copied by moves: less than 64 bytes, aligned to 16 at most. */
BZ_INLINE bool task_args_are_small(size_t size, size_t align) {
    return (size | 2 * align) < 64;
}

/* The last 8 bytes, by 4: what is last is often an `int` that the program has stored just now, and a processor that loads
 * more than that store wrote waits until it has left for the cache. */
BZ_INLINE void copy_end(char *to, const char *from) {
    memcpy(to, from, 4);
    bz_signal_fence(); /* keeps the compiler from making one of both */
    memcpy(to + 4, from + 4, 4);
}

/* One word to two. */
BZ_INLINE bool task_args_are_few(size_t size) {
    return size - 8 <= 8;
}
BZ_INLINE void task_args_copy_few(char *to, const char *from, size_t size) {
    memcpy(to, from, 8);
    copy_end(to + size - 8, from + size - 8);
}

/* `size` small, by moves that may overlap. */
BZ_INLINE void task_args_copy(char *to, const char *from, size_t size) {
    if (bz_likely(task_args_are_few(size))) {
        task_args_copy_few(to, from, size);
    } else if (size - 16 <= 16) {
        memcpy(to, from, 16);
        memcpy(to + size - 16, from + size - 16, 16);
    } else if (size > 32) {
        memcpy(to, from, 32);
        memcpy(to + size - 32, from + size - 32, 32);
    } else {
        for (size_t i = 0; i < size; i++)
            to[i] = from[i];
    }
}

#endif
