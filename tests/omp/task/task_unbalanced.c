// repeat: 3
// A tree whose shape emerges only as it is walked, as in UTS: most branches end at once, a few are deep.
#include "../check.h"

struct totals {
    long nodes, leaves, depth_sum;
};

static int children_of(unsigned state, int depth) {
    if (depth == 0)
        return 40;
    return state % 100 < 31 ? 3 : 0;
}

static void serial(unsigned state, int depth, struct totals *t) {
    int children = children_of(state, depth);

    t->nodes++;
    t->depth_sum += depth;
    t->leaves += children == 0;
    for (int i = 0; i < children; i++)
        serial(scramble(state + (unsigned)i), depth + 1, t);
}

static struct totals visit(unsigned state, int depth) {
    int children = children_of(state, depth);
    struct totals parts[40], sum = {1, children == 0, depth};

    for (int i = 0; i < children; i++) {
#pragma omp task shared(parts) firstprivate(i) untied
        parts[i] = visit(scramble(state + (unsigned)i), depth + 1);
    }
#pragma omp taskwait
    for (int i = 0; i < children; i++) {
        sum.nodes += parts[i].nodes;
        sum.leaves += parts[i].leaves;
        sum.depth_sum += parts[i].depth_sum;
    }
    return sum;
}

int main(int argc, char **argv) {
    int roots = (int)check_arg(argc, argv, 1, 40);
    struct totals all = {0, 0, 0}, expected = {0, 0, 0};

    for (int root = 0; root < roots; root++) {
        struct totals t = {0, 0, 0};

#pragma omp parallel
#pragma omp single
        t = visit(scramble((unsigned)root * 7919u), 0);
        all.nodes += t.nodes;
        all.leaves += t.leaves;
        all.depth_sum += t.depth_sum;
        serial(scramble((unsigned)root * 7919u), 0, &expected);
    }
    CHECK_EQ(all.nodes, expected.nodes);
    CHECK_EQ(all.leaves, expected.leaves);
    CHECK_EQ(all.depth_sum, expected.depth_sum);
    printf("nodes %ld leaves %ld depths %ld\n", all.nodes, all.leaves, all.depth_sum);
    return check_done("task_unbalanced");
}
