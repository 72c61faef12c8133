/* Barriers, single, copyprivate, master, masked, critical and scope constructs. Those that have nothing to decode are in
 * names.ld; the ends of some have nothing to do. */
#include "kmpc.h"

/* Of which kind it is, is for tools. */
static void say_kind(kmpc_loc at) {
    int32_t flags = at ? at->flags : 0;
    if (flags & KMPC_IDENT_BARRIER_EXPLICIT)
        bomp_entered.barrier = BOMP_BARRIER_EXPLICIT;
    else
        bomp_entered.barrier = flags & KMPC_IDENT_BARRIER_LOOP ? BOMP_BARRIER_WORKSHARE : BOMP_BARRIER_OTHER;
}

BOMP_EXPORT void __kmpc_barrier(kmpc_loc at, int32_t id) {
    if (BOMP_OBSERVED)
        say_kind(at);
    bomp_barrier();
}

/* 1, here and in the other ones: the region is cancelled, and the caller goes to its end. */
BOMP_EXPORT int32_t __kmpc_cancel_barrier(kmpc_loc at, int32_t id) {
    BOMP_ENTERED();
    __kmpc_barrier(at, id);
    return bomp_cancelled();
}

/* A barrier in two halves: the primary thread goes on alone, and lets the others go on when it calls the second half. */
BOMP_EXPORT int32_t __kmpc_barrier_master(kmpc_loc at, int32_t id) {
    bomp_barrier();
    if (bomp_thread_num() == 0)
        return 1;
    bomp_barrier();
    return 0;
}

BOMP_EXPORT int32_t __kmpc_barrier_master_nowait(kmpc_loc at, int32_t id) {
    bomp_barrier();
    return bomp_thread_num() == 0;
}

BOMP_EXPORT int32_t __kmpc_master(kmpc_loc at, int32_t id) {
    if (bomp_thread_num() != 0)
        return 0;
    BOMP_NOTIFY_HERE(bomp_tool_masked(true));
    return 1;
}

BOMP_EXPORT int32_t __kmpc_masked(kmpc_loc at, int32_t id, int32_t filter) {
    if (bomp_thread_num() != filter)
        return 0;
    BOMP_NOTIFY_HERE(bomp_tool_masked(true));
    return 1;
}

/* did: the caller has run the single construct. The lists are on the stacks: the second barrier. */
BOMP_EXPORT void __kmpc_copyprivate(kmpc_loc at, int32_t id, size_t size, void *list,
                                    void (*copy)(void *to, void *from), int32_t did) {
    void *from = bomp_single_share(did ? list : NULL, BOMP_RETURN);
    if (from && !did)
        copy(list, from);
    bomp_barrier();
}

/* list: not NULL in the thread that has run the construct. Generated code copies from what this returns, and has a barrier
 * behind that. */
BOMP_EXPORT void *__kmpc_copyprivate_light(kmpc_loc at, int32_t id, void *list) {
    return bomp_single_share(list, BOMP_RETURN);
}

BOMP_EXPORT void __kmpc_critical(kmpc_loc at, int32_t id, kmpc_critical_name *name) {
    bomp_critical_name_start((uint32_t *)name);
}

/* The hint matters to tools alone. */
BOMP_EXPORT void __kmpc_critical_with_hint(kmpc_loc at, int32_t id, kmpc_critical_name *name, uint32_t hint) {
    BOMP_NOTIFY_HERE(bomp_tool_hint(hint));
    bomp_critical_name_start((uint32_t *)name);
}

BOMP_EXPORT void __kmpc_end_critical(kmpc_loc at, int32_t id, kmpc_critical_name *name) {
    bomp_critical_name_end((uint32_t *)name);
}

/* For tools. */
BOMP_EXPORT void __kmpc_scope(kmpc_loc at, int32_t id, void *reserved) {
    BOMP_NOTIFY_HERE(bomp_tool_scope(true));
}
