/* The floor plan's search, a task for every plan; each has its own copy of the floor. */
#include "workload.h"

static uint64_t search(struct plan plan, unsigned bound) {
    if (plan.cells == PLAN_CELLS)
        return 1;
    uint64_t found[PLAN_CHOICES], sum = 0;
    int tasks = 0, choices = plan_choices(&plan);
    struct plan next;
    for (int choice = 0; choice < choices; choice++)
        if (plan_choose(&plan, choice, bound, &next)) {
            uint64_t *mine = &found[tasks++];
#pragma omp task firstprivate(next, bound, mine)
            *mine = search(next, bound);
        }
#pragma omp taskwait
    for (int i = 0; i < tasks; i++)
        sum += found[i];
    return sum;
}

static uint64_t search_all(void *arg) {
    const struct plan empty = {{0}, {{0}}, 0, 0, 0};
    unsigned bound = *(unsigned *)arg;
    uint64_t result = 0;
#pragma omp parallel
#pragma omp single
    result = search(empty, bound);
    return result;
}

int main(int argc, char **argv) {
    return plan_main(argc, argv, search_all);
}
