/* target.c: questions of the offload library, and about devices. */
#include "omp/bomp.h"

/* As the library of devices numbers them: disabled, default, mandatory. */
BOMP_EXPORT int32_t __kmpc_get_target_offload(void) {
    enum bomp_offload offload = bomp_target_offload();
    return offload == BOMP_OFFLOAD_DISABLED ? 0 : offload == BOMP_OFFLOAD_DEFAULT ? 1 : 2;
}

/* kind: 0 goes on, which everything does when it is used; 1 soft, 2 hard. */
BOMP_EXPORT int32_t __kmpc_pause_resource(int32_t kind) {
    return kind == 0 || ((kind == 1 || kind == 2) && bomp_pause()) ? 0 : 1;
}
