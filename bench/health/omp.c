/* The hospitals' simulation, a task for every village in every step. */
#include "workload.h"

static void simulate(struct village *village) {
    for (int i = 0; village->below && i < HEALTH_BRANCHES; i++) {
#pragma omp task
        simulate(&village->below[i]);
    }
    health_step(village);
#pragma omp taskwait
    health_receive(village);
}

static uint64_t simulate_all(void *arg) {
    struct health *health = arg;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < HEALTH_STEPS; i++)
        simulate(health->villages);
    return 0;
}

int main(int argc, char **argv) {
    return health_main(argc, argv, simulate_all);
}
