// clang flags: -mllvm -openmp-opt-disable
// beyond libomp: it writes lists of CPUs differently
// threads: 2
// env: OMP_DISPLAY_AFFINITY=true OMP_AFFINITY_FORMAT='level %L, thread %n of %N at %A, parent %a'
// env: OMP_DISPLAY_AFFINITY=TRUE OMP_AFFINITY_FORMAT='%n %A' OMP_PROC_BIND=close
// env: OMP_DISPLAY_AFFINITY=true OMP_AFFINITY_FORMAT='%n %A' OMP_PROC_BIND=spread OMP_PLACES=threads
// env: OMP_DISPLAY_AFFINITY=true OMP_AFFINITY_FORMAT=
// env: OMP_DISPLAY_AFFINITY=false OMP_AFFINITY_FORMAT='%n %A'
// Threads print their places when the threads or their places change. They print to stderr, which this program
// redirects to stdout.
#include "../check.h"

#include <unistd.h>

static void part(const char *name) {
    fprintf(stderr, "%s\n", name);
}

int main(void) {
    CHECK_EQ(dup2(STDOUT_FILENO, STDERR_FILENO), STDERR_FILENO);
    part("first");
#pragma omp parallel
    ;
    part("again");
#pragma omp parallel
    ;
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < 4; i++)
        ;
    part("more");
#pragma omp parallel num_threads(3)
    ;
    part("fewer");
#pragma omp parallel num_threads(2)
    ;
    part("one");
#pragma omp parallel num_threads(1)
    ;
#pragma omp parallel if (0)
    ;
    part("two");
#pragma omp parallel num_threads(2)
    ;
    part("another format");
    omp_set_affinity_format("thread %n of %N");
#pragma omp parallel num_threads(2)
    ;
    part("another place");
#pragma omp parallel num_threads(2) proc_bind(primary)
    ;
#pragma omp parallel num_threads(2) proc_bind(primary)
    ;
    part("back");
#pragma omp parallel num_threads(2) proc_bind(close)
    ;
#pragma omp parallel sections num_threads(2) proc_bind(close)
    {
        ;
#pragma omp section
        ;
    }
    part("nested");
    omp_set_max_active_levels(2);
    omp_set_affinity_format("thread %n of %N, level %L, in %a");
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1) {
#pragma omp parallel num_threads(3)
        ;
#pragma omp parallel num_threads(3)
        ;
    }
    part("on demand");
    omp_display_affinity("%n %%");
    omp_display_affinity("");
    omp_display_affinity(NULL);
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1)
        omp_display_affinity("I am %n");
    return check_done("affinity_display");
}
