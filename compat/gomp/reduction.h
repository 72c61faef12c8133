/* GCC's descriptor of a task reduction: words of the compiled code, one of them filled in by the runtime, two of them for
 * its own use.
 *
 *   0         number of items
 *   1         bytes that a thread's copies take
 *   2         in: their alignment; out: where those of thread 0 are
 *   3         allocator; not used
 *   4         the next descriptor of the same construct, or 0
 *   5, 6      ours: in 5 the runtime's reduction
 *   7 + 3 i   of item i: address of the original, offset of the copy, a word that is ours */
#ifndef GOMP_REDUCTION_H
#define GOMP_REDUCTION_H

#include "omp/bomp.h"

enum { RED_ITEMS, RED_BYTES, RED_BASE, RED_ALLOCATOR, RED_NEXT, RED_OURS, RED_FIRST_ITEM = 7 };

/* Makes the copies for the current team, known to the tasks of the innermost taskgroup of the current task from now on, and
 * tells the compiled code where they are. */
void gomp_reduction_register(uintptr_t *descriptor);

/* Of a worksharing construct that the calling thread has started. */
void gomp_reduction_start(uintptr_t *descriptor);

/* A taskloop without iterations: there are no copies to merge or to unregister. */
static inline void gomp_reduction_none(uintptr_t *descriptor) {
    descriptor[RED_BASE] = 0;
}

#endif
