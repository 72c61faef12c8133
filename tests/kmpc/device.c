// Queries about devices, in a process without any.
// beyond libomp: it allows pausing its threads inside a region
// env: OMP_TARGET_OFFLOAD=default
// env: OMP_TARGET_OFFLOAD=disabled
// env: OMP_TARGET_OFFLOAD=mandatory
// threads: 2
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "calls.h"

int32_t __kmpc_get_target_offload(void);
int32_t __kmpc_pause_resource(int32_t kind);
bool __kmpc_omp_has_task_team(int32_t gtid);
int32_t omp_get_num_interop_properties_(const void *object);
intptr_t omp_get_interop_int_(const void *object, const int32_t *property, int32_t *why);
void *omp_get_interop_ptr_(const void *object, const int32_t *property, int32_t *why);

static void inside(int32_t *gtid, int32_t *btid) {
    (void)gtid, (void)btid;
    CHECK_EQ(__kmpc_pause_resource(1), 1);
    CHECK_EQ(__kmpc_pause_resource(0), 0);
}

int main(void) {
    static const char *const words[] = {"disabled", "default", "mandatory"};
    CHECK(strcmp(words[__kmpc_get_target_offload()], getenv("OMP_TARGET_OFFLOAD")) == 0);
    CHECK(!__kmpc_omp_has_task_team(__kmpc_global_thread_num(&here)));

    const void *none = NULL;
    int32_t property = -1, why = 0;
    CHECK_EQ(omp_get_num_interop_properties_(&none), 0);
    CHECK_EQ(omp_get_interop_int_(&none, &property, &why), 0);
    CHECK(omp_get_interop_ptr_(&none, &property, &why) == NULL);

    __kmpc_fork_call(&here, 0, (microtask *)inside);
    CHECK_EQ(__kmpc_pause_resource(1), 0);
    CHECK_EQ(__kmpc_pause_resource(0), 0);
    CHECK_EQ(__kmpc_pause_resource(3), 1);
    return check_done("device");
}
