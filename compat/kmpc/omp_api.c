/* omp_api.c: functions of OpenMP that answer otherwise to whoever was linked to libomp (KMPC_OWN in kmpc.def): the default
 * schedule is static, and there is no limit of nested regions that anybody could reach. */
#include <limits.h>

#include "kmpc.h"

enum { SCHEDULE_STATIC = 1, SCHEDULE_AUTO = 4, SCHEDULE_KIND = 0xff };

BOMP_NAMED void bomp_llvm_get_schedule(uint32_t *kind, int32_t *chunk);
BOMP_NAMED int32_t bomp_llvm_get_supported_active_levels(void), bomp_llvm_get_max_active_levels(void);

void bomp_llvm_get_schedule(uint32_t *kind, int32_t *chunk) {
    if (!bomp_run_schedule(kind, chunk)) {
        *kind = SCHEDULE_STATIC;
        *chunk = 0;
    }
    if ((*kind & SCHEDULE_KIND) == SCHEDULE_AUTO)
        *chunk = 1;
}

int32_t bomp_llvm_get_supported_active_levels(void) {
    return INT_MAX;
}

int32_t bomp_llvm_get_max_active_levels(void) {
    return bomp_max_active_levels();
}
