/* target.c: what the library of devices asks this one about tasks. */
#include "omp/bomp.h"

BOMP_EXPORT void **__kmpc_omp_get_target_async_handle_ptr(int32_t);
BOMP_EXPORT bool __kmpc_omp_has_task_team(int32_t);

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
