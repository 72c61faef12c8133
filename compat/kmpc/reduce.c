/* __kmpc_reduce and its like: how the members of a team merge their copies of a reduction's variables. Alone: in place.
 * By atomic instructions, where the compiler has made code for that and they are few. Else in turns: each member merges
 * into the originals itself, with the program's lock; in the order of their numbers with BLITZ_DETERMINISTIC. Nobody waits
 * for others but for the lock, until the blocking form's barrier. All members choose the same. */
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

/* The lock's word that says in which region its holder merges; written and read by that. */
enum { LEVEL = 1 };

static int32_t start(loc at, int32_t variables, kmpc_critical_name *lock) {
    if (bomp_num_threads() == 1)
        return KMPC_REDUCE_COMBINE;
    if ((at->flags & KMPC_IDENT_ATOMIC_REDUCE) && variables <= ATOMIC_VARIABLES && !bomp_merge_is_ordered())
        return KMPC_REDUCE_ATOMIC;
    bomp_merge_start();
    bomp_critical_name_start((uint32_t *)lock);
    (*lock)[LEVEL] = bomp_level();
    return KMPC_REDUCE_COMBINE;
}

/* Whichever way it was: the lock says. That of a region outside may be the caller's, too: its combiner has opened
 * this region. */
static void end(kmpc_critical_name *lock) {
    if (!bomp_critical_name_is_mine((uint32_t *)lock) || (*lock)[LEVEL] != bomp_level())
        return;
    bomp_critical_name_end((uint32_t *)lock);
    bomp_merge_end();
}

int32_t __kmpc_reduce_nowait(loc at, int32_t id, int32_t variables, size_t size, void *copies, combine *merge,
                             kmpc_critical_name *lock) {
    (void)id, (void)size, (void)copies, (void)merge;
    return start(at, variables, lock);
}

void __kmpc_end_reduce_nowait(loc at, int32_t id, kmpc_critical_name *lock) {
    (void)at, (void)id;
    end(lock);
}

/* No member goes on before all have merged: the end has a barrier. */
int32_t __kmpc_reduce(loc at, int32_t id, int32_t variables, size_t size, void *copies, combine *merge,
                      kmpc_critical_name *lock) {
    return __kmpc_reduce_nowait(at, id, variables, size, copies, merge, lock);
}

void __kmpc_end_reduce(loc at, int32_t id, kmpc_critical_name *lock) {
    (void)at, (void)id;
    end(lock);
    bomp_barrier();
}
