/* __kmpc_reduce and its like: how the members of a team merge their copies of a reduction's variables. Before a barrier
 * they combine them two by two, and one merges those of all. Else each merges its own, one at a time; with
 * BLITZ_DETERMINISTIC in the order of their numbers. Code that merges by atomic instructions is not used. */
#include "kmpc.h"

typedef void combine(void *into, void *from);

/* The lock of the program is not used: all reductions of all its regions have one, also those of combiners. */
static inline __attribute__((always_inline)) int32_t start(void *copies, combine *merge) {
    const struct bomp_merge how = {.data = copies, .combine = merge};
    BOMP_NOTIFY_HERE(bomp_tool_reduction(true));
    enum bomp_merge_way way = bomp_merge_choose(&how);
    if (way != BOMP_MERGE_ALONE)
        BOMP_NOTIFY_HERE(bomp_tool_reduction(false));
    return (int32_t)way;
}

BOMP_EXPORT int32_t __kmpc_reduce_nowait(kmpc_loc at, int32_t id, int32_t variables, size_t size,
                                         void *copies, combine *merge, kmpc_critical_name *lock) {
    return start(copies, NULL);
}

/* No member goes on before all have merged: the end has a barrier. */
BOMP_EXPORT int32_t __kmpc_reduce(kmpc_loc at, int32_t id, int32_t variables, size_t size, void *copies,
                                  combine *merge, kmpc_critical_name *lock) {
    int32_t way = start(copies, merge);
    if (way == KMPC_REDUCE_NOTHING)
        bomp_reduction_barrier();
    return way;
}

BOMP_EXPORT void __kmpc_end_reduce(kmpc_loc at, int32_t id, kmpc_critical_name *lock) {
    BOMP_ENTERED();
    bomp_merge_end_alone();
    BOMP_ENTERED();
    bomp_reduction_barrier();
}

_Static_assert((int)KMPC_REDUCE_NOTHING == (int)BOMP_MERGE_NOTHING &&
                   (int)KMPC_REDUCE_COMBINE == (int)BOMP_MERGE_ALONE,
               "the ways have the numbers that the program expects");
