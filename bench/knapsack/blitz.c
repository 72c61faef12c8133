/* A spawn for each item that is taken. The result is a reducer's. The bound of the search is the best value of any
 * thread, which may be read late. */
#include "workload.h"

#include <blitz/cilk.h>
#include <blitz/reducer.h>

static int64_t best_seen; /* relaxed: a hint */

static void see(int64_t value) {
    int64_t best = __atomic_load_n(&best_seen, __ATOMIC_RELAXED);
    while (value > best &&
           !__atomic_compare_exchange_n(&best_seen, &best, value, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

BLITZ_VOID_TASK_5(search, const struct knapsack *, sack, int, i, int64_t, capacity, int64_t, value,
                  blitz_reducer *, result) {
    if (i == sack->n) {
        int64_t *best = BLITZ_VIEW(int64_t, result);
        *best = value > *best ? value : *best;
        see(value);
        return;
    }
    if (value + knapsack_bound(sack, i, capacity) <= __atomic_load_n(&best_seen, __ATOMIC_RELAXED))
        return;
    if (sack->items[i].weight > capacity) {
        BLITZ_CALL(search, sack, i + 1, capacity, value, result);
        return;
    }
    CILK_SPAWN(without, search, sack, i + 1, capacity, value, result);
    BLITZ_CALL(search, sack, i + 1, capacity - sack->items[i].weight, value + sack->items[i].value, result);
    CILK_SYNC(without, search);
}

static uint64_t solve(void *arg) {
    const struct knapsack *sack = arg;
    blitz_reducer result;
    int64_t best = 0;
    best_seen = 0;
    if (blitz_reducer_begin(&result, &blitz_max_int64_op, NULL, &best))
        return 0;
    search(sack, 0, sack->capacity, 0, &result);
    blitz_reducer_end(&result);
    return (uint64_t)best;
}

int main(int argc, char **argv) {
    return knapsack_main(argc, argv, solve);
}
