/* GCC's arrays of dependences as a list. */
#ifndef GOMP_DEPEND_H
#define GOMP_DEPEND_H

#include "omp/bomp.h"

#define GOMP_DEPEND_SMALL 16

/* A decoded list: short ones in place, long ones on the heap. */
struct gomp_depend {
    struct bomp_depend_list list;
    struct bomp_depend *heap; /* NULL: in place */
    struct bomp_depend small[GOMP_DEPEND_SMALL];
};

/* What `depend` says now: later changes, also of the depend objects in it, make no difference. No memory is fatal. */
void gomp_depend_decode(struct gomp_depend *depend, void *const *array);
/* When the list is not needed any more. */
void gomp_depend_free(struct gomp_depend *depend);

/* A construct that has nothing to do but to wait for `array`; nowait: later ones wait for it, and the caller goes on. */
void gomp_depend_wait(void *const *array, bool nowait);

#endif
