/* depend: typical programs with dependences. Each task is a step of its own:
 *
 *   chain       each waits for the one before it
 *   wavefront   tiles of a table, each after its upper and its left neighbour; a cell mixes three others, as in
 *               sequence alignment
 *   cholesky    the Cholesky factor of a symmetric matrix, by tiles; three levels of tasks for each column of tiles
 *   jacobi      sweeps over a line of cells, by blocks, each after three blocks of the sweep before
 *
 * Tasks do the same operations on the same numbers in any legal order, so the results are equal to the last bit. */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <math.h>
#include <string.h>

#include "harness.h"

/* A problem: `tiles` along a side, each of `size` (cells along a side). */
struct problem {
    const char *name;
    int tiles, size, sweeps;
    int tasks;
    /* Common to all variants: the initial data and the result. */
    void (*prepare)(void *arg);
    uint64_t (*result)(void *arg);
    void (*serial)(const struct problem *problem);
};

enum { DATA_BYTES = 8 << 20 };

static void *data; /* of the problem at hand */

static inline uint64_t hash_of(const void *from, size_t words) {
    const uint64_t *word = from;
    uint64_t hash = 0;
    for (size_t i = 0; i < words; i++)
        hash = harness_mix(hash ^ word[i]);
    return hash;
}

/* ---- chain ---- */

static inline void chain_prepare(void *arg) {
    (void)arg;
    *(uint64_t *)data = 1;
}

static inline uint64_t chain_result(void *arg) {
    (void)arg;
    return *(uint64_t *)data;
}

static inline void chain_step(uint64_t *x, int i) {
    *x = harness_mix(*x + (uint64_t)i);
}

static inline void chain_serial(const struct problem *problem) {
    for (int i = 0; i < problem->tiles; i++)
        chain_step(data, i);
}

/* ---- wavefront ---- */

static inline size_t wavefront_width(const struct problem *problem) {
    return (size_t)problem->tiles * (size_t)problem->size + 1;
}

static inline void wavefront_prepare(void *arg) {
    const struct problem *problem = arg;
    uint64_t *cell = data;
    size_t width = wavefront_width(problem);
    memset(data, 0, width * width * sizeof *cell);
    for (size_t i = 0; i < width; i++)
        cell[i] = cell[i * width] = harness_mix(i);
}

static inline uint64_t wavefront_result(void *arg) {
    size_t width = wavefront_width(arg);
    return hash_of((uint64_t *)data + (width - 1) * width, width);
}

static inline uint64_t *wavefront_tile(const struct problem *problem, int row, int column) {
    return (uint64_t *)data + (size_t)(row * problem->size + 1) * wavefront_width(problem) +
           column * problem->size + 1;
}

static inline void wavefront_step(const struct problem *problem, int row, int column) {
    size_t width = wavefront_width(problem);
    uint64_t *cell = wavefront_tile(problem, row, column);
    for (int i = 0; i < problem->size; i++, cell += width)
        for (int k = 0; k < problem->size; k++)
            cell[k] = 3 * cell[k - 1] + 5 * cell[k - (long)width] + 7 * cell[k - (long)width - 1];
}

static inline void wavefront_serial(const struct problem *problem) {
    for (int row = 0; row < problem->tiles; row++)
        for (int column = 0; column < problem->tiles; column++)
            wavefront_step(problem, row, column);
}

/* ---- cholesky: the lower half, tile after tile ---- */

static inline double *cholesky_tile(const struct problem *problem, int row, int column) {
    return (double *)data + (size_t)(row * problem->tiles + column) * (size_t)(problem->size * problem->size);
}

static inline void cholesky_prepare(void *arg) {
    const struct problem *problem = arg;
    int n = problem->size;
    for (int row = 0; row < problem->tiles; row++)
        for (int column = 0; column < problem->tiles; column++)
            for (int i = 0; i < n * n; i++) {
                int y = row * n + i / n, x = column * n + i % n;
                double far = 1 + abs(x - y);
                cholesky_tile(problem, row, column)[i] = x == y ? 4 : 1 / (far * far);
            }
}

static inline uint64_t cholesky_result(void *arg) {
    const struct problem *problem = arg;
    return hash_of(data, (size_t)(problem->tiles * problem->tiles) * (size_t)(problem->size * problem->size));
}

/* Factors a tile on the diagonal. */
static inline void cholesky_factor(double *a, int n) {
    for (int k = 0; k < n; k++) {
        a[k * n + k] = sqrt(a[k * n + k]);
        for (int i = k + 1; i < n; i++)
            a[i * n + k] /= a[k * n + k];
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j <= i; j++)
                a[i * n + j] -= a[i * n + k] * a[j * n + k];
    }
}

