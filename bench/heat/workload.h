/* heat: a plate whose rim is kept at given temperatures, step by step (Jacobi). Each cell's sum has one order, so that
 * results are the same to the last bit. */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <string.h>

#include "harness.h"

enum { HEAT_STEPS = 20, HEAT_MOST = 8192 };

struct heat {
    size_t n; /* rows and columns with the rim */
    double *now, *next;
};

static inline void heat_prepare(void *arg) {
    struct heat *heat = (struct heat *)arg;
    for (size_t i = 0; i < heat->n * heat->n; i++)
        heat->now[i] = heat->next[i] = (double)(harness_mix(i) % 1000);
}

/* The inner cells of a row. */
static inline void heat_row(const double *now, double *next, size_t n, size_t row) {
    for (size_t i = row * n + 1; i < row * n + n - 1; i++)
        next[i] = now[i] + 0.125 * (now[i - n] + now[i + n] + now[i - 1] + now[i + 1] - 4 * now[i]);
}

/* After an even number of steps the last one is in `now`. */
static inline uint64_t heat_result(void *arg) {
    const struct heat *heat = (const struct heat *)arg;
    uint64_t sum = 0, bits;
    for (size_t i = 0; i < heat->n * heat->n; i++) {
        memcpy(&bits, &heat->now[i], sizeof bits);
        sum = harness_mix(sum ^ bits);
    }
    return sum;
}

static inline uint64_t heat_expected(struct heat *heat) {
    heat_prepare(heat);
    for (int step = 0; step < HEAT_STEPS; step++)
        for (size_t row = 1; row + 1 < heat->n; row++)
            heat_row(step % 2 ? heat->next : heat->now, step % 2 ? heat->now : heat->next, heat->n, row);
    return heat_result(heat);
}

/* Prints heat.cell, the time per cell and step. Arguments: MS, rows. */
static inline int heat_main(int argc, char **argv, uint64_t (*run)(void *data)) {
    struct heat heat;
    harness_begin(argc, argv);
    heat.n = (size_t)harness_number(argc, argv, 2, 512, HEAT_MOST);
    heat.now = (double *)harness_memory(heat.n * heat.n * sizeof(double));
    heat.next = (double *)harness_memory(heat.n * heat.n * sizeof(double));
    const struct harness_kernel kernel = {heat_prepare, run, heat_result};
    uint64_t expected = heat_expected(&heat);
    harness_measure_kernel("heat.cell", &kernel, &heat, expected, (double)(heat.n * heat.n) * HEAT_STEPS);
    free(heat.now), free(heat.next);
    return harness_end();
}

#endif
