// beyond libgomp: it takes the calling thread's mask for the process's
// flags: -D_GNU_SOURCE
// env:
// env: OMP_PROC_BIND=true
// env: OMP_PROC_BIND=false
// threads: 2
// Threads of a region choose CPUs themselves, even if they are bound. The process keeps its number of CPUs.
#include "../check.h"

int main(void) {
    int cpus = omp_get_num_procs();
    cpu_set_t all;
    CHECK_EQ(sched_getaffinity(0, sizeof all, &all), 0);

#pragma omp parallel
    {
        cpu_set_t one;
        CPU_ZERO(&one);
        for (int cpu = 0, n = 0; CPU_COUNT(&one) == 0; cpu = (cpu + 1) % CPU_SETSIZE)
            if (CPU_ISSET(cpu, &all) && n++ >= omp_get_thread_num() % CPU_COUNT(&all))
                CPU_SET(cpu, &one);
        CHECK_EQ(sched_setaffinity(0, sizeof one, &one), 0);
#pragma omp barrier
        CHECK_EQ(omp_get_num_procs(), cpus < 3 ? cpus : omp_get_num_procs());
    }
    CHECK_EQ(omp_get_max_threads(), 2);
    return check_done("affinity_pins");
}
