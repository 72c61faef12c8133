/* __kmpc_reduce and its like: how the members of a team merge their copies of a reduction's variables. Alone: in place.
 * By atomic instructions, where the compiler has made code for that and they are few, but not in nested regions. Else in
 * turns: each member merges into the originals itself, with the team's lock; in the order of their numbers with
 * BLITZ_DETERMINISTIC. Nobody waits for others but for the lock, until the blocking form's barrier. All members choose the
 * same. */
#include "kmpc.h"

typedef const struct kmpc_ident *loc;
typedef void combine(void *into, void *from);

BOMP_EXPORT int32_t __kmpc_reduce(loc, int32_t, int32_t, size_t, void *, combine *, kmpc_critical_name *);
BOMP_EXPORT int32_t __kmpc_reduce_nowait(loc, int32_t, int32_t, size_t, void *, combine *,
                                         kmpc_critical_name *);
BOMP_EXPORT void __kmpc_end_reduce(loc, int32_t, kmpc_critical_name *);
BOMP_EXPORT void __kmpc_end_reduce_nowait(loc, int32_t, kmpc_critical_name *);

/* Variables that are merged by an atomic instruction each. Two threads that do nothing else merge one in 20 ns, by the lock
 * in 120; six in 100 and 140, eight in 150 and 120. */
#define ATOMIC_VARIABLES 6

/* The lock of the program is not used: all reductions of all its regions have one, also those of combiners. */
static int32_t start(loc at, int32_t variables) {
    bool atomic = (at->flags & KMPC_IDENT_ATOMIC_REDUCE) && variables <= ATOMIC_VARIABLES;
    return bomp_merge_alone_start(atomic) ? KMPC_REDUCE_COMBINE : KMPC_REDUCE_ATOMIC;
}

int32_t __kmpc_reduce_nowait(loc at, int32_t id, int32_t variables, size_t size, void *copies, combine *merge,
                             kmpc_critical_name *lock) {
    (void)id, (void)size, (void)copies, (void)merge, (void)lock;
    return start(at, variables);
}

void __kmpc_end_reduce_nowait(loc at, int32_t id, kmpc_critical_name *lock) {
    (void)at, (void)id, (void)lock;
    bomp_merge_alone_end();
}

/* No member goes on before all have merged: the end has a barrier. */
int32_t __kmpc_reduce(loc at, int32_t id, int32_t variables, size_t size, void *copies, combine *merge,
                      kmpc_critical_name *lock) {
    return __kmpc_reduce_nowait(at, id, variables, size, copies, merge, lock);
}

void __kmpc_end_reduce(loc at, int32_t id, kmpc_critical_name *lock) {
    (void)at, (void)id, (void)lock;
    bomp_merge_alone_end();
    bomp_barrier();
}
