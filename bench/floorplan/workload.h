/* floorplan: places cells, each of one or two shapes, on a floor so that the rectangle around them is minimal. Branch
 * and bound: cells are placed one after the other, each in a corner made by one of the latest, and a plan larger than
 * the bound is abandoned. The number of plans that a search with an improving bound visits depends on the order. So the
 * serial search finds the optimum beforehand, and the program measures the proof: the search with the optimum as the
 * bound, which counts the best plans and visits the same plans in any order. */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include "harness.h"

enum { PLAN_SIDE = 24, PLAN_CELLS = 12, PLAN_SHAPES = 2, PLAN_LATEST = 3 };
enum { PLAN_CHOICES = PLAN_SHAPES * 2 * PLAN_LATEST }; /* at most, for a cell */

struct shape {
    unsigned char width, height;
};

/* The shapes that each cell may have; width 0: none. */
static const struct shape plan_shapes[PLAN_CELLS][PLAN_SHAPES] = {
    {{4, 5}, {5, 4}}, {{2, 6}, {6, 2}}, {{3, 3}},         {{2, 5}, {5, 2}},
    {{4, 2}, {2, 4}}, {{3, 5}, {5, 3}}, {{2, 3}, {3, 2}}, {{4, 3}, {3, 4}},
    {{2, 7}, {7, 2}}, {{3, 4}, {4, 3}}, {{2, 2}},         {{1, 4}, {4, 1}},
};

struct place {
    unsigned char left, top, right, bottom;
};

struct plan {
    uint32_t rows[PLAN_SIDE]; /* a bit for each square that is taken */
    struct place placed[PLAN_CELLS];
    unsigned cells, width, height;
};

/* Whether a cell of that shape fits at (left, top), with all cells within an area of `bound`. */
static inline int plan_fits(const struct plan *plan, struct shape shape, unsigned left, unsigned top,
                            unsigned bound) {
    unsigned right = left + shape.width, bottom = top + shape.height;
    unsigned width = right > plan->width ? right : plan->width;
    unsigned height = bottom > plan->height ? bottom : plan->height;
    if (right > PLAN_SIDE || bottom > PLAN_SIDE || width * height > bound)
        return 0;
    uint32_t squares = ((1u << shape.width) - 1) << left;
    for (unsigned y = top; y < bottom; y++)
        if (plan->rows[y] & squares)
            return 0;
    return 1;
}

static inline void plan_place(struct plan *plan, struct shape shape, unsigned left, unsigned top) {
    unsigned right = left + shape.width, bottom = top + shape.height;
    for (unsigned y = top; y < bottom; y++)
        plan->rows[y] |= ((1u << shape.width) - 1) << left;
    struct place *place = &plan->placed[plan->cells++];
    place->left = (unsigned char)left, place->right = (unsigned char)right;
    place->top = (unsigned char)top, place->bottom = (unsigned char)bottom;
    plan->width = right > plan->width ? right : plan->width;
    plan->height = bottom > plan->height ? bottom : plan->height;
}

/* Choice number `choice` for the next cell: a shape, one of the latest cells, and a place to the right of it or below
 * it. 0: no such choice, or a useless one. Otherwise `next` is the plan with it. */
static inline int plan_choose(const struct plan *plan, int choice, unsigned bound, struct plan *next) {
    struct shape shape = plan_shapes[plan->cells][choice % PLAN_SHAPES];
    unsigned left = 0, top = 0;
    if (shape.width == 0)
        return 0;
    if (plan->cells) {
        const struct place *earlier = &plan->placed[plan->cells - 1 - (unsigned)choice / PLAN_SHAPES / 2];
        int below = choice / PLAN_SHAPES % 2;
        left = below ? earlier->left : earlier->right;
        top = below ? earlier->bottom : earlier->top;
    }
    if (!plan_fits(plan, shape, left, top, bound))
        return 0;
    *next = *plan;
    plan_place(next, shape, left, top);
    return 1;
}

static inline int plan_choices(const struct plan *plan) {
    int cells = plan->cells < PLAN_LATEST ? (int)plan->cells : PLAN_LATEST;
    return PLAN_SHAPES * (cells ? 2 * cells : 1);
}

/* The number of complete plans below this one. Plans: the number of all plans. */
static inline uint64_t plan_serial(const struct plan *plan, unsigned bound, uint64_t *plans) {
    ++*plans;
    if (plan->cells == PLAN_CELLS)
        return 1;
    uint64_t complete = 0;
    struct plan next;
    for (int choice = 0; choice < plan_choices(plan); choice++)
        if (plan_choose(plan, choice, bound, &next))
            complete += plan_serial(&next, bound, plans);
    return complete;
}

/* The least area, if it is not above `best`. */
static inline unsigned plan_optimum(const struct plan *plan, unsigned best) {
    unsigned area = plan->width * plan->height;
    struct plan next;
    if (plan->cells == PLAN_CELLS)
        return area < best ? area : best;
    for (int choice = 0; choice < plan_choices(plan); choice++)
        if (plan_choose(plan, choice, best, &next))
            best = plan_optimum(&next, best);
    return best;
}

/* Prints floorplan.task, the time per visited plan. Arguments: MS. */
static inline int plan_main(int argc, char **argv, uint64_t (*search)(void *bound)) {
    harness_begin(argc, argv);
    static const struct plan empty;
    uint64_t plans = 0, wasted = 0;
    unsigned bound = plan_optimum(&empty, PLAN_SIDE * PLAN_SIDE);
    uint64_t best = plan_serial(&empty, bound, &plans);
    harness_check("floorplan: nothing below the optimum", plan_serial(&empty, bound - 1, &wasted), 0);
    harness_measure("floorplan.task", search, &bound, best, (double)plans);
    return harness_end();
}

#endif
