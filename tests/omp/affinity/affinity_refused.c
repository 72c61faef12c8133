// clang flags: -mllvm -openmp-opt-disable
// beyond libomp: it leaves out CPUs that do not exist
// beyond libgomp: it keeps places without a CPU
// flags: -D_GNU_SOURCE
// threads: 3
// env: GOMP_CPU_AFFINITY="0-63"
// env: GOMP_CPU_AFFINITY="63 62 61"
// env: OMP_PROC_BIND=spread
// The reported place of a thread is its actual place, and the displayed CPUs are those that it may run on. CPUs that do
// not exist are left out.
#include "../check.h"

#include <string.h>

/* As %A writes it. */
static void list_cpus(const cpu_set_t *set, char *text, size_t size) {
    size_t used = 0;
    text[0] = '\0';
    for (int first = 0, last; first < CPU_SETSIZE; first = last + 1) {
        for (last = first; last < CPU_SETSIZE && CPU_ISSET(last, set); last++)
            ;
        last--;
        if (last > first)
            used += (size_t)snprintf(text + used, size - used, "%s%d-%d", used ? "," : "", first, last);
        else if (last == first)
            used += (size_t)snprintf(text + used, size - used, "%s%d", used ? "," : "", first);
        else
            last = first;
    }
}

static int is_at(int place, const cpu_set_t *own) {
    int ids[CPU_SETSIZE], count = omp_get_place_num_procs(place);
    omp_get_place_proc_ids(place, ids);
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        int listed = 0;
        for (int i = 0; i < count; i++)
            listed |= ids[i] == cpu;
        if (CPU_ISSET(cpu, own) && !listed)
            return 0;
    }
    return count > 0;
}

/* 1: the thread has a place. */
static int check_here(void) {
    char shown[1000], wanted[1000];
    cpu_set_t own;
    CHECK_EQ(sched_getaffinity(0, sizeof own, &own), 0);
    list_cpus(&own, wanted, sizeof wanted);
    omp_capture_affinity(shown, sizeof shown, "%A");
    CHECK(strcmp(shown, wanted) == 0);
    int place = omp_get_place_num();
    if (place >= 0)
        CHECK(is_at(place, &own));
    return place >= 0;
}

int main(void) {
    cpu_set_t all;
    CPU_ZERO(&all);
    int placed = 0;
    (void)omp_get_max_threads(); /* a clang program is bound at its first query */
    (void)check_here();
#pragma omp parallel reduction(+ : placed)
    {
        placed += check_here();
        cpu_set_t mine;
        CHECK_EQ(sched_getaffinity(0, sizeof mine, &mine), 0);
#pragma omp critical
        CPU_OR(&all, &all, &mine);
    }
    if (omp_get_num_places() > 0)
        CHECK_EQ(placed, omp_get_max_threads());
    return check_done("affinity_refused");
}
