// Results of OpenMP functions in a program linked to libomp, where GCC's runtime gives other results; both set the same
// variables.
// env: OMP_PROC_BIND=false
// env: OMP_PROC_BIND=false OMP_PLACES=cores
// env: OMP_PROC_BIND=true OMP_PLACES='{0},{0},{0},{0}'
// env: OMP_PLACES='{0},{0},{0},{0}'
// env: KMP_AFFINITY=disabled
// env: OMP_PROC_BIND=close OMP_PLACES='{0}'
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <limits.h>

#include "calls.h"

void omp_get_schedule_(int *, int *), omp_set_schedule_(const int *, const int *);
int omp_get_supported_active_levels_(void), omp_get_max_active_levels_(void);
int omp_get_num_places_(void), omp_get_place_num_(void), omp_get_partition_num_places_(void);
void omp_set_nested_(const int *);
void omp_get_partition_place_nums_(int *);

static void show_schedule(const char *what) {
    omp_sched_t kind;
    int chunk, fortran_kind, fortran_chunk;
    omp_get_schedule(&kind, &chunk);
    omp_get_schedule_(&fortran_kind, &fortran_chunk);
    printf("%s: schedule %#x,%d %d,%d\n", what, (unsigned)kind, chunk, fortran_kind, fortran_chunk);
}

static void schedules(void) {
    show_schedule("nothing said");
    for (int kind = omp_sched_static; kind <= omp_sched_auto; kind++) {
        for (int chunk = 0; chunk <= 6; chunk += 3) {
            omp_set_schedule((omp_sched_t)kind, chunk);
            show_schedule("said");
        }
    }
    omp_set_schedule((omp_sched_t)(omp_sched_guided | omp_sched_monotonic), 2);
    show_schedule("said with a modifier");
}

static void levels(void) {
    static const int tried[] = {0, 1, 7, 254, INT_MAX, -1};
    CHECK_EQ(omp_get_supported_active_levels(), INT_MAX);
    CHECK_EQ(omp_get_supported_active_levels_(), INT_MAX);
    printf("levels %d", omp_get_max_active_levels());
    for (unsigned i = 0; i < sizeof tried / sizeof tried[0]; i++) {
        omp_set_max_active_levels(tried[i]);
        CHECK_EQ(omp_get_max_active_levels(), omp_get_max_active_levels_());
        printf(" %d", omp_get_max_active_levels());
    }
    printf("\n");
    for (int levels = 0, on = 1; levels < 4; levels++) {
        omp_set_max_active_levels(levels);
        omp_set_nested(on);
        omp_set_nested_(&on);
        printf("nested: %d\n", omp_get_max_active_levels());
    }
    omp_set_nested(0);
    CHECK_EQ(omp_get_max_active_levels(), 1);
    omp_set_max_active_levels(omp_get_supported_active_levels());
    CHECK_EQ(omp_get_max_active_levels(), INT_MAX);
}

static void inherited(void) {
    omp_set_schedule(omp_sched_dynamic, 9);
#pragma omp parallel num_threads(2)
#pragma omp critical
    {
        omp_sched_t kind;
        int chunk;
        omp_get_schedule(&kind, &chunk);
        CHECK(kind == omp_sched_dynamic && chunk == 9);
        CHECK_EQ(omp_get_max_active_levels(), INT_MAX);
    }
}

/* Unbound threads have one place, of all CPUs. */
static void show_places(const char *where) {
    int ids[4096] = {0}, nums[4096] = {0};
    int count = omp_get_num_places(), procs = omp_get_place_num_procs(0);
    omp_get_place_proc_ids(0, ids);
    omp_get_partition_place_nums(nums);
    printf("%s: bound %d, %d places, here %d, partition of %d from %d, %d CPUs from %d to %d, beyond %d %d\n",
           where, omp_get_proc_bind(), count, omp_get_place_num(), omp_get_partition_num_places(), nums[0],
           procs, ids[0], procs > 0 ? ids[procs - 1] : -1, omp_get_place_num_procs(count),
           omp_get_place_num_procs(-1));
    CHECK_EQ(omp_get_num_places_(), count);
    CHECK_EQ(omp_get_place_num_(), omp_get_place_num());
    CHECK_EQ(omp_get_partition_num_places_(), omp_get_partition_num_places());
    omp_get_partition_place_nums_(nums + 2048);
    CHECK(memcmp(nums, nums + 2048, 2048 * sizeof *nums) == 0);
}

static void places(void) {
    show_places("outside");
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1)
        show_places("inside");
}

/* The version that programs linked to libomp 22 or later use; older ones lack the functions. */
static void *of_llvm(const char *name) {
    return dlvsym(RTLD_DEFAULT, name, "VERSION");
}

/* Without an offload library. */
static void names_of_devices(void) {
    static const char *const names[] = {"HOST", "OMP_INITIAL_DEVICE", "unknown", "", NULL};
    const char *(*uid_of)(int) = (const char *(*)(int))of_llvm("omp_get_uid_from_device");
    const char *(*uid_of_f)(int *) = (const char *(*)(int *))of_llvm("omp_get_uid_from_device_");
    int (*device_of)(const char *) = (int (*)(const char *))of_llvm("omp_get_device_from_uid");
    int (*device_of_f)(const char *) = (int (*)(const char *))of_llvm("omp_get_device_from_uid_");
    for (int device = -6; uid_of && device < 3; device++) {
        CHECK(strcmp(uid_of(device), "HOST") == 0);
        CHECK(strcmp(uid_of_f(&device), "HOST") == 0);
    }
    for (int i = 0; device_of && i < 5; i++) {
        CHECK_EQ(device_of(names[i]), omp_get_initial_device());
        CHECK_EQ(device_of_f(names[i]), omp_get_initial_device());
    }
}

int main(void) {
    schedules();
    names_of_devices();
    places();
    levels();
    inherited();
    printf("%d %d %d\n", omp_get_thread_limit(), omp_get_max_teams(), omp_get_num_devices());
    return check_done("answers");
}
