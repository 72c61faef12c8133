/* omp_api.c: functions of OpenMP that answer otherwise to a program that was linked to libomp (KMPC_OWN in kmpc.def): the
 * default schedule is static, no program reaches the limit of nested regions, omp_set_nested raises no limit but 1, and
 * threads that are not bound have one place of all CPUs. Without an offload library, all devices have the host's name, and
 * all names are the host's. */
#include <limits.h>

#include "kmpc.h"

enum { SCHEDULE_STATIC = 1, SCHEDULE_AUTO = 4, SCHEDULE_KIND = 0xff };

/* Of the offload library. */
const char *omp_get_uid_from_device(int32_t device);
int32_t omp_get_device_from_uid(const char *uid);

BOMP_NAMED void bomp_llvm_get_schedule(uint32_t *kind, int32_t *chunk) {
    if (!bomp_run_schedule(kind, chunk)) {
        *kind = SCHEDULE_STATIC;
        *chunk = 0;
    }
    if ((*kind & SCHEDULE_KIND) == SCHEDULE_AUTO)
        *chunk = 1;
}

BOMP_NAMED int32_t bomp_llvm_get_supported_active_levels(void) {
    return INT_MAX;
}

KMPC_BY_REFERENCE(void, bomp_llvm_set_nested_f, bomp_set_nested, int32_t)

BOMP_NAMED int32_t bomp_llvm_get_num_places(void) {
    return (int32_t)bomp_place_count(true);
}

BOMP_NAMED int32_t bomp_llvm_get_place_num(void) {
    return bomp_place_of_caller(true);
}

BOMP_NAMED int32_t bomp_llvm_get_partition_num_places(void) {
    return (int32_t)bomp_place_partition(NULL, true);
}

BOMP_NAMED int32_t bomp_llvm_get_place_num_procs(int32_t num) {
    return (int32_t)bomp_place_procs(num, NULL, true);
}

BOMP_NAMED void bomp_llvm_get_place_proc_ids(int32_t num, int32_t *ids) {
    (void)bomp_place_procs(num, ids, true);
}

BOMP_NAMED void bomp_llvm_get_partition_place_nums(int32_t *nums) {
    (void)bomp_place_partition(nums, true);
}

BOMP_NAMED const char *bomp_llvm_get_uid_from_device(int32_t device) {
    BOMP_OFFLOAD(omp_get_uid_from_device, (device));
    return "HOST";
}

KMPC_BY_REFERENCE(const char *, bomp_llvm_get_uid_from_device_f, bomp_llvm_get_uid_from_device, int32_t)

BOMP_NAMED int32_t bomp_llvm_get_device_from_uid(const char *uid) {
    BOMP_OFFLOAD(omp_get_device_from_uid, (uid));
    return bomp_devices();
}
