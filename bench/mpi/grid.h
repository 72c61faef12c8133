/* grid.h: a square of heat, cut across into one strip of rows for each rank, and each strip into tiles. In a step each
 * cell becomes the mean of its four neighbours; the cells around the whole grid stay. There are two grids, which
 * alternate: step s reads grid s % 2 and writes the other. A strip has a row above and one below it, its halo, for
 * copies of the neighbours' outermost rows.
 *
 * Tiles do the same operations on the same numbers in any legal order, so results are equal to the last bit. */
#ifndef GRID_H
#define GRID_H

#include <string.h>

#include "harness.h"

#ifndef STEPS
#    define STEPS 40
#endif

enum {
    ROWS = 256, /* of a strip */
    COLUMNS = 1024,
    BANDS = 4,           /* tiles of a strip, from top to bottom */
    PILLARS = 4,         /* and from left to right */
    STRIDE = COLUMNS + 3 /* cells, one more on either side, and when the row was sent */
};

struct strip {
    int first; /* its row of the whole grid; row 0 lies above the first strip */
    int rows;
    double *cells[2];
};

static inline double *row_of_strip(const struct strip *strip, int step, int row) {
    return strip->cells[step % 2] + (size_t)row * STRIDE;
}

static inline void strip_make(struct strip *strip, int first, int rows) {
    size_t bytes = (size_t)(rows + 2) * STRIDE * sizeof(double);
    *strip = (struct strip){first, rows, {harness_memory(bytes), harness_memory(bytes)}};
}

static inline void strip_free(struct strip *strip) {
    for (int k = 0; k < 2; k++)
        free(strip->cells[k]);
}

/* The state before step 0. */
static inline void strip_fill(const struct strip *strip) {
    for (int row = 0; row < strip->rows + 2; row++)
        for (int column = 0; column < STRIDE; column++) {
            uint64_t place = (uint64_t)(strip->first + row) * STRIDE + (uint64_t)column;
            double heat = (double)(harness_mix(place) >> 40);
            row_of_strip(strip, 0, row)[column] = row_of_strip(strip, 1, row)[column] = heat;
        }
}

static inline void strip_step(const struct strip *strip, int step, int row, int rows, int column,
                              int columns) {
    for (int y = row; y < row + rows; y++) {
        const double *above = row_of_strip(strip, step, y - 1), *below = row_of_strip(strip, step, y + 1);
        const double *old = row_of_strip(strip, step, y);
        double *next = row_of_strip(strip, step + 1, y);
        for (int x = column; x < column + columns; x++)
            next[x] = 0.25 * (above[x] + below[x] + old[x - 1] + old[x + 1]);
    }
}

static inline void tile_step(const struct strip *strip, int step, int band, int pillar) {
    enum { HEIGHT = ROWS / BANDS, WIDTH = COLUMNS / PILLARS };
    strip_step(strip, step, 1 + band * HEIGHT, HEIGHT, 1 + pillar * WIDTH, WIDTH);
}

/* The cells of ROWS rows after all steps. */
static inline uint64_t strip_hash(const struct strip *strip, int row) {
    uint64_t hash = 0;
    for (int y = row; y < row + ROWS; y++)
        for (int x = 1; x <= COLUMNS; x++) {
            uint64_t bits;
            memcpy(&bits, &row_of_strip(strip, STEPS, y)[x], sizeof bits);
            hash = harness_mix(hash ^ bits);
        }
    return hash;
}

/* The expected strip of a rank after all steps, computed in one grid. */
static inline uint64_t expected_hash(int rank, int ranks) {
    struct strip whole;
    strip_make(&whole, 0, ranks * ROWS);
    strip_fill(&whole);
    for (int step = 0; step < STEPS; step++)
        strip_step(&whole, step, 1, whole.rows, 1, COLUMNS);
    uint64_t hash = strip_hash(&whole, rank * ROWS + 1);
    strip_free(&whole);
    return hash;
}

#endif
