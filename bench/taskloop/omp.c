/* The loop as a taskloop that one thread meets, with a grain size. */
#include <omp.h>

#include "workload.h"

static uint64_t region(void *arg) {
    const struct series *series = arg;
#pragma omp parallel num_threads(series->threads ? series->threads : omp_get_max_threads())
#pragma omp single
#pragma omp taskloop grainsize(series->grain)
    for (int i = 0; i < series->iterations; i++)
        body(i);
    return 0;
}

int main(int argc, char **argv) {
    return taskloop_main(argc, argv, region, omp_get_max_threads());
}
