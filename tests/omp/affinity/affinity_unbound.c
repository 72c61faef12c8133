// beyond libomp: it has a place where nothing is bound
// flags: -D_GNU_SOURCE
// threads: 1 2 8
// env: OMP_DYNAMIC=false
// env: OMP_PROC_BIND=false OMP_PLACES=threads
// env: OMP_WAIT_POLICY=active OMP_SCHEDULE=dynamic
// Threads are bound only on request: each keeps the mask that the program started with, and a mask changed later stays
// as it is.
#include "../check.h"

#include <sys/wait.h>
#include <unistd.h>

static cpu_set_t all;

/* Unbound threads of LLVM's programs have one place, number 0. */
#ifdef __clang__
enum { PLACES = 1 };
#else
enum { PLACES = 0 };
#endif

static void check_here(void) {
    cpu_set_t now;

    CHECK_EQ(sched_getaffinity(0, sizeof now, &now), 0);
    CHECK(CPU_EQUAL(&now, &all));
    CHECK_EQ(omp_get_place_num(), PLACES - 1);
    CHECK_EQ(omp_get_partition_num_places(), PLACES);
}

static void check_regions(void) {
#pragma omp parallel proc_bind(spread)
    {
        check_here();
#pragma omp task
        check_here();
    }
#pragma omp parallel num_threads(3)
#pragma omp parallel num_threads(2) proc_bind(close)
    check_here();
    check_here();
}

int main(void) {
    CHECK_EQ(sched_getaffinity(0, sizeof all, &all), 0);
    CHECK_EQ(omp_get_num_procs(), CPU_COUNT(&all));
    CHECK_EQ(omp_get_num_places(), PLACES);
    check_regions();
#pragma omp parallel
    check_here();

    /* A narrower mask of the initial thread does not apply to threads that already exist. */
    cpu_set_t one = all, before = all;
    int cpu = 0;

    while (!CPU_ISSET(cpu, &all))
        cpu++;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    CHECK_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    int narrowed = 0, kept = 0;
#pragma omp parallel reduction(+ : narrowed, kept)
    {
        cpu_set_t now;
        sched_getaffinity(0, sizeof now, &now);
        narrowed += omp_get_thread_num() == 0 && CPU_EQUAL(&now, &one);
        kept += omp_get_thread_num() > 0 && CPU_EQUAL(&now, &before);
    }
    CHECK_EQ(narrowed, 1);
    CHECK_EQ(kept, omp_get_max_threads() - 1);
    return check_done("affinity_unbound");
}
