/* The floor plan's search, depth first. */
#include "workload.h"

static uint64_t search_all(void *bound) {
    const struct plan empty = {{0}, {{0}}, 0, 0, 0};
    uint64_t plans = 0;
    return plan_serial(&empty, *(unsigned *)bound, &plans);
}

int main(int argc, char **argv) {
    return plan_main(argc, argv, search_all);
}
