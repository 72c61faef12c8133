/* memspace.c: memory spaces, as OpenMP 6.0 has them (section "Memory Space Retrieving Routines"), with the answers that LLVM
 * 22's libomp gives without offload devices: a space of the host has one resource, so each of its subspaces is the space
 * itself. Functions of devices' memory are second names of bomp_nothing (names.ld). */
#include "kmpc.h"

/* omp_large_cap_mem_space to omp_cgroup_mem_space, omp_default_mem_space, LLVM's own for memory that devices see. */
enum { FIRST_SPACE = 1, LAST_SPACE = 5, DEFAULT_SPACE = 99, LAST_LLVM_SPACE = 102 };

BOMP_EXPORT int32_t omp_get_memspace_num_resources(uintptr_t space) {
    return (space >= FIRST_SPACE && space <= LAST_SPACE) ||
           (space >= DEFAULT_SPACE && space <= LAST_LLVM_SPACE);
}

KMPC_BY_REFERENCE(int32_t, omp_get_memspace_num_resources_, omp_get_memspace_num_resources, uintptr_t)

BOMP_EXPORT uintptr_t omp_get_submemspace(uintptr_t space, int32_t count, const int32_t *resources) {
    return omp_get_memspace_num_resources(space) > 0 ? space : 0;
}

BOMP_EXPORT uintptr_t omp_get_submemspace_(const uintptr_t *space, const int32_t *count,
                                           const int32_t *resources) {
    return omp_get_submemspace(*space, *count, resources);
}
