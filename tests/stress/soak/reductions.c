/* reductions.c: tasks that take part in the reduction of a group around them, at any depth. */
#include "soak.h"

struct pair {
    uint64_t sum, odd;
};

#pragma omp declare reduction(pairs                                                                          \
                              : struct pair                                                                  \
                              : omp_out.sum += omp_in.sum, omp_out.odd ^= omp_in.odd)                        \
    initializer(omp_priv = {0, 0})

/* Clang miscompiles sections of pointer targets: all tasks add to the original. */
#ifdef __clang__
#    define PAIR(clause)
#else
#    define PAIR(clause) clause(pairs : pair[:1])
#endif

static void add(struct pair *pair, uint64_t value) {
#ifdef __clang__
    __atomic_fetch_add(&pair->sum, value, __ATOMIC_RELAXED);
    __atomic_fetch_xor(&pair->odd, value, __ATOMIC_RELAXED);
#else
    pair->sum += value;
    pair->odd ^= value;
#endif
}

/* Adds the values of the node and of all nodes below it. */
static void branch(struct node n, struct pair *pair) {
    add(pair, node_value(n));
    for (unsigned i = 0; i < node_count(n); i++) {
        struct node c = node_child(n, i);
#pragma omp task PAIR(in_reduction) firstprivate(c)
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
#pragma omp taskgroup PAIR(task_reduction)
    {
#pragma omp task PAIR(in_reduction) firstprivate(n)
        branch(n, pair);
        for (unsigned i = 0; i < node_count(n); i++)
            solo(in, node_child(n, i));
    }
    soak_check(got->sum == want.sum && got->odd == want.odd, n);
}
