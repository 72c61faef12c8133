/* reductions.c: tasks that take part in the reduction of a group around them, at any depth. */
#include "soak.h"

struct pair {
    uint64_t sum, odd;
};

#pragma omp declare reduction(pairs                                                                          \
                              : struct pair                                                                  \
                              : omp_out.sum += omp_in.sum, omp_out.odd ^= omp_in.odd)                        \
    initializer(omp_priv = {0, 0})

/* The node's value and those of all below it. */
static void branch(struct node n, struct pair *pair) {
    pair->sum += node_value(n);
    pair->odd ^= node_value(n);
    for (unsigned i = 0; i < node_count(n); i++) {
        struct node c = node_child(n, i);
#pragma omp task in_reduction(pairs : pair[:1]) firstprivate(c)
        branch(c, pair);
        if (pick(c, PICK_END, 20) == 0) {
#pragma omp taskwait
        }
    }
}

static void expect(struct node n, struct pair *pair) {
    pair->sum += node_value(n);
    pair->odd ^= node_value(n);
    for (unsigned i = 0; i < node_count(n); i++)
        expect(node_child(n, i), pair);
}

void reduction_tasks(struct scene s, struct node n) {
    struct pair want = {7, 7}, got[1] = {{7, 7}}, *pair = got;
    struct scene in = s;
    in.outside = 0;
    expect(n, &want);
#pragma omp taskgroup task_reduction(pairs : pair[:1])
    {
#pragma omp task in_reduction(pairs : pair[:1]) firstprivate(n)
        branch(n, pair);
        for (unsigned i = 0; i < node_count(n); i++)
            solo(in, node_child(n, i));
    }
    soak_check(got->sum == want.sum && got->odd == want.odd, n);
}
