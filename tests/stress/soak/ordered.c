/* ordered.c: loops with an order: ordered regions, and iterations that wait for earlier ones. */
#include "soak.h"

/* State of the ordered regions of one loop. The turn continues from loop to loop, so each thread reads it before any
 * loop begins. */
static uint64_t first_turn(struct scene s) {
    uint64_t first;
#pragma omp barrier
    first = s.team->turn;
#pragma omp barrier
    return first;
}

static void in_turn(struct scene s, struct node n, uint64_t turn) {
    soak_check(s.team->turn == turn, n);
    s.team->turn++;
}

static void ordered_dynamic(struct scene s, struct node n, int count, int chunk, uint64_t first) {
#pragma omp for ordered schedule(dynamic, chunk)
    for (int i = 0; i < count; i++) {
        solo(s, node_child(n, (unsigned)i));
#pragma omp ordered
        in_turn(s, n, first + (uint64_t)i);
    }
}

static void ordered_static(struct scene s, struct node n, int count, int chunk, uint64_t first) {
#pragma omp for ordered schedule(static, chunk)
    for (int i = 0; i < count; i++) {
#pragma omp ordered
        in_turn(s, n, first + (uint64_t)i);
        solo(s, node_child(n, (unsigned)i));
    }
}

/* Some iterations have no ordered region. */
static void ordered_guided(struct scene s, struct node n, int count, int chunk, uint64_t first) {
#pragma omp for ordered schedule(guided, chunk)
    for (unsigned long long i = 0; i < (unsigned long long)count; i++) {
        solo(s, node_child(n, (unsigned)i));
        if (i % 2 == 0) {
#pragma omp ordered
            in_turn(s, n, first + i / 2);
        }
    }
}

static void ordered_runtime(struct scene s, struct node n, int count, int chunk, uint64_t first) {
    omp_set_schedule((omp_sched_t)(1 + pick(n, PICK_WAY, 4)), chunk);
#pragma omp for ordered schedule(runtime)
    for (long i = count; i > 0; i--) {
#pragma omp ordered
        in_turn(s, n, first + (uint64_t)(count - i));
        solo(s, node_child(n, (unsigned)(i - 1)));
    }
}

void team_ordered(struct scene s, struct node n) {
    int count = (int)node_count(n), chunk = 1 + (int)pick(n, PICK_CHUNK, 5);
    uint64_t first = first_turn(s);
    switch (pick(n, PICK_VARIANT, 4)) {
    case 0:
        ordered_dynamic(s, n, count, chunk, first);
        break;
    case 1:
        ordered_static(s, n, count, chunk, first);
        break;
    case 2:
        ordered_guided(s, n, count, chunk, first);
        break;
    default:
        ordered_runtime(s, n, count, chunk, first);
    }
}

/* ---- doacross ---- */

enum { ROWS = 24, COLUMNS = 8 };

/* A wave over a plain array: each cell depends on its upper and its left neighbour. */
static void wave(struct node n, uint64_t (*cells)[COLUMNS], int rows, int chunk) {
#pragma omp for ordered(2) schedule(dynamic, chunk)
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < COLUMNS; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
            cells[i][j] = n.seed + (i > 0 ? cells[i - 1][j] : 1) + (j > 0 ? cells[i][j - 1] : 1);
#pragma omp ordered depend(source)
        }
}

/* Each iteration waits for the one three before it. */
static void chain(struct scene s, struct node n, uint64_t *words, int count, int chunk) {
#pragma omp for ordered(1) schedule(static, chunk)
    for (int i = 0; i < count; i++) {
        struct node c = node_child(n, (unsigned)i);
        solo(s, c);
#pragma omp ordered depend(sink : i - 3)
        words[i] = node_value(c) + (i >= 3 ? words[i - 3] : 0);
#pragma omp ordered depend(source)
    }
}

void team_doacross(struct scene s, struct node n) {
    uint64_t(*cells)[COLUMNS] = NULL, *words = NULL;
    int count = (int)node_count(n), chunk = 1 + (int)pick(n, PICK_CHUNK, 3);
    int rows = 1 + (int)pick(n, PICK_SIZE, ROWS);
#pragma omp single copyprivate(cells, words)
    {
        cells = calloc(ROWS, sizeof *cells);
        words = calloc(MOST_CHILDREN, sizeof *words);
        if (!cells || !words)
            soak_refused("memory");
    }
    wave(n, cells, rows, chunk);
    chain(s, n, words, count, chunk);
#pragma omp single
    {
        uint64_t above[COLUMNS];
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < COLUMNS; j++) {
                above[j] = n.seed + (i > 0 ? above[j] : 1) + (j > 0 ? above[j - 1] : 1);
                soak_check(cells[i][j] == above[j], n);
            }
        for (int i = 0; i < count; i++) {
            uint64_t want = 0;
            for (int j = i; j >= 0; j -= 3)
                want += node_value(node_child(n, (unsigned)j));
            soak_check(words[i] == want, n);
        }
        free(cells);
        free(words);
    }
}
