// beyond libgomp: it leaves threads of a team that has grown on others' places
// flags: -D_GNU_SOURCE
// threads: 1 2 3 8
// env: OMP_PROC_BIND=close
// env: OMP_PROC_BIND=spread
// env: OMP_PLACES=threads
// env: OMP_PLACES='{0},{1}' OMP_PROC_BIND=spread
// env: OMP_PLACES='cores(1)'
// env: GOMP_CPU_AFFINITY='1 0'
// env: OMP_PROC_BIND=false OMP_PLACES=threads
// env: OMP_DYNAMIC=false
// Each thread runs on the CPUs of its place, or without places on all.
#include "../check.h"

#include <pthread.h>
#include <unistd.h>

static cpu_set_t all; /* of the process at its start */

static void check_here(void) {
    cpu_set_t now, wanted = all;
    int place = omp_get_place_num();

    CHECK_EQ(sched_getaffinity(0, sizeof now, &now), 0);
    if (place >= 0) {
        int count = omp_get_place_num_procs(place);
        int ids[CPU_SETSIZE];

        CPU_ZERO(&wanted);
        omp_get_place_proc_ids(place, ids);
        for (int i = 0; i < count; i++)
            CPU_SET(ids[i], &wanted);
        CPU_AND(&wanted, &wanted, &all);
    }
    CHECK(CPU_EQUAL(&now, &wanted));
}

static void check_team(int threads) {
#pragma omp parallel num_threads(threads)
    check_here();
#pragma omp parallel num_threads(threads) proc_bind(spread)
    check_here();
#pragma omp parallel num_threads(threads) proc_bind(primary)
    check_here();
#pragma omp parallel sections num_threads(threads) proc_bind(close)
    {
        check_here();
#pragma omp section
        check_here();
    }
    check_here();
}

static void *host(void *arg) {
    check_team(2);
    check_team(3);
    return arg;
}

int main(void) {
    int most = omp_get_max_threads();

    /* A bound initial thread has only the mask of its place: the parent's mask is the whole. */
    CPU_ZERO(&all);
    if (omp_get_num_places() == 0)
        CHECK_EQ(sched_getaffinity(0, sizeof all, &all), 0);
    else
        CHECK_EQ(sched_getaffinity(getppid(), sizeof all, &all), 0);

    check_here();
    for (int threads = 1; threads <= most; threads++)
        check_team(threads);
    check_team(1);
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2) proc_bind(spread)
    {
        check_here();
#pragma omp parallel num_threads(3) proc_bind(close)
        check_here();
        check_here();
    }
    pthread_t thread;
    CHECK_EQ(pthread_create(&thread, NULL, host, NULL), 0);
    CHECK_EQ(pthread_join(thread, NULL), 0);
    check_team(most);
    return check_done("affinity_masks");
}
