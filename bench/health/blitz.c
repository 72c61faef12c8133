/* The hospitals' simulation, a spawn for every village in every step. */
#include "workload.h"

#include <blitz/cilk.h>

BLITZ_VOID_TASK_1(simulate, struct village *, village) {
    BLITZ_TASK_FRAME(simulate) frames[HEALTH_BRANCHES];
    int branches = village->below ? HEALTH_BRANCHES : 0;
    for (int i = 0; i < branches; i++)
        BLITZ_FORK_AT(simulate, &frames[i], &village->below[i]);
    health_step(village);
    while (branches > 0)
        BLITZ_SYNC_AT(simulate, &frames[--branches]);
    health_receive(village);
}

static uint64_t simulate_all(void *arg) {
    struct health *health = arg;
    for (int i = 0; i < HEALTH_STEPS; i++)
        simulate(health->villages);
    return 0;
}

int main(int argc, char **argv) {
    return health_main(argc, argv, simulate_all);
}
