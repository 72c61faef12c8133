/* knapsack: the most value that fits, by branch and bound over items in order of value per weight. */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <string.h>

#include "harness.h"

enum { KNAPSACK_MOST = 64, KNAPSACK_WEIGHT = 120 };

struct knapsack {
    int n;
    int64_t capacity;
    struct {
        int64_t value, weight;
    } items[KNAPSACK_MOST];
};

static inline void knapsack_fill(struct knapsack *sack, int n) {
    sack->n = n;
    sack->capacity = n * KNAPSACK_WEIGHT / 4;
    for (int i = 0; i < n; i++) {
        /* Values near to weights: bounds help little. */
        int64_t weight = (int64_t)(harness_mix((uint64_t)i) % KNAPSACK_WEIGHT) + 1;
        int64_t value = weight + (int64_t)(harness_mix((uint64_t)i + 1000) % 20) + 1;
        int at = i;
        for (; at > 0 && sack->items[at - 1].value * weight < value * sack->items[at - 1].weight; at--)
            sack->items[at] = sack->items[at - 1];
        sack->items[at].value = value, sack->items[at].weight = weight;
    }
}

/* An upper bound of the value that items from i on can add: the remaining capacity at the value of item i. */
static inline int64_t knapsack_bound(const struct knapsack *sack, int i, int64_t capacity) {
    return capacity * sack->items[i].value / sack->items[i].weight;
}

/* By a table of all capacities. */
static inline uint64_t knapsack_expected(const struct knapsack *sack) {
    static int64_t best[KNAPSACK_MOST * KNAPSACK_WEIGHT / 4 + 1];
    memset(best, 0, sizeof best);
    for (int i = 0; i < sack->n; i++)
        for (int64_t room = sack->capacity; room >= sack->items[i].weight; room--) {
            int64_t with = best[room - sack->items[i].weight] + sack->items[i].value;
            best[room] = with > best[room] ? with : best[room];
        }
    return (uint64_t)best[sack->capacity];
}

/* Prints knapsack.solve, the time for one. Arguments: MS, items. */
static inline int knapsack_main(int argc, char **argv, uint64_t (*solve)(void *sack)) {
    struct knapsack sack;
    harness_begin(argc, argv);
    knapsack_fill(&sack, (int)harness_number(argc, argv, 2, 32, KNAPSACK_MOST));
    harness_measure("knapsack.solve", solve, &sack, knapsack_expected(&sack), 1);
    return harness_end();
}

#endif
