// beyond libgomp: it takes the mask of the thread that asks for the process's
// flags: -D_GNU_SOURCE
// env:
// env: OMP_PROC_BIND=true
// env: OMP_PROC_BIND=false
// threads: 2
// Threads of a region that go to CPUs of their own choice, also from where they are bound: the process has as many CPUs as
// before.
#include "../check.h"

int main(void) {
    int cpus = omp_get_num_procs();

#pragma omp parallel
    {
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(sched_getcpu(), &one);
        CHECK_EQ(sched_setaffinity(0, sizeof one, &one), 0);
        CHECK_EQ(omp_get_num_procs(), cpus);
    }
    CHECK_EQ(omp_get_num_procs(), cpus);
    CHECK_EQ(omp_get_max_threads(), 2);
    return check_done("affinity_pins");
}
