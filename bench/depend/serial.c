/* The steps in the order of their loops. */
#include "workload.h"

static uint64_t solve(void *arg) {
    const struct problem *problem = arg;
    problem->serial(problem);
    return 0;
}

int main(int argc, char **argv) {
    return depend_main(argc, argv, solve);
}
