/* The hospitals' simulation, village by village. */
#include "workload.h"

static uint64_t simulate_all(void *arg) {
    struct health *health = arg;
    for (int i = 0; i < HEALTH_STEPS; i++)
        health_serial(health->villages);
    return 0;
}

int main(int argc, char **argv) {
    return health_main(argc, argv, simulate_all);
}
