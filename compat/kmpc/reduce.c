/* __kmpc_reduce and its like: how the members of a team merge their copies of a reduction's variables. Alone: in place.
 * By atomic instructions, where the compiler has made code for that and they are few, but not in nested regions. Else the
 * members combine their copies two by two, and one merges those of all; or, with BLITZ_DETERMINISTIC, each merges its own in
 * the order of their numbers. All members choose the same. */
#include "kmpc.h"

typedef const struct kmpc_ident *loc;
typedef void combine(void *into, void *from);

BOMP_EXPORT int32_t __kmpc_reduce(loc, int32_t, int32_t, size_t, void *, combine *, kmpc_critical_name *);
BOMP_EXPORT int32_t __kmpc_reduce_nowait(loc, int32_t, int32_t, size_t, void *, combine *,
                                         kmpc_critical_name *);
BOMP_EXPORT void __kmpc_end_reduce(loc, int32_t, kmpc_critical_name *);

/* Variables that are merged by an atomic instruction each. Two threads that do nothing else merge one in 20 ns, by the lock
 * in 120; six in 100 and 140, eight in 150 and 120. */
#define ATOMIC_VARIABLES 6

/* The lock of the program is not used: all reductions of all its regions have one, also those of combiners. */
static inline __attribute__((always_inline)) int32_t start(loc at, int32_t variables, void *copies,
                                                           combine *merge, bool meets) {
    const struct bomp_merge how = {
        .atomic = (at->flags & KMPC_IDENT_ATOMIC_REDUCE) && variables <= ATOMIC_VARIABLES,
        .meets = meets,
        .data = copies,
        .combine = merge,
    };
    BOMP_TELL_HERE(bomp_tool_reduction(true));
    enum bomp_merge_way way = bomp_merge_choose(&how);
    if (way != BOMP_MERGE_ALONE)
        BOMP_TELL_HERE(bomp_tool_reduction(false));
    return (int32_t)way;
}

int32_t __kmpc_reduce_nowait(loc at, int32_t id, int32_t variables, size_t size, void *copies, combine *merge,
                             kmpc_critical_name *lock) {
    (void)id, (void)size, (void)lock;
    return start(at, variables, copies, merge, false);
}

/* No member goes on before all have merged: the end has a barrier. */
int32_t __kmpc_reduce(loc at, int32_t id, int32_t variables, size_t size, void *copies, combine *merge,
                      kmpc_critical_name *lock) {
    (void)id, (void)size, (void)lock;
    int32_t way = start(at, variables, copies, merge, true);
    if (way == KMPC_REDUCE_NOTHING)
        bomp_reduction_barrier();
    return way;
}

void __kmpc_end_reduce(loc at, int32_t id, kmpc_critical_name *lock) {
    (void)at, (void)id, (void)lock;
    BOMP_ENTERED();
    bomp_merge_end_alone();
    BOMP_ENTERED();
    bomp_reduction_barrier();
}

_Static_assert((int)KMPC_REDUCE_NOTHING == (int)BOMP_MERGE_NOTHING &&
                   (int)KMPC_REDUCE_COMBINE == (int)BOMP_MERGE_ALONE &&
                   (int)KMPC_REDUCE_ATOMIC == (int)BOMP_MERGE_ATOMIC,
               "the ways have the numbers that the program expects");
