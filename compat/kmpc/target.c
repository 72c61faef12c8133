/* target.c: what the library of devices asks this one, and what there is to say about devices. */
#include "omp/bomp.h"

BOMP_EXPORT void **__kmpc_omp_get_target_async_handle_ptr(int32_t);
BOMP_EXPORT bool __kmpc_omp_has_task_team(int32_t);
BOMP_EXPORT int32_t __kmpc_get_target_offload(void), __kmpc_pause_resource(int32_t);

/* Where a task keeps what it has begun on a device. Nowhere: its target constructs are complete when it goes on. */
void **__kmpc_omp_get_target_async_handle_ptr(int32_t id) {
    (void)id;
    return NULL;
}

/* Whether a task could be put off until a device is done. */
bool __kmpc_omp_has_task_team(int32_t id) {
    (void)id;
    return false;
}

/* As the library of devices numbers them: disabled, default, mandatory. */
int32_t __kmpc_get_target_offload(void) {
    enum bomp_offload offload = bomp_target_offload();
    return offload == BOMP_OFFLOAD_DISABLED ? 0 : offload == BOMP_OFFLOAD_DEFAULT ? 1 : 2;
}

/* kind: 0 goes on, which everything does when it is used; 1 soft, 2 hard. */
int32_t __kmpc_pause_resource(int32_t kind) {
    return kind == 0 || ((kind == 1 || kind == 2) && bomp_pause()) ? 0 : 1;
}