/* b times the inverse of a's transpose: a tile below the diagonal. */
static inline void cholesky_solve(const double *a, double *b, int n) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            double sum = b[i * n + k];
            for (int j = 0; j < k; j++)
                sum -= b[i * n + j] * a[k * n + j];
            b[i * n + k] = sum / a[k * n + k];
        }
}

/* c less a times b's transpose. */
static inline void cholesky_update(const double *a, const double *b, double *c, int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++)
                sum += a[i * n + k] * b[j * n + k];
            c[i * n + j] -= sum;
        }
}

static inline void cholesky_serial(const struct problem *problem) {
    int n = problem->size;
    for (int k = 0; k < problem->tiles; k++) {
        cholesky_factor(cholesky_tile(problem, k, k), n);
        for (int i = k + 1; i < problem->tiles; i++)
            cholesky_solve(cholesky_tile(problem, k, k), cholesky_tile(problem, i, k), n);
        for (int i = k + 1; i < problem->tiles; i++)
            for (int j = k + 1; j <= i; j++)
                cholesky_update(cholesky_tile(problem, i, k), cholesky_tile(problem, j, k),
                                cholesky_tile(problem, i, j), n);
    }
}

/* ---- jacobi: two lines of blocks, with a cell that stays at either end ---- */

static inline size_t jacobi_width(const struct problem *problem) {
    return (size_t)problem->tiles * (size_t)problem->size + 2;
}

static inline void jacobi_prepare(void *arg) {
    const struct problem *problem = arg;
    double *cell = data;
    size_t width = jacobi_width(problem);
    for (size_t i = 0; i < width; i++)
        cell[i] = cell[i + width] = (double)(harness_mix(i) >> 40);
}

static inline uint64_t jacobi_result(void *arg) {
    return hash_of(data, 2 * jacobi_width(arg));
}

static inline double *jacobi_block(const struct problem *problem, int line, int block) {
    return (double *)data + (size_t)line * jacobi_width(problem) + 1 + block * problem->size;
}

static inline void jacobi_step(const struct problem *problem, int sweep, int block) {
    const double *old = jacobi_block(problem, sweep % 2, block);
    double *next = jacobi_block(problem, (sweep + 1) % 2, block);
    for (int i = 0; i < problem->size; i++)
        next[i] = 0.25 * old[i - 1] + 0.5 * old[i] + 0.25 * old[i + 1];
}

static inline void jacobi_serial(const struct problem *problem) {
    for (int sweep = 0; sweep < problem->sweeps; sweep++)
        for (int block = 0; block < problem->tiles; block++)
            jacobi_step(problem, sweep, block);
}

/* ---- all of them ---- */

#define CHAIN chain_prepare, chain_result, chain_serial
#define WAVEFRONT wavefront_prepare, wavefront_result, wavefront_serial
#define CHOLESKY cholesky_prepare, cholesky_result, cholesky_serial
#define JACOBI jacobi_prepare, jacobi_result, jacobi_serial

/* The tasks of a factoring: t of the first kind, t (t - 1) / 2 of the second, and t (t - 1) (t + 1) / 6 of the third. */
#define CHOLESKY_TASKS(t) ((t) + (t) * ((t)-1) / 2 + (t) * ((t)-1) * ((t) + 1) / 6)

static const struct problem all_problems[] = {
    {"depend.chain", 5000, 1, 1, 5000, CHAIN},
    {"depend.wavefront.small", 64, 8, 1, 64 * 64, WAVEFRONT},
    {"depend.wavefront.large", 12, 64, 1, 12 * 12, WAVEFRONT},
    {"depend.cholesky.small", 20, 4, 1, CHOLESKY_TASKS(20), CHOLESKY},
    {"depend.cholesky.large", 8, 48, 1, CHOLESKY_TASKS(8), CHOLESKY},
    {"depend.jacobi.small", 64, 64, 50, 64 * 50, JACOBI},
    {"depend.jacobi.large", 16, 8192, 20, 16 * 20, JACOBI},
};

/* The time per task of each problem, solved by `work`. Argument: MS. */
static inline int depend_main(int argc, char **argv, uint64_t (*work)(void *arg)) {
    harness_begin(argc, argv);
    data = harness_memory(DATA_BYTES);
    for (size_t i = 0; i < sizeof all_problems / sizeof *all_problems; i++) {
        const struct problem *problem = &all_problems[i];
        const struct harness_kernel kernel = {problem->prepare, work, problem->result};
        problem->prepare((void *)problem);
        problem->serial(problem);
        harness_measure_kernel(problem->name, &kernel, (void *)problem, problem->result((void *)problem),
                               problem->tasks);
    }
    free(data);
    return harness_end();
}

#endif
