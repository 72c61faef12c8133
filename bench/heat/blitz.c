/* A loop over the rows for each step. */
#include "workload.h"

#include <blitz/cilk.h>

BLITZ_LOOP_3(warm, row, const double *, now, double *, next, size_t, n) {
    heat_row(now, next, n, row);
}

static uint64_t run(void *arg) {
    struct heat *heat = arg;
    for (int step = 0; step < HEAT_STEPS; step += 2) {
        CILK_FOR(warm, 1, heat->n - 1, heat->now, heat->next, heat->n);
        CILK_FOR(warm, 1, heat->n - 1, heat->next, heat->now, heat->n);
    }
    return 0;
}

int main(int argc, char **argv) {
    return heat_main(argc, argv, run);
}
