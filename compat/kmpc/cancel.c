/* __kmpc_cancel, __kmpc_cancellationpoint. */
#include "kmpc.h"

typedef const struct kmpc_ident *loc;

/* The region, construct or taskgroup that `kind` names. */
static enum bomp_cancel cancel_of(const char *entry, int32_t kind) {
    switch (kind) {
    case KMPC_CANCEL_PARALLEL:
        return BOMP_CANCEL_PARALLEL;
    case KMPC_CANCEL_LOOP:
        return BOMP_CANCEL_LOOP;
    case KMPC_CANCEL_SECTIONS:
        return BOMP_CANCEL_SECTIONS;
    case KMPC_CANCEL_TASKGROUP:
        return BOMP_CANCEL_TASKGROUP;
    default:
        bomp_unknown_bits(entry, "kind", (unsigned)kind);
    }
}

BOMP_EXPORT int32_t __kmpc_cancel(loc at, int32_t id, int32_t kind) {
    BOMP_ENTERED();
    (void)at, (void)id;
    return bomp_cancel(cancel_of("__kmpc_cancel", kind));
}

BOMP_EXPORT int32_t __kmpc_cancellationpoint(loc at, int32_t id, int32_t kind) {
    BOMP_ENTERED();
    (void)at, (void)id;
    return bomp_cancellation_point(cancel_of("__kmpc_cancellationpoint", kind));
}
