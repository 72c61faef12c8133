/* __kmpc_cancel, __kmpc_cancellationpoint. */
#include "kmpc.h"

/* The region, construct or taskgroup that `kind` names. */
static enum bomp_cancel cancel_of(const char *entry, int32_t kind) {
    if (kind < KMPC_CANCEL_PARALLEL || kind > KMPC_CANCEL_TASKGROUP)
        bomp_unknown_bits(entry, "kind", (unsigned)kind);
    return kmpc_cancel_of(kind);
}

BOMP_EXPORT int32_t __kmpc_cancel(kmpc_loc at, int32_t id, int32_t kind) {
    BOMP_ENTERED();
    return bomp_cancel(cancel_of("__kmpc_cancel", kind));
}

BOMP_EXPORT int32_t __kmpc_cancellationpoint(kmpc_loc at, int32_t id, int32_t kind) {
    BOMP_ENTERED();
    return bomp_cancellation_point(cancel_of("__kmpc_cancellationpoint", kind));
}
