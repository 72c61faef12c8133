/* GOMP_interop, and another question about devices that the host answers. */
#include "depend.h"
#include "omp/bomp.h"

enum { INTEROP_NOWAIT = 1 };

/* The host has no foreign runtime: objects that are made or destroyed become omp_interop_none. */
static void set_none(int count, uintptr_t **objects) {
    for (int i = 0; i < count; i++)
        *objects[i] = 0;
}

BOMP_EXPORT void GOMP_interop(int device, int made, uintptr_t **objects, const int *kinds,
                              const char **preferred, int used, uintptr_t **used_objects, int destroyed,
                              uintptr_t **destroyed_objects, unsigned flags, void **depend) {
    if (flags & ~(unsigned)INTEROP_NOWAIT)
        bomp_unknown_bits("GOMP_interop", "flags", flags & ~(unsigned)INTEROP_NOWAIT);
    (void)bomp_device_exists(device); /* a number of omp.h, unlike those of target constructs */
    if (depend)
        gomp_depend_wait(depend, flags & INTEROP_NOWAIT);
    set_none(made, objects);
    set_none(destroyed, destroyed_objects);
}

/* Of a function whose address a target region calls: there is one copy of it. */
BOMP_EXPORT void *GOMP_target_map_indirect_ptr(void *ptr) {
    return ptr;
}
