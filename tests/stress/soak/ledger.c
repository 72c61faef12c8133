/* ledger.c: adds values under every construct that excludes other threads. */
#include "soak.h"

void ledger_open(struct ledger *ledger) {
    *ledger = (struct ledger){0};
    omp_init_lock(&ledger->lock);
    omp_init_nest_lock(&ledger->nest);
}

void ledger_put(struct ledger *ledger, struct node n, uint64_t sum) {
    switch (pick(n, PICK_WAY, 10)) {
    case 0:
#pragma omp critical
        ledger->by_critical += sum;
        break;
    case 1:
#pragma omp critical(soak_left)
        ledger->by_left += sum;
        break;
    case 2:
#pragma omp critical(soak_right)
        ledger->by_right += sum;
        break;
    case 3:
        omp_set_lock(&ledger->lock);
        ledger->by_lock += sum;
        omp_unset_lock(&ledger->lock);
        break;
    case 4:
        omp_set_nest_lock(&ledger->nest);
        omp_set_nest_lock(&ledger->nest);
        ledger->by_nest += sum;
        soak_check(omp_test_nest_lock(&ledger->nest) == 3, n);
        omp_unset_nest_lock(&ledger->nest);
        omp_unset_nest_lock(&ledger->nest);
        omp_unset_nest_lock(&ledger->nest);
        break;
    case 5:
        while (!omp_test_lock(&ledger->lock))
            sched_yield();
        ledger->by_lock += sum;
        omp_unset_lock(&ledger->lock);
        break;
    default:
#pragma omp atomic
        ledger->by_atomic += sum;
    }
}

/* Works a little, and seldom yields, so that not only the seed decides which thread is first. */
static void busy(struct node n) {
    static uint64_t sink;
    unsigned steps = pick(n, PICK_BUSY, 100);
    uint64_t x = n.seed;
    for (unsigned i = 0; i < steps; i++)
        x = x * 6364136223846793005u + 1442695040888963407u;
    if (x == 1)
        __atomic_store_n(&sink, x, __ATOMIC_RELAXED);
    if (steps == 0)
        sched_yield();
}

void ledger_add(struct ledger *ledger, struct node n) {
    busy(n);
    ledger_put(ledger, n, node_value(n));
}

void ledger_close(struct ledger *ledger, struct node n, const char *scene) {
    uint64_t sum = ledger->by_atomic + ledger->by_critical + ledger->by_left + ledger->by_right +
                   ledger->by_lock + ledger->by_nest;
    if (sum != node_sum(n))
        soak_fail(scene, 0, "the ledger shows the sum of the node", n);
    omp_destroy_lock(&ledger->lock);
    omp_destroy_nest_lock(&ledger->nest);
}
