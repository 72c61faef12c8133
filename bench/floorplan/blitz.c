/* The floor plan's search, a spawn for every plan; each has its own copy of the floor. */
#include "workload.h"

#include <blitz/cilk.h>

BLITZ_TASK_2(uint64_t, search, struct plan, plan, unsigned, bound) {
    if (plan.cells == PLAN_CELLS)
        return 1;
    BLITZ_TASK_FRAME(search) frames[PLAN_CHOICES];
    int tasks = 0, choices = plan_choices(&plan);
    struct plan next;
    for (int choice = 0; choice < choices; choice++)
        if (plan_choose(&plan, choice, bound, &next))
            BLITZ_FORK_AT(search, &frames[tasks++], next, bound);
    uint64_t sum = 0;
    while (tasks > 0)
        sum += BLITZ_SYNC_AT(search, &frames[--tasks]);
    return sum;
}

static uint64_t search_all(void *bound) {
    const struct plan empty = {{0}, {{0}}, 0, 0, 0};
    return search(empty, *(unsigned *)bound);
}

int main(int argc, char **argv) {
    return plan_main(argc, argv, search_all);
}
