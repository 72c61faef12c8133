// What functions of OpenMP say to a program that was linked to libomp, where GCC's runtime has other answers; and that both
// set the same.
#include <limits.h>

#include "calls.h"

void omp_get_schedule_(int *, int *), omp_set_schedule_(const int *, const int *);
int omp_get_supported_active_levels_(void), omp_get_max_active_levels_(void);

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

int main(void) {
    schedules();
    levels();
    inherited();
    printf("%d %d %d\n", omp_get_thread_limit(), omp_get_max_teams(), omp_get_num_devices());
    return check_done("answers");
}
